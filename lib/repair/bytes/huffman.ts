/** A canonical prefix code (RFC 1951, 3.2.2) as counts per length and symbols in code order. */
export type PrefixCode = { counts: Uint16Array; symbols: Uint16Array };

/** How a set of code lengths fills the code space: 0 exactly, above 0 with gaps, below 0 over-subscribed. */
export function codeSpaceLeft(lengths: Uint8Array, count: number): number {
  const counts = new Uint16Array(16);
  for (let index = 0; index < count; index++) {
    const length = lengths[index] ?? 0;
    counts[length] = (counts[length] ?? 0) + 1;
  }
  let left = 1;
  for (let length = 1; length < 16; length++) left = left * 2 - (counts[length] ?? 0);
  return left;
}

/** Builds the code for the first `count` lengths; the caller has checked that the space is not over-subscribed. */
export function buildCode(lengths: Uint8Array, count: number): PrefixCode {
  const counts = new Uint16Array(16);
  for (let index = 0; index < count; index++) {
    const length = lengths[index] ?? 0;
    counts[length] = (counts[length] ?? 0) + 1;
  }
  const offsets = new Uint16Array(16);
  for (let length = 1; length < 15; length++) offsets[length + 1] = (offsets[length] ?? 0) + (counts[length] ?? 0);
  const symbols = new Uint16Array(count);
  for (let symbol = 0; symbol < count; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const place = offsets[length] ?? 0;
    symbols[place] = symbol;
    offsets[length] = place + 1;
  }
  counts[0] = 0;
  return { counts, symbols };
}
