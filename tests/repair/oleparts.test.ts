import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import CFB from 'cfb';
import { describe, expect, it } from 'vitest';
import { nothingToldYet } from '../../lib/repair/families/document';
import { biff, readRecords } from '../../lib/repair/formats/ole/biff';
import { rebuildPresentation } from '../../lib/repair/formats/ole/ppt';
import {
  type PptRecord,
  ppt,
  pptAtom,
  pptContainer,
  pptTexts,
  readPptRecords,
  writePptRecord,
} from '../../lib/repair/formats/ole/pptrecords';
import { findAnchors, lostBefore, shiftBack } from '../../lib/repair/formats/ole/shifts';
import { writeOle } from '../../lib/repair/formats/ole/write';
import { exchanged } from './support/exchanged';
import { randomBytes, randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const original = (name: string) => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));
const files = ['libreoffice-letter.doc', 'libreoffice-table.xls', 'libreoffice-slides.ppt'];
const formatOf = (name: string) => name.slice(-3);

describe('compound files with foreign bytes around them', () => {
  it.each(files)('come back byte for byte when every LF became CRLF: %s', async (name) => {
    const whole = original(name);
    const bad = Buffer.from(whole.toString('latin1').replace(/\n/g, '\r\n'), 'latin1');
    const { report, output } = await repairBytes(bad, name);
    expect(report.verdict).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it.each(files)('lose what stands behind their last sector: %s', async (name) => {
    const whole = original(name);
    const { report, output } = await repairBytes(Buffer.concat([whole, Buffer.alloc(150_000)]), name);
    expect(report.verdict).toBe('repaired');
    expect(await scoreAgainst(formatOf(name), whole, output ?? Buffer.alloc(0))).toBe(1);
    expect(output?.subarray(0, output.length).equals(whole.subarray(0, output.length))).toBe(true);
  });
});

describe('compound files whose first piece changed places with another', () => {
  it.each(files.flatMap((name) => [[name, 512] as const, [name, 4096] as const]))(
    'come back byte for byte: %s, %i bytes',
    async (name, size) => {
      const whole = original(name);
      const bad = exchanged(whole, [[0, Math.floor(whole.length / size / 2)]], size);
      const { report, output } = await repairBytes(bad, name);
      expect(report.verdict).toBe('repaired');
      expect(report.found).toMatchObject([{ kind: 'exchanged' }]);
      expect(output?.equals(whole)).toBe(true);
    },
  );
});

it.each(files)('a compound file with the beginning of a package over its own is still known: %s', async (name) => {
  const other = gunzipSync(readFileSync('tests/repair/fixtures/libreoffice-slides.pptx.gz')).subarray(0, 4096);
  const bad = Buffer.from(original(name));
  other.copy(bad);
  const { report, output } = await repairBytes(bad, name);
  expect(report).toMatchObject({ verdict: 'partly', format: formatOf(name) });
  expect(await scoreAgainst(formatOf(name), original(name), output ?? Buffer.alloc(0))).toBeGreaterThan(0.5);
});

describe('compound files whose sectors moved', () => {
  /** What such files are worth, where a piece in the middle of a record or text cannot be told. */
  const withBytesPutIn: Record<string, number> = { 'libreoffice-letter.doc': 0.9993, 'libreoffice-table.xls': 0.9993 };
  const withBytesMissing: Record<string, number> = {
    'libreoffice-letter.doc': 0.9957,
    'libreoffice-table.xls': 0.9933,
  };

  it.each(files)('are read where the tables expect them when bytes were put in: %s', async (name) => {
    const whole = original(name);
    const at = Math.floor(whole.length * 0.3);
    const bad = Buffer.concat([whole.subarray(0, at), randomBytes(randomFrom(9), 700), whole.subarray(at)]);
    const { report, output } = await repairBytes(bad, name);
    expect(report.found.map(({ kind }) => kind)).toContain('added');
    // What is not put right to the last byte is not called repaired.
    if (withBytesPutIn[name]) expect(report.verdict).toBe('partly');
    expect(await scoreAgainst(formatOf(name), whole, output ?? Buffer.alloc(0))).toBeCloseTo(
      withBytesPutIn[name] ?? 1,
      4,
    );
  });

  it.each(files)('are read where the tables expect them when bytes are missing: %s', async (name) => {
    const whole = original(name);
    const at = Math.floor(whole.length * 0.4);
    const bad = Buffer.concat([whole.subarray(0, at), whole.subarray(at + 77)]);
    const { report, output } = await repairBytes(bad, name);
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst(formatOf(name), whole, output ?? Buffer.alloc(0))).toBeCloseTo(
      withBytesMissing[name] ?? 1,
      4,
    );
  });

  it.each(files)('come back without the beginning of their header: %s', async (name) => {
    const whole = original(name);
    const { output } = await repairBytes(whole.subarray(100), name);
    expect(await scoreAgainst(formatOf(name), whole, output ?? Buffer.alloc(0))).toBe(1);
  });

  it('are left alone where everything is in its place', () => {
    for (const name of files) {
      expect(findAnchors(original(name))).toEqual([]);
      expect(lostBefore(Buffer.concat([Buffer.alloc(512), original(name).subarray(512)]))).toBeNull();
    }
  });

  it('are not taken for moved by an older copy of the directory where the file was cut', () => {
    const [size, sectors, directory] = [512, 60, 59];
    const made = writeOle([{ path: ['WordDocument'], data: Buffer.alloc(5000) }], Buffer.alloc(16));
    const entries = made.subarray((made.readInt32LE(48) + 1) * size, (made.readInt32LE(48) + 2) * size);
    const bytes = Buffer.alloc((sectors + 1) * size, 7);
    made.copy(bytes, 0, 0, size);
    bytes.writeInt32LE(directory, 48);
    bytes.writeUInt32LE(1, 44);
    bytes.writeInt32LE(0, 76);
    const table = bytes.subarray(size, 2 * size).fill(0xff);
    for (let entry = 2; entry < sectors; entry++) table.writeInt32LE(entry + 1 < directory ? entry + 1 : -2, entry * 4);
    table.writeInt32LE(-3, 0);
    for (const place of [1, directory]) entries.copy(bytes, (place + 1) * size);
    expect(findAnchors(bytes)).toEqual([]);
    expect(findAnchors(bytes.subarray(0, bytes.length - 5000)).filter(({ isPiece }) => isPiece)).toMatchObject(
      Array.from({ length: 2 }, () => ({ shift: 0 })),
    );
    // Where as much is really gone, the directory stands where the copy would.
    const gap = Buffer.concat([bytes.subarray(0, 3 * size), bytes.subarray(3 * size + 10 * size)]);
    expect(findAnchors(gap)).toContainEqual({ expected: (directory + 1) * size, shift: -10 * size, isPiece: true });
  });

  it('are not taken for moved by a table that would stand before what is in its place', () => {
    const made = writeOle([{ path: ['Workbook'], data: Buffer.alloc(80_000, 5) }], Buffer.alloc(16));
    const places = [0, 1].map((index) => (made.readInt32LE(76 + index * 4) + 1) * 512);
    const bad = Buffer.from(made);
    // What reads as the second table: free entries, the mark of its own place and some that lead on, over the end of the header.
    const own = places[1] === undefined ? 0 : (places[1] / 512 - 1) % 128;
    bad.fill(0xff, 500, 500 + 512).writeInt32LE(-3, 500 + own * 4);
    bad.fill(0, places[1], (places[1] ?? 0) + 512);
    expect(findAnchors(bad).filter(({ shift }) => shift !== 0)).toEqual([]);
  });

  it('are put together from what is left and zeroes for what is not', () => {
    const bytes = Buffer.from('abcdefgh');
    expect(shiftBack(bytes, [{ at: 3, shift: -2 }]).toString()).toBe('abc\0\0defgh');
    expect(shiftBack(bytes, [{ at: 3, shift: 2 }]).toString()).toBe('abcfgh');
    const both = shiftBack(bytes, [
      { at: 2, shift: -1 },
      { at: 5, shift: 0 },
    ]);
    expect(both.toString()).toBe('ab\0cdfgh');
  });
});

describe('directories of compound files', () => {
  it('are damaged where their chain leads to no sector', async () => {
    const whole = original('libreoffice-letter.doc');
    const bad = Buffer.from(whole);
    const sector = bad.readInt32LE(48);
    const table = (bad.readInt32LE(76 + Math.floor(sector / 128) * 4) + 1) * 512;
    bad.writeInt32LE(100_000, table + (sector % 128) * 4);
    const { report, output } = await repairBytes(bad, 'letter.doc');
    expect(report.verdict).toBe('repaired');
    expect(await scoreAgainst('doc', whole, output ?? Buffer.alloc(0))).toBe(1);
  });
});

/** A slide with one text, a document that lists slides by number with an outline text each, and the object of another program. */
function presentation(
  slides: readonly string[],
  outline: readonly string[],
): { parts: PptRecord[]; document: PptRecord } {
  const entry = (number: number) => {
    const data = Buffer.alloc(20);
    data.writeUInt32LE(number, 0);
    return pptAtom(ppt.slidePersist, data);
  };
  const list = outline.flatMap((text, index) => [
    entry(index + 2),
    pptAtom(ppt.textChars, Buffer.from(text, 'utf16le')),
  ]);
  const document = pptContainer(ppt.document, [
    pptAtom(ppt.documentAtom, Buffer.alloc(40), 1),
    pptContainer(ppt.slideList, list),
  ]);
  const slide = (text: string) =>
    pptContainer(ppt.slide, [
      pptAtom(ppt.slideAtom, Buffer.alloc(24), 2),
      pptAtom(ppt.textBytes, Buffer.from(text, 'latin1')),
      pptAtom(ppt.colours, Buffer.alloc(32), 16),
    ]);
  return { document, parts: [document, ...slides.map(slide), pptAtom(ppt.object, randomBytes(randomFrom(2), 300))] };
}

const stream = (parts: readonly PptRecord[]) => Buffer.concat(parts.map(writePptRecord));
const textsOf = (data: Buffer) => readPptRecords(data, 0, data.length, 50).flatMap(pptTexts);

describe('records of workbooks', () => {
  const whole = original('libreoffice-table.xls');
  const start = whole.indexOf(Buffer.from([0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00]));
  const recordsOf = () => readRecords(whole.subarray(start), false).records;

  it('keep the texts behind a damaged one with their numbers', async () => {
    const table = recordsOf().find(({ type }) => type === biff.sst);
    const bad = Buffer.from(whole);
    // The length of a text near the beginning of the table becomes far too large.
    bad.writeUInt16LE(0x7fff, start + (table?.offset ?? 0) + 12);
    const { report, output } = await repairBytes(bad, 'table.xls');
    expect(report.verdict).toBe('partly');
    expect(report.lost).toContainEqual(expect.objectContaining({ unit: 'texts' }));
    expect(await scoreAgainst('xls', whole, output ?? Buffer.alloc(0))).toBeCloseTo(0.99733, 5);
  });

  it('come out behind a length that swallows them', async () => {
    const records = recordsOf();
    const cells = records.filter(({ type }) => type === biff.labelSst);
    const bad = Buffer.from(whole);
    bad.writeUInt16LE(3000, start + (cells[40]?.offset ?? 0) + 2);
    const { report, output } = await repairBytes(bad, 'table.xls');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('xls', whole, output ?? Buffer.alloc(0))).toBeCloseTo(0.99933, 5);
  });

  it('make a sheet where the beginning of the workbook is lost', async () => {
    const bad = Buffer.from(whole);
    const sheets = recordsOf().filter(({ type }) => type === biff.beginning);
    bad.fill(0, start, start + (sheets[1]?.offset ?? 0) + 20);
    const { report, output } = await repairBytes(bad, 'table.xls');
    expect(report.verdict).toBe('partly');
    expect(await scoreAgainst('xls', whole, output ?? Buffer.alloc(0))).toBeCloseTo(1 / 3, 5);
  });
});

