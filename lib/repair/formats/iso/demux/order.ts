import type { Found } from './demux';

/** How far pictures are shown after they are decoded, in frames, and how many frames the first shown one waits. */
export type Reordering = { shifts: Int32Array; delay: number };

/** Pictures of one stream wait for no more than this many others (ISO/IEC 14496-10, A.3: a decoded picture buffer of 16 frames). */
const mostDelay = 16;

/**
 * Order of display from picture order counts (ISO/IEC 14496-10, 8.2.1.1; 23008-2, 8.3.1): the low bits in slice headers are followed
 * over their wraps, and counts begin again at `resets`. Null when pictures are shown in the order of decoding, or nothing sensible comes out.
 */
export function displayOrder(found: Found, range: number): Reordering | null {
  const count = found.sizes.length;
  if (range === 0 || found.orders.length !== count) return null;
  const counts = new Float64Array(count);
  let high = 0;
  let low = 0;
  for (let index = 0; index < count; index++) {
    const order = found.orders[index] ?? -1;
    if (order < 0) return null;
    if (found.resets[index]) {
      high = 0;
      low = 0;
    }
    let own = high;
    if (order < low && low - order >= range / 2) own += range;
    else if (order > low && order - low > range / 2) own -= range;
    counts[index] = own + order;
    if (found.references[index]) {
      high = own;
      low = order;
    }
  }
  const shifts = new Int32Array(count);
  for (let start = 0; start < count; ) {
    let end = start + 1;
    while (end < count && !found.resets[end]) end++;
    const places = Array.from({ length: end - start }, (_, index) => start + index);
    places.sort((left, right) => (counts[left] ?? 0) - (counts[right] ?? 0) || left - right);
    for (const [rank, place] of places.entries()) shifts[place] = start + rank - place;
    start = end;
  }
  let delay = 0;
  let latest = 0;
  for (const shift of shifts) {
    delay = Math.max(delay, -shift);
    latest = Math.max(latest, shift);
  }
  if (delay === 0 || delay > mostDelay || latest > 4 * mostDelay) return null;
  for (let index = 0; index < count; index++) shifts[index] = (shifts[index] ?? 0) + delay;
  return { shifts, delay };
}
