import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Buffer } from '../../lib/repair/host/bytes';
import { OpenFile } from '../../lib/repair/host/files';
import { Source } from '../../lib/repair/video/source';
import { repairBytes } from './support/run';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mendara-empty-'));
});
afterAll(() => rm(folder, { recursive: true }));

const MB = 1 << 20;

async function sourceOf(bytes: Buffer): Promise<{ source: Source; reads: () => number; close: () => Promise<void> }> {
  const path = join(folder, `${Math.random()}`);
  await writeFile(path, bytes);
  const file = await OpenFile.open(path, 'read');
  const read = vi.spyOn(file, 'read');
  return { source: new Source(file), reads: () => read.mock.calls.length, close: async () => file.close() };
}

describe('a search through a file', () => {
  it('reads what it has read already from memory, however often it stops', async () => {
    const { source, reads, close } = await sourceOf(Buffer.alloc(4 * MB));
    const zeros = Buffer.from([0, 0]);
    let stops = 0;
    for (let at = source.find(zeros, 0); at >= 0 && stops < 3 * MB; at = source.find(zeros, at + 1)) stops += 1;
    expect(stops).toBe(3 * MB);
    expect(reads()).toBeLessThanOrEqual(8);
    await close();
  });

  it('finds across the edge of its window, at the end and at the limit, and not beyond', async () => {
    const bytes = Buffer.alloc(3 * MB, 1);
    const needle = Buffer.from([7, 8, 9]);
    for (const place of [0, MB - 2, MB - 1, MB, 2 * MB - 1, 3 * MB - 3]) {
      bytes.fill(1);
      needle.copy(bytes, place);
      const { source, close } = await sourceOf(bytes);
      source.read(5, 10);
      expect(source.find(needle, 0)).toBe(place);
      expect(source.find(needle, place)).toBe(place);
      expect(source.find(needle, place + 1)).toBe(-1);
      expect(source.find(needle, 0, place + 3)).toBe(place);
      expect(source.find(needle, 0, place + 2)).toBe(-1);
      await close();
    }
  });

  it('finds what is not empty', async () => {
    const bytes = Buffer.alloc(3 * MB);
    bytes[2 * MB + 5] = 1;
    const { source, close } = await sourceOf(bytes);
    expect(source.findNonZero(0)).toBe(2 * MB + 5);
    expect(source.findNonZero(2 * MB + 6)).toBe(-1);
    expect(source.findNonZero(0, 2 * MB + 5)).toBe(-1);
    await close();
  });
});

it('a video that is nothing but empty space is given up without being read again and again', async () => {
  const head = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');
  const read = vi.spyOn(OpenFile.prototype, 'read');
  const { report } = await repairBytes(Buffer.concat([head, Buffer.alloc(24 * MB)]), 'empty.mp4', { type: 17 });
  expect(report.verdict).toBe('unrepairable');
  const bytes = read.mock.calls.reduce((all, [buffer]) => all + buffer.length, 0);
  expect(bytes / (24 * MB)).toBeLessThan(40);
  read.mockRestore();
});
