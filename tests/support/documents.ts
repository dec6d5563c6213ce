import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { strToU8, zipSync } from 'fflate';

/** A valid PDF of some pages, each with the same line of text. */
export async function makePdf(pages = 3, text = 'Harbour lights at dusk'): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 1; page <= pages; page += 1) {
    document.addPage([420, 300]).drawText(`${text}, page ${page}`, { x: 40, y: 200, size: 18, font });
  }
  return Buffer.from(await document.save({ useObjectStreams: false }));
}

/** A PDF whose cross-reference table and trailer are gone. */
export async function makePdfWithoutTable(): Promise<Buffer> {
  const whole = await makePdf();
  return whole.subarray(0, whole.lastIndexOf('\nxref'));
}

/** A small valid DOCX with some paragraphs. */
export function makeDocx(paragraphs = 40): Buffer {
  const body = Array.from(
    { length: paragraphs },
    (_, index) => `<w:p><w:r><w:t>Paragraph ${index + 1} of the harbour log.</w:t></w:r></w:p>`,
  ).join('');
  const files = {
    '[Content_Types].xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}<w:sectPr/></w:body></w:document>`,
  };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));
}

/** A DOCX that lost its central directory: the end of the file is cut off. */
export function makeDocxWithoutDirectory(): Buffer {
  const whole = makeDocx();
  return whole.subarray(0, whole.indexOf(Buffer.from('PK\u0001\u0002', 'latin1')));
}
