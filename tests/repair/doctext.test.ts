import { describe, expect, it } from 'vitest';
import { piecesByPages, withoutForeign } from '../../lib/repair/formats/ole/docpages';
import { wordClass, writePlainDocument } from '../../lib/repair/formats/ole/docwrite';
import { type Fib, piecesText, readFib } from '../../lib/repair/formats/ole/fib';
import { writeOle } from '../../lib/repair/formats/ole/write';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';

const vocabulary =
  'harbour vessel keeper lantern granite morning weather signal quiet bridge market copper letter window garden table river stone winter paper'.split(
    ' ',
  );

/** Paragraphs of words in no order, short ones and such that quote a tag among them. */
function paragraphs(count: number): string[] {
  const random = randomFrom(5);
  const word = () => vocabulary[Math.floor(random() * vocabulary.length)] ?? '';
  return Array.from({ length: count }, (_, index) => {
    const words = Array.from({ length: index % 5 === 0 ? 4 : 40 }, word).join(' ');
    return index % 7 === 3 ? `${words} as in <a href="x"> of a page` : `${words}.`;
  });
}

const text = paragraphs(120).join('\r');
const document = () => writeOle(writePlainDocument(text), wordClass);
const textAt = (file: Buffer) => file.indexOf(Buffer.from(text.slice(0, 40), 'utf16le'));
const words = (from: string) => from.match(/\w+/g) ?? [];

/** The text of a repaired document, which stands in it in one run. */
function textIn(file: Buffer | null): string {
  const read = file?.toString('utf16le') ?? '';
  return read.match(/[\x20-\x7e\r\n]{200,}/g)?.join(' ') ?? '';
}

describe('marks of lines that part notes from the text, and of columns', () => {
  it('stand in writing', () => {
    const headers = 'Quiet bridge\r\u0003\r\r\u0004\r\r\u0003\r\r\u0004\r\rstone table\u000eriver paper\r';
    const document = Buffer.from(headers, 'latin1');
    const pieces = [{ start: 0, end: headers.length, offset: 0, narrow: true }];
    expect(withoutForeign(document, pieces).overwritten).toBe(0);
  });
});

describe('Word documents whose table of pieces is lost', () => {
  /** A document stream whose text lies in pages of one byte and of two for each character, with a page of formatting between them. */
  function paged(): { document: Buffer; expected: string } {
    const part = (from: number, count: number) => text.slice(from, from + count);
    const parts = [part(0, 512), part(512, 256).replaceAll('e', '\u0451'), part(768, 300)];
    const document = Buffer.alloc(0x400 + 4 * 512);
    (writePlainDocument(text)[0]?.data ?? document).copy(document, 0, 0, 0x400);
    document.write(parts[0] ?? '', 0x400, 'latin1');
    document.write(parts[1] ?? '', 0x600, 'utf16le');
    const formatting = document.subarray(0x800, 0xa00).fill(0);
    for (const [index, place] of [0x400, 0x800, 0xa00, 0xa00 + 300].entries())
      formatting.writeUInt32LE(place, index * 4);
    formatting[511] = 3;
    document.write(parts[2] ?? '', 0xa00, 'latin1');
    document.writeUInt32LE(document.length, 28);
    document.writeUInt32LE(parts.join('').length, 76);
    return { document, expected: parts.join('') };
  }

  it('give it by its pages, each in its width, without older data behind it', () => {
    const { document, expected } = paged();
    const fib = readFib(document);
    const pieces = fib && piecesByPages(document, fib);
    expect(pieces?.map(({ narrow }) => narrow)).toEqual([true, false, true]);
    expect(pieces && piecesText(document, pieces).text).toBe(expected);
  });

  it('are not read so where that makes more characters than there are, or pieces are in no order', () => {
    const { document, expected } = paged();
    const read = (change: (fib: Fib) => Fib) => {
      const fib = readFib(document);
      return fib && piecesByPages(document, change(fib));
    };
    expect(read((fib) => ({ ...fib, counts: [expected.length - 10] }))).toBeNull();
    expect(read((fib) => ({ ...fib, complex: true }))).toBeNull();
  });

  it('come back with all words', async () => {
    const { document, expected } = paged();
    const bytes = writeOle(
      [{ path: ['WordDocument'], data: Buffer.concat([document, Buffer.alloc(4096)]) }],
      wordClass,
    );
    const { report, output } = await repairBytes(bytes, 'letter.doc');
    expect(report.verdict).toBe('partly');
    const container = output ?? Buffer.alloc(0);
    for (const word of new Set(expected.match(/\S{4,}/g)))
      expect(container.includes(Buffer.from(word, 'utf16le'))).toBe(true);
  });
});

