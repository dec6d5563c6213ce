import type { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import type { PictureData } from './data';
import { flippedPairs } from './pairs';
import { provenWay } from './ways';

/**
 * Sets two wrong bits right in every part whose sum does not fit, where the check sum of all data then proves it (`proves`). Tells how
 * many bits were wrong; 0, with the data as it was, when nothing is proven.
 */
export function correctPairs(
  { bytes, spans }: PictureData,
  effort: Effort,
  proves: (bytes: Buffer) => boolean,
): number {
  const open = spans.filter((span) => !span.sound);
  if (open.length === 0 || open.length > 6) return 0;
  const choices = open.map((span) =>
    span.sum === null ? [] : flippedPairs('IDAT', bytes.subarray(span.start, span.end), span.sum),
  );
  const bitsOf = (pairs: readonly (readonly number[])[]) =>
    pairs.flatMap((pair, index) => pair.map((bit) => bit + (open[index]?.start ?? 0) * 8));
  const way = provenWay(choices, bytes.length, effort, (pairs) => {
    turn(bytes, bitsOf(pairs));
    if (proves(bytes)) return true;
    turn(bytes, bitsOf(pairs));
    return false;
  });
  if (!way) return 0;
  for (const span of open) span.sound = true;
  return bitsOf(way).length;
}

function turn(bytes: Buffer, bits: readonly number[]): void {
  for (const bit of bits) bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
}
