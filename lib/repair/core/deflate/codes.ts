/** Codes of a DEFLATE block as tables of 15 bits: the symbol times 16 plus the length of its code, 0 where no code fits. */
export type Codes = { literal: Uint16Array; distance: Uint16Array };

/** The least length for each length symbol from 257 on, and the bits that are added to it (RFC 1951, 3.2.5). */
export const lengthBase = Uint16Array.of(
  ...[
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ],
);
export const lengthExtra = Uint8Array.of(
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
);
/** The bits that are added to each distance symbol, and its least distance. */
export const distanceExtra = Uint8Array.from({ length: 30 }, (_, symbol) => Math.max(0, (symbol >> 1) - 1));
export const distanceBase = Uint16Array.from({ length: 30 }, (_, symbol) =>
  symbol < 4 ? symbol + 1 : ((2 + (symbol & 1)) << ((symbol >> 1) - 1)) + 1,
);
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** How a set of code lengths fills the code space: 0 exactly, above 0 with gaps, below 0 over-subscribed. */
function codeSpaceLeft(lengths: Uint8Array, count: number): number {
  const counts = new Uint16Array(16);
  for (let index = 0; index < count; index++) {
    const length = lengths[index] ?? 0;
    counts[length] = (counts[length] ?? 0) + 1;
  }
  let left = 1;
  for (let length = 1; length < 16; length++) left = left * 2 - (counts[length] ?? 0);
  return left;
}

function lookup(lengths: Uint8Array, count: number, width = 15): Uint16Array {
  const table = new Uint16Array(1 << width);
  const next = new Uint16Array(17);
  const counts = new Uint16Array(17);
  for (let symbol = 0; symbol < count; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  }
  for (let length = 1; length < 16; length++) next[length + 1] = ((next[length] ?? 0) + (counts[length] ?? 0)) << 1;
  // Codes of one length after the other: what a table of that width holds is doubled for the next, which is faster than many far jumps.
  const ordered = new Uint16Array(count);
  const from = new Uint16Array(18);
  for (let length = 1; length < 17; length++) from[length + 1] = (from[length] ?? 0) + (counts[length] ?? 0);
  const ends = from.slice();
  for (let symbol = 0; symbol < count; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const end = ends[length] ?? 0;
    ordered[end] = symbol;
    ends[length] = end + 1;
  }
  for (let length = 1; length <= width; length++) {
    if (length > 1) table.copyWithin(1 << (length - 1), 0, 1 << (length - 1));
    let code = next[length] ?? 0;
    for (let index = from[length] ?? 0; index < (ends[length] ?? 0); index++, code++) {
      let reversed = 0;
      for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
      table[reversed] = ((ordered[index] ?? 0) << 4) | length;
    }
  }
  return table;
}

let fixed: Codes | undefined;

/** The codes of blocks that bring none of their own (RFC 1951, 3.2.6). */
export function fixedCodes(): Codes {
  if (!fixed) {
    const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
    fixed = { literal: lookup(lengths, 288), distance: lookup(new Uint8Array(30).fill(5), 30) };
  }
  return fixed;
}

/** At least 16 bits from bit `at` on, least significant first; past the end they are zero. */
export function peekBits(bytes: Uint8Array, at: number): number {
  const byte = at >> 3;
  return ((bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16)) >>> (at & 7);
}

/** Code lengths as a dynamic block's header gives them, before any table is made of them. */
type CodeLengths = { lengths: Uint8Array; literals: number; distances: number; end: number };

/** Reads the code lengths of a dynamic block from bit `at`, behind its type (RFC 1951, 3.2.7); null when they are no valid set. */
export function readCodeLengths(bytes: Uint8Array, at: number): CodeLengths | null {
  let bit = at;
  const take = (count: number) => {
    const value = peekBits(bytes, bit) & ((1 << count) - 1);
    bit += count;
    return value;
  };
  const literals = take(5) + 257;
  const distances = take(5) + 1;
  const codes = take(4) + 4;
  if (literals > 286 || distances > 30) return null;
  // Most bits are no header at all: that is told by the sum of the code space, before anything is set up.
  let space = 0;
  for (let index = 0; index < codes; index++) space += 128 >> (peekBits(bytes, bit + index * 3) & 7 || 8);
  if (space !== 128) return null;
  const short = new Uint8Array(19);
  for (let index = 0; index < codes; index++) short[order[index] ?? 0] = take(3);
  const table = lookup(short, 19, 7);
  const lengths = new Uint8Array(320);
  for (let index = 0; index < literals + distances; ) {
    const entry = table[peekBits(bytes, bit) & 127] ?? 0;
    if (entry === 0 || bit >= bytes.length * 8) return null;
    bit += entry & 15;
    const symbol = entry >> 4;
    if (symbol < 16) {
      lengths[index++] = symbol;
      continue;
    }
    if (symbol === 16 && index === 0) return null;
    const value = symbol === 16 ? (lengths[index - 1] ?? 0) : 0;
    const repeat = symbol === 16 ? 3 + take(2) : symbol === 17 ? 3 + take(3) : 11 + take(7);
    if (index + repeat > literals + distances) return null;
    lengths.fill(value, index, index + repeat);
    index += repeat;
  }
  const second = lengths.subarray(literals, literals + distances);
  const room = codeSpaceLeft(second, distances);
  if ((lengths[256] ?? 0) === 0 || codeSpaceLeft(lengths, literals) !== 0 || room < 0) return null;
  // Only a single distance code may leave room (RFC 1951, 3.2.7).
  if (room > 0 && second.reduce((sum, length) => sum + (length > 0 ? 1 : 0), 0) > 1) return null;
  return { lengths, literals, distances, end: bit };
}

/** The codes for a set of lengths. */
export function codesOf({ lengths, literals, distances }: CodeLengths): Codes {
  const second = lengths.subarray(literals, literals + distances);
  return { literal: lookup(lengths, literals), distance: lookup(second, distances) };
}
