import type { Source } from '../../../video/source';
import type { Found } from './demux';
import type { Template } from './template';

/** Longest stretch that can be sound, in bytes. */
const longestStretch = 1 << 20;

/** Packets of one stretch at most: the search takes their square in time. */
const mostPackets = 4096;

/** What each packet costs besides its size: a byte is the first one by chance once in 256. */
export const packetCost = ({ deviation }: Pick<NonNullable<Template['packets']>, 'deviation'>): number =>
  Math.log((deviation * Math.sqrt(2 * Math.PI)) / 256);

/**
 * Splits a stretch of packets that carry no length, such as Opus: boundaries lie where a byte equals the packets' usual first byte, and
 * of all ways to choose them the likeliest is taken, packet sizes being spread around their mean. Gives sizes in bytes; the whole
 * stretch where nothing fits.
 */
export function splitPackets(
  bytes: Uint8Array,
  { first, mean, deviation }: NonNullable<Template['packets']>,
): number[] {
  const places: number[] = [0];
  for (let at = 1; at < bytes.length && places.length < mostPackets; at++) if (bytes[at] === first) places.push(at);
  places.push(bytes.length);
  const constant = packetCost({ deviation });
  const cost = new Float64Array(places.length).fill(Number.POSITIVE_INFINITY);
  const before = new Int32Array(places.length).fill(-1);
  cost[0] = 0;
  const longest = mean + 6 * deviation + 16;
  for (let to = 1; to < places.length; to++) {
    for (let from = to - 1; from >= 0; from--) {
      const size = (places[to] ?? 0) - (places[from] ?? 0);
      if (size > longest) break;
      const score = (cost[from] ?? 0) + ((size - mean) / deviation) ** 2 / 2 + constant;
      if (score < (cost[to] ?? 0)) {
        cost[to] = score;
        before[to] = from;
      }
    }
  }
  const sizes: number[] = [];
  for (let at = places.length - 1; at > 0; ) {
    const from = before[at] ?? -1;
    if (from < 0) return [bytes.length];
    sizes.unshift((places[at] ?? 0) - (places[from] ?? 0));
    at = from;
  }
  return sizes;
}

type Packets = NonNullable<Template['packets']>;

/** How much likelier the way that was chosen must be than another to be no guess, in natural logarithms: twenty times. */
const sure = 3;

/** How many borders between these packets of a stretch could as well lie elsewhere between their neighbours. */
function doubtfulBorders(bytes: Uint8Array, sizes: readonly number[], { first, mean, deviation }: Packets): number {
  const off = (size: number) => ((size - mean) / deviation) ** 2 / 2;
  let doubtful = 0;
  let start = 0;
  for (const [index, size] of sizes.slice(0, -1).entries()) {
    const both = size + (sizes[index + 1] ?? 0);
    const chosen = off(size) + off(both - size);
    for (let other = 1; other < both; other++) {
      if (other === size || bytes[start + other] !== first || off(other) + off(both - other) - chosen > sure) continue;
      doubtful++;
      break;
    }
    start += size;
  }
  return doubtful;
}

/** Least deviation of packet sizes that is believed, in bytes, and stretches that are measured. */
const leastDeviation = 3;
const looked = 200;

/** Mean and deviation of the packets that stretches are split into, to split the others by. */
function measured(stretches: readonly Uint8Array[], sizes: Packets): Packets {
  const found = stretches.flatMap((bytes) => splitPackets(bytes, sizes)).sort((left, right) => left - right);
  // The first packets of a recording and silence lie far from the others.
  const middle = found.slice(found.length >> 3, found.length - (found.length >> 3));
  const mean = middle.reduce((sum, size) => sum + size, 0) / Math.max(1, middle.length);
  const variance = middle.reduce((sum, size) => sum + (size - mean) ** 2, 0) / Math.max(1, middle.length);
  return mean > 0 ? { ...sizes, mean, deviation: Math.max(leastDeviation, 2 * Math.sqrt(variance)) } : sizes;
}

/**
 * Packets of a track whose stretches were found between the others. Stretches longer than a mebibyte are no sound and are left out. Gives how
 * many borders were chosen where others are nearly as likely: of two packets beside such a one, one is wrong on the average.
 */
export function splitStretches(source: Source, found: Found, packets: NonNullable<Template['packets']>): number {
  const { offsets, sizes } = found;
  const some = sizes
    .map((size, index) => ({ size, from: offsets[index] ?? 0 }))
    .filter(({ size }) => size <= longestStretch)
    .slice(0, looked)
    .map(({ size, from }) => source.copy(from, size));
  const own = measured(some, packets);
  found.offsets = [];
  found.sizes = [];
  let doubtful = 0;
  for (const [index, offset] of offsets.entries()) {
    const size = sizes[index] ?? 0;
    if (size > longestStretch) continue;
    let at = offset;
    const bytes = source.copy(offset, size);
    const split = splitPackets(bytes, own);
    doubtful += doubtfulBorders(bytes, split, own);
    for (const part of split) {
      found.offsets.push(at);
      found.sizes.push(part);
      at += part;
    }
  }
  found.keys = found.sizes.map(() => 1);
  return doubtful;
}

/** Cuts stretches of PCM to whole frames of `block` bytes, and drops those without one. */
export function wholeFrames(found: Found, block: number): void {
  const kept = found.sizes.map((size) => size - (size % block));
  found.offsets = found.offsets.filter((_, index) => (kept[index] ?? 0) > 0);
  found.sizes = kept.filter((size) => size > 0);
  found.keys = found.sizes.map(() => 1);
}

/**
 * Shares samples among tracks that look the same: of each run that lies together, the first track gets the first part. Cameras write
 * such tracks in turns of the same length.
 */
export function shareAmong(found: Found, count: number): Found[] {
  const shares: Found[] = Array.from({ length: count }, () => ({
    offsets: [],
    sizes: [],
    keys: [],
    orders: [],
    resets: [],
    references: [],
  }));
  for (let start = 0; start < found.offsets.length; ) {
    let end = start + 1;
    while (
      end < found.offsets.length &&
      found.offsets[end] === (found.offsets[end - 1] ?? 0) + (found.sizes[end - 1] ?? 0)
    )
      end++;
    for (let index = start; index < end; index++) {
      const share = shares[Math.min(count - 1, Math.floor(((index - start) * count) / (end - start)))];
      share?.offsets.push(found.offsets[index] ?? 0);
      share?.sizes.push(found.sizes[index] ?? 0);
      share?.keys.push(1);
    }
    start = end;
  }
  return shares;
}