describe('presentations without their list of places', () => {
  it('keep older edits and objects of other programs', () => {
    const { parts } = presentation(['alpha', 'beta'], ['one', 'two']);
    const older = stream([pptContainer(ppt.slide, [pptAtom(ppt.textBytes, Buffer.from('gamma'))])]);
    const rebuilt = rebuildPresentation(Buffer.concat([older, stream(parts)]), 50, nothingToldYet());
    const records = readPptRecords(rebuilt?.document ?? Buffer.alloc(0), 0, rebuilt?.document.length ?? 0, 50);
    expect(records.some(({ type }) => type === ppt.object)).toBe(true);
    expect(textsOf(rebuilt?.document ?? Buffer.alloc(0)).sort()).toEqual(['alpha', 'beta', 'gamma', 'one', 'two']);
  });

  it('make a plain slide of the outline where a slide is lost', () => {
    const { parts } = presentation(['alpha'], ['one', 'two']);
    const told = nothingToldYet();
    const rebuilt = rebuildPresentation(stream(parts), 50, told);
    const records = readPptRecords(rebuilt?.document ?? Buffer.alloc(0), 0, rebuilt?.document.length ?? 0, 50);
    expect(records.filter(({ type }) => type === ppt.slide).map((slide) => pptTexts(slide).join())).toEqual([
      'alpha',
      'two',
    ]);
    expect(told.lost).toContainEqual({ how: 'slides.gone', count: 1 });
  });

  it('get a plain document where theirs is lost', () => {
    const { parts } = presentation(['alpha', 'beta'], ['one', 'two']);
    const told = nothingToldYet();
    const rebuilt = rebuildPresentation(stream(parts.slice(1)), 50, told);
    expect(textsOf(rebuilt?.document ?? Buffer.alloc(0))).toEqual(['alpha', 'beta']);
    expect(told.lost).not.toEqual([]);
  });

  it('are read on behind bytes that are no record, and say so', () => {
    const { parts } = presentation(['alpha'], ['one', 'two', 'three', 'four']);
    const data = stream(parts);
    const at = data.indexOf(Buffer.from('two', 'utf16le')) - 8;
    data.fill(0xee, at, at + 8);
    const found = { gaps: 0, blank: 0 };
    const texts = readPptRecords(data, 0, data.length, 50, found).flatMap(pptTexts);
    expect(found.gaps).toBe(1);
    expect(texts).toEqual(['one', 'three', 'four', 'alpha']);
  });
});

