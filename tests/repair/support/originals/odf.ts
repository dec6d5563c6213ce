import { strToU8, type Zippable, zipSync } from 'fflate';
import { Prose } from '../../bench/speed/prose';
import { type Original, picture } from './picture';

const spaces = ['office', 'text', 'table', 'style', 'meta'].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
);
const rest =
  'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3"';
const root = (name: string, inside: string) =>
  strToU8(
    `<?xml version="1.0" encoding="UTF-8"?>\n<office:${name} ${spaces.join(' ')} ${rest}>${inside}</office:${name}>`,
  );
const styles =
  '<office:automatic-styles><style:style style:name="P1" style:family="paragraph"><style:text-properties fo:font-size="12pt"/></style:style><style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>';

/** Paragraphs of a letter, with headings, bold words and a picture. */
function letter(prose: Prose): string {
  const paragraphs = Array.from({ length: 60 }, (_, index) => {
    const text = `${prose.sentence()} <text:span text:style-name="T1">${prose.word()}</text:span> ${prose.sentence()}`;
    return index % 8 === 0
      ? `<text:h text:style-name="P1" text:outline-level="1">${prose.words(4)}</text:h><text:p text:style-name="P1">${text}</text:p>`
      : `<text:p text:style-name="P1">${text}</text:p>`;
  });
  const image =
    '<text:p><draw:frame draw:name="one"><draw:image xlink:href="Pictures/one.png" xlink:type="simple"/></draw:frame></text:p>';
  return `<office:text>${paragraphs.join('')}${image}</office:text>`;
}

/** Two tables of words and numbers. */
function tables(prose: Prose): string {
  const cell = (column: number, row: number) =>
    column < 2
      ? `<table:table-cell office:value-type="string"><text:p>${prose.words(2)}</text:p></table:table-cell>`
      : `<table:table-cell office:value-type="float" office:value="${row * column + prose.number(1000)}"><text:p>${row * column}</text:p></table:table-cell>`;
  const row = (index: number) =>
    `<table:table-row>${Array.from({ length: 5 }, (_, column) => cell(column, index)).join('')}</table:table-row>`;
  const table = (name: string) =>
    `<table:table table:name="${name}"><table:table-column table:number-columns-repeated="5"/>${Array.from({ length: 60 }, (_, index) => row(index)).join('')}</table:table>`;
  return `<office:spreadsheet>${table('One')}${table('Two')}</office:spreadsheet>`;
}

const entry = (path: string, type: string) =>
  `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;

async function packed(kind: string, body: string): Promise<Buffer> {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  const png = kind === 'text' ? await picture(160, 120, 71).png().toBuffer() : null;
  const paths = ['content.xml', 'styles.xml', 'meta.xml'].map((path) => entry(path, 'text/xml'));
  const manifest = `<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">${entry('/', type)}${paths.join('')}${png ? entry('Pictures/one.png', 'image/png') : ''}</manifest:manifest>`;
  const parts: Zippable = {
    mimetype: [strToU8(type), { level: 0 }],
    ...(png ? { 'Pictures/one.png': [png, { level: 0 }] } : {}),
    'content.xml': root('document-content', `${styles}<office:body>${body}</office:body>`),
    'styles.xml': root('document-styles', `<office:styles/>${styles}`),
    'meta.xml': root(
      'document-meta',
      '<office:meta><meta:generator>tests</meta:generator><dc:title>Ferry</dc:title></office:meta>',
    ),
    'META-INF/manifest.xml': strToU8(manifest),
  };
  return Buffer.from(zipSync(parts, { level: 6, mtime: new Date(2026, 0, 1) }));
}

/** Valid OpenDocument files, built after the standard (ODF 1.3), as no writer of them is a library here. */
export async function odfs(): Promise<Original[]> {
  const writer = 'built after the standard';
  return [
    { writer, format: 'odt', bytes: await packed('text', letter(new Prose(81))) },
    { writer, format: 'ods', bytes: await packed('spreadsheet', tables(new Prose(82))) },
  ];
}