describe('Word documents whose directory is lost', () => {
  const bare = (file: Buffer) => {
    const start = (file.readInt32LE(48) + 1) * 512;
    return Buffer.from(file).fill(0, start, start + 512);
  };

  it('tell what is gone of the end of their stream, and the stream of their pictures', async () => {
    const streams = writePlainDocument(`${text}\r\u0001\r`);
    const header = streams[0]?.data ?? Buffer.alloc(0);
    header.writeUInt32LE(header.length + 100_000, 0x40);
    const { report } = await repairBytes(bare(writeOle(streams, wordClass)), 'letter.doc');
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ unit }) => unit)).toEqual(['bytes', 'parts']);
    expect(report.lost[1]?.detail).toBe('Data');
  });

  it('keep their formatting where the header holds a time among its places', async () => {
    const streams = writePlainDocument(text);
    const header = streams[0]?.data ?? Buffer.alloc(0);
    header.writeUInt16LE(93, 152);
    header.writeBigUInt64LE(0x1c8fa0f1f426ec0n, 0x352);
    const { report, output } = await repairBytes(bare(writeOle(streams, wordClass)), 'letter.doc');
    expect(report).toMatchObject({ verdict: 'repaired', lost: [] });
    expect(words(textIn(output))).toEqual(words(text));
  });
});

describe('Word documents whose header is lost', () => {
  it('give their text by the table of its pieces', async () => {
    const bad = document();
    const header = textAt(bad) - 0x400;
    bad.fill(0, header, header + 0x400);
    const { output } = await repairBytes(bad, 'letter.doc');
    expect(textIn(output)).toContain(text.slice(0, 40));
    expect(words(textIn(output))).toEqual(words(text));
  });

  it('give the paragraphs of their text where the table is lost too', async () => {
    const bad = document();
    const [from, to] = [textAt(bad), textAt(bad) + text.length * 2];
    bad.fill(0, from - 0x400, from);
    bad.fill(0, to, bad.length);
    const { output } = await repairBytes(bad, 'letter.doc');
    expect(words(textIn(output)).length).toBeGreaterThan(words(text).length * 0.99);
  });

  it('give no words for bytes that were written over theirs', async () => {
    const bad = document();
    const header = textAt(bad) - 0x400;
    bad.fill('zqforeign words stand here ', header, header + 0x1000);
    const { output } = await repairBytes(bad, 'letter.doc');
    const own = new Set(words(text));
    expect(words(textIn(output)).filter((word) => !own.has(word)).length).toBeLessThan(3);
    expect(output?.includes('zqforeign')).toBe(false);
    expect(textIn(output).length).toBeGreaterThan(text.length * 0.8);
  });
});

describe('a table in a plain document', () => {
  it('keeps the words of its cells apart', () => {
    const [stream] = writePlainDocument('harbour\u0007vessel\u0007\u0007keeper\u0007');
    expect(stream?.data.toString('utf16le')).toContain('harbour\tvessel\rkeeper\t\r');
  });
});

describe('a document whose formatting is read as text', () => {
  it('comes back without stretches of many scripts', async () => {
    const strange = String.fromCharCode(...Array.from({ length: 256 }, (_, at) => 0x0a10 + (at % 16) * 0x121 + at));
    const file = writeOle(writePlainDocument(`${text}\r${strange}\r${text}`), wordClass);
    const broken = Buffer.from(file).fill(0, textAt(file) - 0x400, textAt(file) - 0x200);
    const { output } = await repairBytes(broken, 'letter.doc');
    expect(words(textIn(output)).length).toBeGreaterThanOrEqual(words(text).length * 1.9);
    expect(output?.includes(Buffer.from(strange.slice(100, 110), 'utf16le'))).toBe(false);
  });
});

describe('documents of Word 6 and 95', () => {
  const tail = Buffer.alloc(512, 0x11);

  /** A document stream as Word 95 writes it: the text behind the header, one byte for each character, and tables behind that. */
  function old(): Buffer {
    const document = Buffer.concat([Buffer.alloc(0x300), Buffer.from(text, 'latin1'), tail]);
    for (const [at, value] of [
      [0, 0xa5dc],
      [2, 0x68],
    ] as const)
      document.writeUInt16LE(value, at);
    for (const [at, value] of [
      [24, 0x300],
      [28, 0x300 + text.length],
      [32, document.length],
      [52, text.length],
    ] as const)
      document.writeUInt32LE(value, at);
    return writeOle([{ path: ['WordDocument'], data: document }], wordClass);
  }

  it('are healthy as they are', async () => {
    expect((await repairBytes(old(), 'old.doc')).report.verdict).toBe('healthy');
  });

  it('are told where their text was overwritten, and keep all the rest', async () => {
    const damaged = old();
    const at = damaged.indexOf(Buffer.from(text.slice(0, 40), 'latin1')) + 3000;
    damaged.fill(0, at, at + 600);
    const { report, output } = await repairBytes(damaged, 'old.doc');
    expect(report.verdict).toBe('partly');
    expect(report.lost[0]?.unit).toBe('characters');
    expect(report.lost[0]?.count).toBeGreaterThanOrEqual(600);
    const kept = output?.toString('latin1') ?? '';
    expect(kept).toContain(text.slice(0, 2400));
    expect(kept).toContain(text.slice(4300));
    expect(kept).toContain(tail.toString('latin1'));
  });
});