describe('streams beside the content', () => {
  it('keep the pictures before the end of a cut presentation, and say what is lost', async () => {
    const whole = original('libreoffice-slides.ppt');
    const container = CFB.read(whole, { type: 'buffer' });
    const streamOf = (name: string) => Buffer.from((CFB.find(container, `/${name}`)?.content ?? []) as Uint8Array);
    const picture = Buffer.alloc(6000 + 8, 0x55);
    picture.writeUInt16LE(0x6e00, 0);
    picture.writeUInt16LE(0xf01e, 2);
    picture.writeUInt32LE(6000, 4);
    const bytes = writeOle(
      [
        { path: ['PowerPoint Document'], data: streamOf('PowerPoint Document') },
        { path: ['Current User'], data: streamOf('Current User') },
        { path: ['Pictures'], data: Buffer.concat([picture, picture]) },
      ],
      null,
    );
    expect((await repairBytes(bytes, 'slides.ppt')).report.verdict).toBe('healthy');
    const bad = Buffer.from(bytes);
    const name = Buffer.from('Pictures\0', 'utf16le');
    // A stream that claims more than its chain holds is cut.
    bad.writeUInt32LE(40_000, bad.indexOf(name) + 120);
    const { report } = await repairBytes(bad, 'slides.ppt');
    expect(report.verdict).toBe('partly');
    expect(report.lost.map(({ detail }) => detail).join()).toContain('Pictures');
    expect(report.kept).toContainEqual(expect.objectContaining({ unit: 'pictures', count: 2 }));
  });
});
