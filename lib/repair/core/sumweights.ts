import { polynomial, timesX } from './sumalgebra';

/** What a bit of each byte of a text adds to its CRC-32, with all bytes that are copies of it; as 32 bits of a polynomial. */
export type Influence = Int32Array;

/**
 * The influence of each byte of a text on its sum, by where each was copied from (below zero where it was not). As a CRC is linear, a byte
 * that changes adds its own difference, times its power, and so does each byte that was copied from it.
 */
export function influencesOf(sources: Int32Array): Influence {
  const influences = new Int32Array(sources.length);
  let power = polynomial;
  for (let at = sources.length - 1; at >= 0; at--) {
    const influence = (influences[at] ?? 0) ^ power;
    influences[at] = influence;
    const source = sources[at] ?? -1;
    if (source >= 0) influences[source] = (influences[source] ?? 0) ^ influence;
    for (let bit = 0; bit < 8; bit++) power = timesX(power);
  }
  return influences;
}

/** What a byte adds to the sum of two texts that differ by so much in it, where it has this influence. */
export function weighted(difference: number, influence: number): number {
  let sum = 0;
  let power = influence;
  for (let bit = 7; bit >= 0; bit--) {
    if (difference & (1 << bit)) sum ^= power;
    power = timesX(power);
  }
  return sum;
}
