import type { Buffer } from '../../host/bytes';
import { scheme } from './directory';
import { type Layout, rowBytes, segmentSize, segmentsWanted } from './layout';

/** Tiles that are looked at one by one. */
const mostTiles = 20_000;

/** Two tiles that stand side by side, or one above the other; the first one comes first in the file. */
type Pair = { first: number; second: number; beside: boolean };

/**
 * From which tile on plain tiles have moved by `shift` bytes, as bytes were lost or added inside the one before: where the edges of tiles
 * fit each other best. Null where tiles are packed, or stand in no order.
 */
export function movedFrom(bytes: Buffer, layout: Layout, shift: number): number | null {
  const { tile, compression, planes, depth, samples, width, segments } = layout;
  const count = segmentsWanted(layout);
  if (!tile || shift === 0 || compression !== scheme.none || planes || depth < 8 || count > mostTiles) return null;
  if (segments.length < count || segments.some(({ at }, index) => index > 0 && at <= (segments[index - 1]?.at ?? 0)))
    return null;
  const edges = { pixel: (samples * depth) / 8, row: rowBytes(layout), size: segmentSize(layout, 0) };
  const across = Math.ceil(width / tile.width);
  // How much worse the edges fit with each tile as the first that moved than with the one before as that.
  const more = new Float64Array(count + 2);
  for (const { first, second, beside } of pairs(count, across)) {
    const [a, b] = [segments[first]?.at ?? 0, segments[second]?.at ?? 0];
    const step = (left: number, right: number) => stepBetween(bytes, left, right, beside, edges);
    const [moved, between, kept] = [step(a + shift, b + shift), step(a, b + shift), step(a, b)];
    more[0] = (more[0] ?? 0) + moved;
    more[first + 1] = (more[first + 1] ?? 0) + between - moved;
    more[second + 1] = (more[second + 1] ?? 0) + kept - between;
  }
  let [sum, least, best] = [0, Number.POSITIVE_INFINITY, 0];
  for (let from = 0; from <= count; from++) {
    sum += more[from] ?? 0;
    if (sum < least) [least, best] = [sum, from];
  }
  return best;
}

function* pairs(count: number, across: number): Generator<Pair> {
  for (let index = 0; index < count; index++) {
    if ((index + 1) % across !== 0 && index + 1 < count) yield { first: index, second: index + 1, beside: true };
    if (index + across < count) yield { first: index, second: index + across, beside: false };
  }
}

/** The step from the last pixels of a tile to the first ones of the next, or from its last row to the first one below; of what is not there nothing is told. */
function stepBetween(
  bytes: Buffer,
  first: number,
  second: number,
  beside: boolean,
  { pixel, row, size }: { pixel: number; row: number; size: number },
): number {
  if (Math.min(first, second) < 0 || Math.max(first, second) + size > bytes.length) return 0;
  let sum = 0;
  if (beside) {
    for (let at = 0; at < size; at += row)
      for (let byte = 0; byte < pixel; byte++)
        sum += Math.abs((bytes[first + at + row - pixel + byte] ?? 0) - (bytes[second + at + byte] ?? 0));
    return sum;
  }
  for (let at = 0; at < row; at++) sum += Math.abs((bytes[first + size - row + at] ?? 0) - (bytes[second + at] ?? 0));
  return sum;
}
