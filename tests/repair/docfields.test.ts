import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import CFB from 'cfb';
import { describe, expect, it } from 'vitest';
import { writeOle } from '../../lib/repair/formats/ole/write';
import { repairBytes } from './support/run';

const letter = gunzipSync(readFileSync('tests/repair/fixtures/libreoffice-letter.doc.gz'));

/** Marks that begin, part and end a field ([MS-DOC] 2.8.25). */
const marks = [0x13, 0x14, 0x15];
/** Where the header names the list of fields and the piece table (2.5.6), and the places of the marks among the characters of the text. */
const [fieldList, pieceTable] = [0x11a, 0x1a2];
const places = [3, 9, 20, 40, 45, 60];

/** The letter with two fields in its text, of which `gone` marks are overwritten by letters. */
function withFields(gone: number): Buffer {
  const container = CFB.read(letter, { type: 'buffer' });
  const stream = (name: string) => Buffer.from((CFB.find(container, `/${name}`)?.content ?? []) as Uint8Array);
  const document = stream('WordDocument');
  const name = document.readUInt16LE(10) & 0x200 ? '1Table' : '0Table';
  const table = stream(name);
  const list = Buffer.alloc((places.length + 1) * 4 + places.length * 2);
  const pieces = document.readUInt32LE(pieceTable);
  // One piece: the mark of the table, its length, two places, and what tells where the text lies, in units of one byte or of two.
  const place = table.readUInt32LE(pieces + 5 + 8 + 2);
  const isNarrow = (place & 0x40000000) !== 0;
  const start = isNarrow ? (place & 0x3fffffff) >> 1 : place;
  for (const [index, at] of places.entries()) {
    const mark = marks[index % marks.length] ?? 0;
    list.writeUInt32LE(at, index * 4);
    list.writeUInt8(mark, (places.length + 1) * 4 + index * 2);
    const shown = index < gone ? 0x78 : mark;
    if (isNarrow) document.writeUInt8(shown, start + at);
    else document.writeUInt16LE(shown, start + at * 2);
  }
  list.writeUInt32LE(1000, places.length * 4);
  document.writeUInt32LE(table.length, fieldList);
  document.writeUInt32LE(list.length, fieldList + 4);
  return writeOle(
    [
      { path: ['WordDocument'], data: document },
      { path: [name], data: Buffer.concat([table, list]) },
    ],
    null,
  );
}

const streamOf = (bytes: Buffer) =>
  Buffer.from((CFB.find(CFB.read(bytes, { type: 'buffer' }), '/WordDocument')?.content ?? []) as Uint8Array);

describe('marks of fields that the list of fields has elsewhere', () => {
  it('show that text was overwritten, and go back', async () => {
    const whole = withFields(0);
    expect((await repairBytes(whole, 'letter.doc')).report).toMatchObject({ verdict: 'healthy', found: [] });
    const { report, output } = await repairBytes(withFields(2), 'letter.doc');
    expect(report).toMatchObject({ verdict: 'partly', found: [{ kind: 'text' }], lost: [{ count: 2 }] });
    expect(streamOf(output ?? letter).equals(streamOf(whole))).toBe(true);
  });

  it('say nothing where the list is not of this text', async () => {
    expect((await repairBytes(withFields(4), 'letter.doc')).report).toMatchObject({ verdict: 'healthy', found: [] });
  });
});
