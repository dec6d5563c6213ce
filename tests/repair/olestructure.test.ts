import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';

const name = 'libreoffice-slides.ppt';
const whole = () => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));

/** Where the first directory entry, the root, stands; its links lie 68, 72 and 76 bytes in ([MS-CFB] 2.2 and 2.6.1). */
const root = (bytes: Buffer) => (bytes.readUInt32LE(48) + 1) * 512;

const wrong: [string, (bytes: Buffer) => void][] = [
  ['says that it is of another version', (bytes) => bytes.writeUInt16LE(2, 26)],
  ['has another size of short sectors', (bytes) => bytes.writeUInt16LE(7, 32)],
  ['cuts streams of another size into short sectors', (bytes) => bytes.writeUInt32LE(0, 56)],
  ['counts more tables than it lists', (bytes) => bytes.writeUInt32LE(0xffffffff, 44)],
  ['counts lists of tables that are not there', (bytes) => bytes.writeUInt32LE(0xffffffff, 72)],
  ['has a sibling of its root', (bytes) => bytes.writeInt32LE(0, root(bytes) + 72)],
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
