import type { Source } from '../../video/source';
import { unlaced } from './frames';
import type { Block, Walk } from './walk';

const oneBit = (value: number) => value !== 0 && (value & (value - 1)) === 0;

/** Blocks whose heads were set right, and blocks of no track, for which nothing was found. */
export type MendedBlocks = { mended: number; stray: number };

/** Lacing of frames of one size (RFC 9559, 10.3.5), and the most of them in a block. */
const [even, mostLaced] = [2, 256];

/**
 * Sets the number of frames right in blocks that do not hold as many of one size, where all others of the track hold frames of one size and
 * the block some of that; players drop such a block with what follows. Returns of how many.
 */
function mendCounts(source: Source, blocks: readonly Block[]): number {
  const sizes = new Map<number, number>();
  const broken: Block[] = [];
  for (const block of blocks) {
    if (block.lacing !== even) continue;
    const [first] = unlaced(source, block);
    const size = first ? first[1] - first[0] : 0;
    if (!first) broken.push(block);
    else if ((sizes.get(block.track) ?? size) === size) sizes.set(block.track, size);
    else sizes.set(block.track, -1);
  }
  let mended = 0;
  for (const { track, data, dataEnd } of broken) {
    const count = (dataEnd - data - 1) / (sizes.get(track) ?? -1);
    if (!Number.isInteger(count) || count < 1 || count > mostLaced) continue;
    source.mend(data, count - 1);
    mended++;
  }
  return mended;
}

/** Frames that programs put into one block at most. */
const usuallyLaced = 8;

/** Whether a block holds frames as its head says, and so few as programs lace: what one frame begins with reads as other numbers of them. */
function isLaced(source: Source, block: Block): boolean {
  const frames = unlaced(source, block).length;
  return frames > 1 && frames <= usuallyLaced;
}

/** Blocks of one wrong number that bits may have made, and up to which share of those of the track that they are given to. */
const made = { count: 2, share: 0.05 };

/**
 * Sets heads of blocks right in which a single bit makes them blocks of a track that there is none of, or of several frames where all
 * others of the track hold one (RFC 9559, 10.2): players drop such a block with all that follows in its cluster. Where many have one number
 * it is that of a track which nothing describes.
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
      const [same, own] = [laced.get(block.track)?.all ?? 0, laced.get(only ?? 0)?.all ?? 0];
      const isTrack = same > made.count && same > own * made.share;
      if (only === undefined || near.length > 1 || block.track > 127 || isTrack) {
        found.stray++;
        continue;
      }
      source.mend(block.data - 4, 0x80 | only);
      block.track = only;
      found.mended++;
    }
    const count = laced.get(block.track);
    if (block.lacing > 0 && count && count.laced * 20 < count.all && !isLaced(source, block)) {
      source.mend(block.data - 1, (source.read(block.data - 1, 1)[0] ?? 0) & ~6);
      block.lacing = 0;
      found.mended++;
    }
  }
  found.mended += mendCounts(source, blocks);
  return found;
}
