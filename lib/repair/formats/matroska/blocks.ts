import type { Source } from '../../video/source';
import type { Walk } from './walk';

const oneBit = (value: number) => value !== 0 && (value & (value - 1)) === 0;

/** Blocks whose heads were set right, and blocks of no track, for which nothing was found. */
export type MendedBlocks = { mended: number; stray: number };

/**
 * Sets heads of blocks right in which a single bit makes them blocks of a track that there is none of, or of several frames where all
 * others of the track hold one (RFC 9559, 10.2): players drop such a block with all that follows in its cluster.
 */
export function mendBlocks(source: Source, walk: Walk, tracks: ReadonlySet<number>): MendedBlocks {
  const blocks = walk.clusters.flatMap((cluster) => cluster.blocks);
  const found: MendedBlocks = { mended: 0, stray: 0 };
  const laced = new Map<number, { all: number; laced: number }>();
  for (const { track, lacing } of blocks) {
    const count = laced.get(track) ?? { all: 0, laced: 0 };
    laced.set(track, { all: count.all + 1, laced: count.laced + (lacing > 0 ? 1 : 0) });
  }
  for (const block of blocks) {
    if (!tracks.has(block.track)) {
      const near = [...tracks].filter((track) => track < 128 && oneBit(track ^ block.track));
      const [only] = near;
      if (only === undefined || near.length > 1 || block.track > 127) {
        found.stray++;
        continue;
      }
      source.mend(block.data - 4, 0x80 | only);
      block.track = only;
      found.mended++;
    }
    const count = laced.get(block.track);
    if (block.lacing > 0 && count && count.laced * 20 < count.all) {
      source.mend(block.data - 1, (source.read(block.data - 1, 1)[0] ?? 0) & ~6);
      block.lacing = 0;
      found.mended++;
    }
  }
  return found;
}
