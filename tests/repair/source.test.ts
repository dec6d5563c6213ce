import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OpenFile } from '../../lib/repair/host/files';
import { Source } from '../../lib/repair/video/source';

const megabytes = 4;
const content = Buffer.alloc(megabytes << 20, Buffer.from(Array.from({ length: 251 }, (_, index) => index)));

afterEach(() => vi.restoreAllMocks());

/** What reading a file costs: bytes taken from disk while a source of the content is read. */
async function costOf(run: (source: Source) => void): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'source-'));
  await writeFile(join(folder, 'file'), content);
  const file = await OpenFile.open(join(folder, 'file'), 'read');
  try {
    const read = vi.spyOn(file, 'read');
    run(new Source(file));
    return read.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0);
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
}

/** Offsets over the whole file in no order. */
const strewn = Array.from({ length: 2000 }, (_, index) => (index * 2_654_435) % (content.length - 100));

describe('a file that is read through a window', () => {
  it('costs little where it is read backwards, or here and there', async () => {
    const backwards = await costOf((source) => {
      for (let at = content.length - 16; at >= 0; at -= 1000) expect(source.read(at, 16)[0]).toBe(content[at]);
    });
    expect(backwards).toBeLessThan(content.length * 20);
    const here = await costOf((source) => {
      for (const at of strewn) expect(source.copy(at, 40).equals(content.subarray(at, at + 40))).toBe(true);
    });
    expect(here).toBeLessThan(strewn.length * (20 << 10));
  });

  it('reads ahead where it is read from the beginning to the end', async () => {
    let reads = 0;
    const cost = await costOf((source) => {
      const fill = vi.spyOn(OpenFile.prototype, 'read');
      for (let at = 0; at < content.length; at += 64) expect(source.read(at, 64)[0]).toBe(content[at]);
      reads = fill.mock.calls.length;
    });
    expect(cost).toBeLessThan(content.length * 2);
    expect(reads).toBeLessThan(20);
  });

  it('finds what lies across windows, and gives mended bytes wherever it is read from', async () => {
    await costOf((source) => {
      const needle = content.subarray((1 << 20) - 7, (1 << 20) + 300);
      expect(source.find(needle, (1 << 20) - 200)).toBe((1 << 20) - 7);
      expect(source.find(Buffer.from('no such text'), 0)).toBe(-1);
      const places = strewn.slice(0, 300);
      for (const at of places) source.mend(at, 255);
      for (const at of places) expect(source.read(Math.max(0, at - 20_000), 20_050)[Math.min(at, 20_000)]).toBe(255);
      expect(source.copy(0, content.length).filter((byte) => byte === 255)).toHaveLength(places.length);
    });
  });
});
