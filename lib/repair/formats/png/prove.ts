import type { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import type { PictureData } from './data';
import { flippedPairs } from './pairs';

/** Ways of setting pairs right that are tried together at most, and units of effort for it. */
const mostWays = 64;
const provingEffort = 400;

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
  const ways = choices.reduce((product, pairs) => product * pairs.length, 1);
  if (ways === 0 || ways > mostWays) return 0;
  const share = effort.share(provingEffort);
  for (let way = 0; way < ways && !share.isSpent; way++) {
    share.spend('provedByte', bytes.length);
    let rest = way;
    const bits = open.flatMap((span, index) => {
      const pairs = choices[index] ?? [];
      const pair = pairs[rest % pairs.length] ?? [];
      rest = Math.floor(rest / pairs.length);
      return pair.map((bit) => bit + span.start * 8);
    });
    turn(bytes, bits);
    if (proves(bytes)) {
      for (const span of open) span.sound = true;
      return bits.length;
    }
    turn(bytes, bits);
  }
  return 0;
}

function turn(bytes: Buffer, bits: readonly number[]): void {
  for (const bit of bits) bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
}
