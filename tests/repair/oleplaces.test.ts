import CFB from 'cfb';
import { describe, expect, it } from 'vitest';
import { nothingToldYet } from '../../lib/repair/families/document';
import { biff, readRecords, writeRecord } from '../../lib/repair/formats/ole/biff';
import { documentText } from '../../lib/repair/formats/ole/doc';
import { wordClass, writePlainDocument } from '../../lib/repair/formats/ole/docwrite';
import { oddLetters } from '../../lib/repair/formats/ole/oddletters';
import { writeSharedStrings } from '../../lib/repair/formats/ole/sharedstrings';
import { writeOle } from '../../lib/repair/formats/ole/write';
import { rebuildWorkbook } from '../../lib/repair/formats/ole/xls';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

const syllables = 'ва ве ви во га ге ги го да де ди до за зе зи зо ка ке ки ко ла ле ли ло ма ме ми мо'.split(' ');

/** Paragraphs in a script that takes two bytes a letter, whose bytes exchanged are letters of others. */
function paragraphs(count: number): string {
  const random = randomFrom(9);
  const pick = () => syllables[Math.floor(random() * syllables.length)] ?? '';
  const word = () => Array.from({ length: 2 + Math.floor(random() * 3) }, pick).join('');
  return Array.from({ length: count }, () => Array.from({ length: 30 }, word).join(' ')).join('\r');
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

function wordsIn(file: Buffer): string[] {
  const container = CFB.read(file, { type: 'buffer' });
  const stream = (name: string) => Buffer.from((CFB.find(container, `/${name}`)?.content ?? []) as Uint8Array);
  const document = stream('WordDocument');
  return wordsOf(documentText(document, stream(document.readUInt16LE(10) & 0x200 ? '1Table' : '0Table')) ?? '');
}

describe('a Word document in which bytes were lost or put in', () => {
  const text = paragraphs(120);
  const known = new Set(wordsOf(text));
  const whole = writeOle(writePlainDocument(text), wordClass);
  const begin = whole.indexOf(Buffer.from(text.slice(0, 20), 'utf16le'));

  it.each([
    ['a byte is lost', 0.2, -1],
    ['a byte is lost', 0.7, -1],
    ['three bytes are put in', 0.3, 3],
    ['700 bytes are lost', 0.5, -700],
  ])('has no words of other scripts where %s, at %d of its text', async (_, share, change) => {
    const at = begin + Math.floor(text.length * 2 * share);
    const added = Buffer.from([1, 77, 200]).subarray(0, Math.max(0, change));
    const bad = Buffer.concat([whole.subarray(0, at), added, whole.subarray(at - Math.min(0, change))]);
    const { output } = await repairBytes(bad, 'letter.doc');
    const words = wordsIn(output ?? whole);
    expect(words.length).toBeGreaterThan(wordsOf(text).length * 0.9);
    expect(words.filter((word) => !known.has(word)).length).toBeLessThan(6);
  });
});

describe('letters that are odd in a text', () => {
  it('are those of blocks that it hardly uses', () => {
    expect(oddLetters('the harbour light '.repeat(40))).toBe(0);
    expect(oddLetters(`${'the harbour light '.repeat(40)}\u4e04\u3d04`)).toBe(2);
  });
});

describe('a workbook with a record among its cells that asks for a password', () => {
  it('loses it, as readers think that all is encrypted', () => {
    const beginning = (kind: number) => {
      const data = Buffer.from('00060500bb0dcc07c100000006030000', 'hex');
      data.writeUInt16LE(kind, 2);
      return writeRecord(biff.beginning, data);
    };
    const cell = (row: number) => {
      const data = Buffer.alloc(10);
      data.writeUInt16LE(row, 0);
      data.writeUInt32LE(row, 6);
      return writeRecord(biff.labelSst, data);
    };
    const end = writeRecord(biff.eof, Buffer.alloc(0));
    const texts = Array.from({ length: 40 }, (_, row) => `keeper ${row} of the light`);
    const password = writeRecord(biff.filePass, Buffer.alloc(6));
    const cells = texts.map((_, row) => cell(row));
    const book = Buffer.concat([
      beginning(5),
      writeRecord(biff.xf, Buffer.alloc(20)),
      writeSharedStrings(texts, 40),
      password,
      end,
      beginning(0x10),
      ...cells.slice(0, 20),
      password,
      ...cells.slice(20),
      end,
    ]);
    const { records } = readRecords(rebuildWorkbook(book, nothingToldYet()) ?? Buffer.alloc(0));
    expect(records.filter(({ type }) => type === biff.filePass)).toHaveLength(0);
    expect(records.filter(({ type }) => type === biff.labelSst)).toHaveLength(40);
  });
});
