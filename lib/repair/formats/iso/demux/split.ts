import type { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Found } from './demux';
import type { Template } from './template';

/** Packets of one stretch at most: the search takes their square in time. */
const mostPackets = 4096;

/**
 * Splits a stretch of packets that carry no length, such as Opus: boundaries lie where a byte equals the packets' usual first byte, and
 * of all ways to choose them the likeliest is taken, packet sizes being spread around their mean. Gives sizes in bytes; the whole
 * stretch where nothing fits.
 */
function splitPackets(bytes: Buffer, { first, mean, deviation }: NonNullable<Template['packets']>): number[] {
  const places: number[] = [0];
  for (let at = 1; at < bytes.length && places.length < mostPackets; at++) if (bytes[at] === first) places.push(at);
  places.push(bytes.length);
  // A byte is the first one by chance once in 256.
  const constant = Math.log((deviation * Math.sqrt(2 * Math.PI)) / 256);
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

/** Packets of a track whose stretches were found between the others. Stretches longer than a mebibyte are no sound and are left out. */
export function splitStretches(source: Source, found: Found, packets: NonNullable<Template['packets']>): void {
  const { offsets, sizes } = found;
  found.offsets = [];
  found.sizes = [];
  for (const [index, offset] of offsets.entries()) {
    const size = sizes[index] ?? 0;
    if (size > 1 << 20) continue;
    let at = offset;
    for (const part of splitPackets(source.copy(offset, size), packets)) {
      found.offsets.push(at);
      found.sizes.push(part);
      at += part;
    }
  }
  found.keys = found.sizes.map(() => 1);
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
