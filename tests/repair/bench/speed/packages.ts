import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { jpegPictures } from './pictures';
import { Prose } from './prose';

type Parts = Record<string, Uint8Array>;

/** How much a document holds: paragraphs, rows or slides, and pictures. */
type Amount = { texts: number; pictures: number };

const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationsHead =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">';

/** The parts of a frozen original, which bring styles, themes and layouts as a program wrote them. */
const partsOf = (name: string): Parts =>
  unzipSync(gunzipSync(readFileSync(join(process.cwd(), 'tests/repair/fixtures', `${name}.gz`))));

const textOf = (parts: Parts, path: string) => Buffer.from(parts[path] ?? []).toString('utf8');

function change(parts: Parts, path: string, from: string | RegExp, to: string): void {
  parts[path] = strToU8(textOf(parts, path).replace(from, () => to));
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`;

/** As office programs pack: text deflated, pictures stored. */
function packed(parts: Parts): Buffer {
  const files = Object.entries(parts).map(([path, data]): [string, [Uint8Array, { level: 0 | 6 }]] => [
    path,
    [data, { level: path.endsWith('.jpeg') ? 0 : 6 }],
  ]);
  return Buffer.from(zipSync(Object.fromEntries(files)));
}

const drawing = (id: string, number: number) =>
  `<w:p><w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="5400000" cy="4050000"/><wp:docPr id="${number}" name="Picture ${number}"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="${number}" name="image${number}.jpeg"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="5400000" cy="4050000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

/** A Word document on the styles of one by the library docx. */
export async function docx({ texts, pictures }: Amount): Promise<Buffer> {
  const parts = partsOf('docx-letter.docx');
  const prose = new Prose(1);
  const images = await jpegPictures(pictures);
  const paragraphs = Array.from({ length: texts }, (_, index) => {
    const style =
      index % 12 === 0 ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : '<w:pPr><w:spacing w:after="120"/></w:pPr>';
    const runs = [prose.paragraph(), prose.sentence()].map(
      (text, run) =>
        `<w:r><w:rPr>${run === 1 ? '<w:b/><w:bCs/>' : ''}<w:lang w:val="en-US"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`,
    );
    return `<w:p>${style}${runs.join('')}</w:p>`;
  });
  const every = Math.ceil(texts / Math.max(1, pictures));
  for (const [index, image] of images.entries()) {
    parts[`word/media/image${index + 1}.jpeg`] = image;
    paragraphs.splice(
      (images.length - 1 - index) * every,
      0,
      drawing(`rId9${images.length - index}`, images.length - index),
    );
  }
  change(parts, 'word/document.xml', '<w:body>', `<w:body>${paragraphs.join('')}`);
  const links = images.map((_, index) => relation(`rId9${index + 1}`, 'image', `media/image${index + 1}.jpeg`));
  change(parts, 'word/_rels/document.xml.rels', '</Relationships>', `${links.join('')}</Relationships>`);
  if (!textOf(parts, '[Content_Types].xml').includes('"jpeg"'))
    change(parts, '[Content_Types].xml', '<Override', '<Default Extension="jpeg" ContentType="image/jpeg"/><Override');
  return packed(parts);
}

const columns = ['A', 'B', 'C', 'D', 'E', 'F'];

/** An Excel workbook of three sheets on the styles of one by LibreOffice. */
export async function xlsx({ texts, pictures }: Amount): Promise<Buffer> {
  const parts = partsOf('libreoffice-table.xlsx');
  const prose = new Prose(2);
  const images = await jpegPictures(pictures);
  const strings = Array.from({ length: Math.ceil(texts / 2) }, () => prose.words(1 + prose.number(6)));
  const items = strings.map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join('');
  parts['xl/sharedStrings.xml'] = strToU8(
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" count="${texts * 3}" uniqueCount="${strings.length}">${items}</sst>`,
  );
  const first = textOf(parts, 'xl/worksheets/sheet1.xml');
  for (let sheet = 1; sheet <= 3; sheet++) {
    const rows = Array.from({ length: Math.ceil(texts / 3) }, (_, row) => {
      const cells = columns.map((column, index) =>
        index < 3
          ? `<c r="${column}${row + 1}" s="0" t="s"><v>${prose.number(strings.length)}</v></c>`
          : `<c r="${column}${row + 1}" s="0" t="n"><v>${prose.number(10_000_000) / 100}</v></c>`,
      );
      return `<row r="${row + 1}" customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false">${cells.join('')}</row>`;
    });
    const extent = `<dimension ref="A1:F${rows.length}"/>`;
    const body = `<sheetData>${rows.join('')}</sheetData>`;
    let xml = first.replace(/<sheetData>.*<\/sheetData>/s, () => body).replace(/<dimension[^>]*>/, extent);
    if (sheet === 1 && images.length > 0) xml = xml.replace('</worksheet>', '<drawing r:id="rId1"/></worksheet>');
    parts[`xl/worksheets/sheet${sheet}.xml`] = strToU8(xml);
  }
  const sheets = [2, 3].map(
    (sheet) => `<sheet name="table${sheet}" sheetId="${sheet}" state="visible" r:id="rId8${sheet}"/>`,
  );
  change(parts, 'xl/workbook.xml', '</sheets>', `${sheets.join('')}</sheets>`);
  const links = [2, 3].map((sheet) => relation(`rId8${sheet}`, 'worksheet', `worksheets/sheet${sheet}.xml`));
  change(parts, 'xl/_rels/workbook.xml.rels', '</Relationships>', `${links.join('')}</Relationships>`);
  const overrides = [2, 3].map(
    (sheet) =>
      `<Override PartName="/xl/worksheets/sheet${sheet}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
  );
  if (images.length > 0) overrides.push(...drawPictures(parts, images));
  change(parts, '[Content_Types].xml', '</Types>', `${overrides.join('')}</Types>`);
  return packed(parts);
}

/** Puts the pictures onto the first sheet; the entries for the table of content types. */
function drawPictures(parts: Parts, images: readonly Buffer[]): string[] {
  const anchors = images.map(
    (_, index) =>
      `<xdr:twoCellAnchor><xdr:from><xdr:col>8</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${index * 20}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>14</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${index * 20 + 18}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${index + 1}" name="Picture ${index + 1}"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${index + 1}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:twoCellAnchor>`,
  );
  parts['xl/drawings/drawing1.xml'] = strToU8(
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${types}">${anchors.join('')}</xdr:wsDr>`,
  );
  const links = images.map((_, index) => relation(`rId${index + 1}`, 'image', `../media/image${index + 1}.jpeg`));
  parts['xl/drawings/_rels/drawing1.xml.rels'] = strToU8(`${relationsHead}${links.join('')}</Relationships>`);
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = strToU8(
    `${relationsHead}${relation('rId1', 'drawing', '../drawings/drawing1.xml')}</Relationships>`,
  );
  for (const [index, image] of images.entries()) parts[`xl/media/image${index + 1}.jpeg`] = image;
  return [
    '<Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>',
  ];
}

const slidePicture =
  '<p:pic><p:nvPicPr><p:cNvPr id="9" name="Picture"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rId9"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="5000000" y="900000"/><a:ext cx="3600000" cy="2700000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>';

/** A PowerPoint presentation on the layouts of one by LibreOffice. */
export async function pptx({ texts, pictures }: Amount): Promise<Buffer> {
  const parts = partsOf('libreoffice-slides.pptx');
  const prose = new Prose(3);
  const images = await jpegPictures(pictures);
  const model = textOf(parts, 'ppt/slides/slide1.xml');
  const modelLinks = textOf(parts, 'ppt/slides/_rels/slide1.xml.rels');
  const [ids, links, overrides]: string[][] = [[], [], []];
  for (let slide = 1; slide <= texts; slide++) {
    let xml = model.replace(/<a:t>[^<]*<\/a:t>/g, () => `<a:t>${prose.paragraph(4)}</a:t>`);
    let slideLinks = modelLinks;
    if (slide <= images.length) {
      xml = xml.replace('</p:spTree>', `${slidePicture}</p:spTree>`);
      slideLinks = slideLinks.replace(
        '</Relationships>',
        `${relation('rId9', 'image', `../media/image${slide}.jpeg`)}</Relationships>`,
      );
      parts[`ppt/media/image${slide}.jpeg`] = images[slide - 1] ?? Buffer.alloc(0);
    }
    const isNew = parts[`ppt/slides/slide${slide}.xml`] === undefined;
    parts[`ppt/slides/slide${slide}.xml`] = strToU8(xml);
    parts[`ppt/slides/_rels/slide${slide}.xml.rels`] = strToU8(slideLinks);
    if (!isNew) continue;
    ids?.push(`<p:sldId id="${1000 + slide}" r:id="rId9${slide}"/>`);
    links?.push(relation(`rId9${slide}`, 'slide', `slides/slide${slide}.xml`));
    overrides?.push(
      `<Override PartName="/ppt/slides/slide${slide}.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.slide+xml"/>`,
    );
  }
  change(parts, 'ppt/presentation.xml', '</p:sldIdLst>', `${ids?.join('')}</p:sldIdLst>`);
  change(parts, 'ppt/_rels/presentation.xml.rels', '</Relationships>', `${links?.join('')}</Relationships>`);
  change(parts, '[Content_Types].xml', '</Types>', `${overrides?.join('')}</Types>`);
  return packed(parts);
}
