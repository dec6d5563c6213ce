import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';

const name = 'libreoffice-slides.ppt';
const whole = () => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));

/** Where the first directory entry, the root, stands; its links lie 68, 72 and 76 bytes in ([MS-CFB] 2.2 and 2.6.1). */
const root = (bytes: Buffer) => (bytes.readUInt32LE(48) + 1) * 512;

/** The entry that the root leads to (2.6.4). */
const first = (bytes: Buffer) => root(bytes) + bytes.readInt32LE(root(bytes) + 76) * 128;

const wrong: [string, (bytes: Buffer) => void][] = [
  ['says that it is of another version', (bytes) => bytes.writeUInt16LE(2, 26)],
  ['has another size of short sectors', (bytes) => bytes.writeUInt16LE(7, 32)],
  ['cuts streams of another size into short sectors', (bytes) => bytes.writeUInt32LE(0, 56)],
  ['counts more tables than it lists', (bytes) => bytes.writeUInt32LE(0xffffffff, 44)],
  ['counts lists of tables that are not there', (bytes) => bytes.writeUInt32LE(0xffffffff, 72)],
  ['has a sibling of its root', (bytes) => bytes.writeInt32LE(0, root(bytes) + 72)],
  ['names tables that no file of its length has', (bytes) => bytes.writeUInt32LE(0x88da5e04, 68)],
  [
    'has a root that ends inside of a piece',
    (bytes) => bytes.writeUInt32LE(bytes.readUInt32LE(root(bytes) + 120) + 1, root(bytes) + 120),
  ],
  ['leads from its first name back to the root', (bytes) => bytes.writeInt32LE(0, first(bytes) + 68)],
  [
    'leads to a name from two others',
    (bytes) => bytes.writeInt32LE(bytes.readInt32LE(first(bytes) + 72), first(bytes) + 68),
  ],
  ['has a root that leads to itself', (bytes) => bytes.writeInt32LE(0, root(bytes) + 76)],
];

describe('a compound file that', () => {
  it.each(wrong)('%s is mended', async (_, damage) => {
    const bad = whole();
    damage(bad);
    const { report, output } = await repairBytes(bad, name);
    expect(report.verdict).toBe('repaired');
    const again = await repairBytes(output ?? Buffer.alloc(0), name);
    expect(again.report.verdict).toBe('healthy');
    expect(again.report.kept).toEqual((await repairBytes(whole(), name)).report.kept);
  });
});

describe('the counts of a Word document', () => {
  const letter = () => gunzipSync(readFileSync('tests/repair/fixtures/libreoffice-letter.doc.gz'));
  /** Where this writer lays the document, which it marks so ([MS-DOC] 2.5.2). */
  const head = letter().indexOf(Buffer.from([0xec, 0xa5]));

  it.each([
    ['of its text are too high', 76, 0x7fffffff],
    ['of its text are too low', 76, 5],
    ['of its text are below zero', 76, -1],
    ['of its footnotes are not zero', 80, 77],
    ['of its headers are below zero', 84, -2],
  ])('%s, and are set right', async (_, at, count) => {
    const bad = letter();
    bad.writeInt32LE(count, head + at);
    const { report, output } = await repairBytes(bad, 'letter.doc');
    expect(report.verdict, report.summary).toBe('repaired');
    const mended = output ?? Buffer.alloc(0);
    const written = mended.indexOf(Buffer.from([0xec, 0xa5]));
    expect(mended.subarray(written + 76, written + 108)).toEqual(letter().subarray(head + 76, head + 108));
  });
});
