import type { BandRead } from './bandread';
import { betterFrom, fitSums, likeBefore } from './blockcosts';
import { ownBlock, type Plane } from './planes';

/** Bits before an error in which the damage is looked for, and behind one until codes are read in step again. */
const caution = 6000;
/** Blocks that must be read to the end of the data without an error before their count from the end is trusted. */
const trustedBlocks = 500;
/** What going over from one place of the blocks to another costs, in sample values of misfit. */
const turningPrice = 80;

/** Blocks that damage may make out of nothing. */
const mostGarbage = 32;

/** How many blocks of a damaged band stay where they came, and from which one on they are counted from the end; none are known between. */
export type BandBorders = { until: number; since: number };

/** How blocks of a band fit to their neighbours, as running sums: without it, where they came, and counted from the end. */
type Fits = { none: Float64Array; ahead: Float64Array; behind: Float64Array };

/** Finds where the damage lies in a band of a plane that holds all blocks, of coefficients from `from` on. */
export function settleBand(
  read: BandRead,
  plane: Plane,
  table: Uint16Array,
  from: number,
  isEnded: boolean,
): BandBorders {
  const { bands, length, count, front, piece, errors } = read;
  const blocks = plane.ownAcross * plane.ownDown;
  const own = new Int16Array(64);
  const sums = (index: (block: number) => number) =>
    fitSums(plane, table, blocks, (block) => {
      const at = ownBlock(plane, block);
      own.set(plane.coefficients.subarray(at, at + 64));
      const number = index(block);
      if (number >= 0 && number < count) own.set(bands.subarray(number * length, (number + 1) * length), from);
      return own;
    });
  const shift = blocks - count;
  const first = errors === 0 ? 0 : Math.max(0, piece + shift);
  const fits = {
    none: sums(() => -1),
    ahead: sums((block) => (block < front ? block : -1)),
    behind: sums((block) => (block >= first ? block - shift : -1)),
  };
  return errors === 0 ? turnOf(fits, blocks, count, isEnded) : bordersOf(read, fits, blocks, isEnded);
}

/**
 * Codes that all make sense and are blocks too many or too few: what comes behind the damage is counted from the end, and what lies between has
 * nothing of the band, where that fits clearly better than all of it where it came. Data that only ends too early was right up to its end.
 */
function turnOf({ none, ahead, behind }: Fits, blocks: number, count: number, isEnded: boolean): BandBorders {
  const kept = Math.min(count, blocks);
  if (!isEnded || count === blocks) return { until: kept, since: blocks };
  const costOf = (fit: Float64Array, from: number, to: number) => (fit[to] ?? 0) - (fit[from] ?? 0);
  let best = { until: kept, since: blocks, cost: costOf(ahead, 0, blocks) - turningPrice };
  const missing = Math.max(0, blocks - count);
  // A picture with grain is smoother without its bands, which speaks for nothing.
  const usual = Math.max(0, costOf(ahead, 0, blocks) - costOf(none, 0, blocks)) / blocks;
  for (let since = missing; since < blocks; since++) {
    const rest = costOf(behind, since, blocks);
    for (let until = since - missing; until >= Math.max(0, since - missing - mostGarbage); until--) {
      const cost = costOf(ahead, 0, until) + costOf(none, until, since) + (since - until) * usual + rest;
      if (cost < best.cost) best = { until, since, cost };
    }
  }
  return best;
}

/** The same where codes make no sense somewhere. */
function bordersOf(read: BandRead, { none, ahead, behind }: Fits, blocks: number, isEnded: boolean): BandBorders {
  const { starts, count, front, piece } = read;
  const shift = blocks - count;
  const surely = read.isWiped ? front : lastBefore(starts, front, (starts[front] ?? 0) - caution);
  const sure = Math.min(surely, blocks);
  const until = Math.max(sure, likeBefore(ahead, none, sure, Math.min(front, blocks)));
  const isTrusted = isEnded && count - piece > trustedBlocks;
  const again = isTrusted ? firstBehind(starts, piece, count, (starts[piece] ?? 0) + caution) + shift : blocks;
  const since = Math.max(Math.min(again, betterFrom(behind, none, Math.max(0, piece + shift))), until);
  return { until, since };
}

/** How many blocks begin before a bit of the data. */
function lastBefore(starts: Uint32Array, count: number, bit: number): number {
  let at = count;
  while (at > 0 && (starts[at] ?? 0) > bit) at--;
  return at;
}

/** The first block from `from` on that begins behind a bit of the data. */
function firstBehind(starts: Uint32Array, from: number, count: number, bit: number): number {
  let at = from;
  while (at < count && (starts[at] ?? 0) < bit) at++;
  return at;
}
