import { Buffer } from '../../host/bytes';
import type { StreamToWrite } from './write';

/** Class of Word documents, as the root of the file names it. */
export const wordClass = Buffer.from('0609020000000000c000000000000046', 'hex');

/** Where Word begins the text of a document, in bytes of its stream, behind the header. */
const textStart = 0x400;

/** A structure of the table stream and its place in the header's list ([MS-DOC] 2.5.6). */
type TablePart = { index: number; data: Buffer };

/** The mark of the end of a cell; a second one ends the row ([MS-DOC] 2.4.3). Without the formatting of a table readers show neither. */
const cellMark = '\u0007';

/** Writes a plain Word 97 document around a text: one section, one font, one style, paragraphs as the text has them, and rows of tables as lines. */
export function writePlainDocument(text: string): StreamToWrite[] {
  const lines = text.replaceAll(cellMark + cellMark, '\r').replaceAll(cellMark, '\t');
  const body = lines.endsWith('\r') ? lines : `${lines}\r`;
  const characters = Buffer.from(body, 'utf16le');
  const textEnd = textStart + characters.length;
  const firstPage = Math.ceil(textEnd / 512);
  const paragraphs = paragraphPages(body);
  const pages = [characterPage(textEnd), ...paragraphs.pages];
  const document = Buffer.alloc((firstPage + pages.length) * 512);
  characters.copy(document, textStart);
  for (const [index, page] of pages.entries()) page.copy(document, (firstPage + index) * 512);
  const parts: TablePart[] = [
    { index: 1, data: styleSheet() },
    { index: 6, data: sections(body.length) },
    { index: 12, data: pageTable([textStart, textEnd], [firstPage]) },
    {
      index: 13,
      data: pageTable(
        paragraphs.edges,
        paragraphs.pages.map((_, index) => firstPage + 1 + index),
      ),
    },
    { index: 15, data: fonts() },
    { index: 31, data: properties() },
    { index: 33, data: pieces(body.length) },
  ];
  const table = writeHeader(document, parts, { textEnd, length: body.length });
  return [
    { path: ['WordDocument'], data: document },
    { path: ['1Table'], data: table.length < 4096 ? Buffer.concat([table], 4096) : table },
  ];
}

function writeHeader(
  document: Buffer,
  parts: readonly TablePart[],
  facts: { textEnd: number; length: number },
): Buffer {
  document.writeUInt16LE(0xa5ec, 0);
  document.writeUInt16LE(0x00c1, 2);
  document.writeUInt16LE(0x0409, 6);
  document.writeUInt16LE(0x1200, 10);
  document.writeUInt16LE(0x00bf, 12);
  document.writeUInt32LE(textStart, 24);
  document.writeUInt32LE(facts.textEnd, 28);
  document.writeUInt16LE(14, 32);
  document.writeUInt16LE(22, 62);
  document.writeUInt32LE(document.length, 64);
  document.writeUInt32LE(facts.length, 76);
  document.writeUInt16LE(93, 152);
  const pieces: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    document.writeUInt32LE(offset, 154 + part.index * 8);
    document.writeUInt32LE(part.data.length, 158 + part.index * 8);
    pieces.push(part.data);
    offset += part.data.length;
  }
  return Buffer.concat(pieces);
}

/** One page that gives all characters default formatting (2.9.33). */
function characterPage(textEnd: number): Buffer {
  const page = Buffer.alloc(512);
  page.writeUInt32LE(textStart, 0);
  page.writeUInt32LE(textEnd, 4);
  page[511] = 1;
  return page;
}

/** Pages that name each paragraph's style, at most 28 paragraphs on each (2.9.175), and the text places between the pages. */
function paragraphPages(body: string): { pages: Buffer[]; edges: number[] } {
  const ends: number[] = [];
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code === 13 || code === 12 || code === 7) ends.push(at + 1);
  }
  const pages: Buffer[] = [];
  const edges: number[] = [textStart];
  let start = 0;
  for (let first = 0; first < ends.length; first += 28) {
    const group = ends.slice(first, first + 28);
    const page = Buffer.alloc(512);
    page.writeUInt32LE(textStart + start * 2, 0);
    for (const [index, end] of group.entries()) {
      page.writeUInt32LE(textStart + end * 2, (index + 1) * 4);
      page[(group.length + 1) * 4 + index * 13] = 253;
    }
    // At 506 stands the one description all share: style 0, no further properties.
    page[507] = 1;
    page[511] = group.length;
    pages.push(page);
    start = group.at(-1) ?? start;
    edges.push(textStart + start * 2);
  }
  return { pages, edges };
}

function pageTable(edges: readonly number[], pages: readonly number[]): Buffer {
  const data = Buffer.alloc(edges.length * 4 + pages.length * 4);
  for (const [index, edge] of edges.entries()) data.writeUInt32LE(edge, index * 4);
  for (const [index, page] of pages.entries()) data.writeUInt32LE(page, (edges.length + index) * 4);
  return data;
}

function pieces(length: number): Buffer {
  const data = Buffer.alloc(5 + 16);
  data[0] = 2;
  data.writeUInt32LE(16, 1);
  data.writeUInt32LE(length, 9);
  data.writeUInt32LE(textStart, 15);
  return data;
}

function sections(length: number): Buffer {
  const data = Buffer.alloc(8 + 12);
  data.writeUInt32LE(length, 4);
  data.writeInt32LE(-1, 10);
  return data;
}

function properties(): Buffer {
  const data = Buffer.alloc(500);
  data.writeUInt16LE(720, 10);
  return data;
}

/** A table of one font, Times New Roman (2.9.286). */
function fonts(): Buffer {
  const name = Buffer.from('Times New Roman\0', 'utf16le');
  const entry = Buffer.alloc(40 + name.length);
  entry[0] = entry.length - 1;
  entry[1] = 0x16;
  entry.writeUInt16LE(400, 2);
  name.copy(entry, 40);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(1, 0);
  return Buffer.concat([head, entry]);
}

/** A style sheet with the one style every document needs (2.9.271). */
function styleSheet(): Buffer {
  const info = Buffer.alloc(20);
  info.writeUInt16LE(18, 0);
  info.writeUInt16LE(15, 2);
  info.writeUInt16LE(10, 4);
  info.writeUInt16LE(1, 6);
  info.writeUInt16LE(91, 8);
  info.writeUInt16LE(15, 10);
  const name = Buffer.from('Normal\0', 'utf16le');
  const style = Buffer.alloc(10 + 2 + name.length + 4 + 2);
  style.writeUInt16LE(0xfff1, 2);
  style.writeUInt16LE(2, 4);
  style.writeUInt16LE(style.length, 6);
  style.writeUInt16LE(6, 10);
  name.copy(style, 12);
  style.writeUInt16LE(2, 12 + name.length);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(style.length, 0);
  return Buffer.concat([info, length, style, Buffer.alloc(14 * 2)]);
}
