import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freeOfTracks, layIntoGaps, liesFree, takenBy } from '../../lib/repair/formats/iso/gaps';
import type { Located } from '../../lib/repair/formats/iso/locate';
import { OpenFile } from '../../lib/repair/host/files';
import { Source } from '../../lib/repair/video/source';

/** A track of one sample of ten bytes in each chunk, at these places. */
function trackAt(...places: number[]): Located {
  const sizes = Uint32Array.from(places, () => 10);
  const chunks = Uint32Array.from(places.keys());
  const track = { sizes, chunks } as unknown as Located['track'];
  return {
    track,
    sizes,
    offsets: Float64Array.from(places),
    states: new Uint8Array(places.length),
    moved: 0,
    judged: false,
  };
}

/** Runs `use` on a source of 300 bytes. */
async function withSource(use: (source: Source) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'repair-'));
  try {
    await writeFile(join(folder, 'input'), Buffer.alloc(300, 1));
    const file = await OpenFile.open(join(folder, 'input'), 'read');
    use(new Source(file));
    await file.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('sound whose chunk offsets are damaged', () => {
  it('is not laid over another sound track that lies where it should', () =>
    withSource((source) => {
      const picture = trackAt(8, 38, 68, 98);
      const other = trackAt(28, 58, 88, 118);
      const damaged = trackAt(18, 7_000_000, 9_000_000, 0);
      const taken = takenBy([picture]);
      expect(liesFree(source, other, taken)).toBe(true);
      expect(liesFree(source, damaged, taken)).toBe(false);
      expect(layIntoGaps(source, damaged, taken, () => freeOfTracks(source, [picture, other]))).toBe(true);
      expect([...damaged.offsets]).toEqual([18, 48, 78, 108]);
    }));
});
