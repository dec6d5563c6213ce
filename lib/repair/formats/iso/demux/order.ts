import type { Found } from './demux';

/** How far pictures are shown after they are decoded, in frames, and how many frames the first shown one waits. */
export type Reordering = { shifts: Int32Array; delay: number };

/** Pictures of one stream wait for no more than this many others (ISO/IEC 14496-10, A.3: a decoded picture buffer of 16 frames). */
const mostDelay = 16;

/** PicOrderCnt of each picture: prevPicOrderCntMsb and Lsb are followed over the wraps of the low bits; null where one does not tell. */
function orderCounts(found: Found, range: number): Float64Array | null {
  const counts = new Float64Array(found.sizes.length);
  let high = 0;
  let low = 0;
  for (let index = 0; index < counts.length; index++) {
    const order = found.orders[index] ?? -1;
    if (order < 0) return null;
    if (found.resets[index]) [high, low] = [0, 0];
    let own = high;
    if (order < low && low - order >= range / 2) own += range;
    else if (order > low && order - low > range / 2) own -= range;
    counts[index] = own + order;
    if (found.references[index]) [high, low] = [own, order];
  }
  return counts;
}

/** How far each picture is shown from its place in decoding, in frames; none is shown across a reset. */
function shiftsOf({ resets }: Found, counts: Float64Array): Int32Array {
  const shifts = new Int32Array(counts.length);
  for (let start = 0; start < counts.length; ) {
    let end = start + 1;
    while (end < counts.length && !resets[end]) end++;
    const places = Array.from({ length: end - start }, (_, index) => start + index);
    places.sort((left, right) => (counts[left] ?? 0) - (counts[right] ?? 0) || left - right);
    for (const [rank, place] of places.entries()) shifts[place] = start + rank - place;
    start = end;
  }
  return shifts;
}

/**
 * Order of display from picture order counts (ISO/IEC 14496-10, 8.2.1.1; 23008-2, 8.3.1): the low bits in slice headers are followed
 * over their wraps, and counts begin again at `resets`. Null when pictures are shown in the order of decoding, or nothing sensible comes out.
 */
export function displayOrder(found: Found, range: number): Reordering | null {
  const count = found.sizes.length;
  if (range === 0 || found.orders.length !== count) return null;
  const counts = orderCounts(found, range);
  if (!counts) return null;
  const shifts = shiftsOf(found, counts);
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
