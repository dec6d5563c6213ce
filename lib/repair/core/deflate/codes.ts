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
/** The longest copy, in bytes. */
export const longestCopy = 258;
/** The order in which the lengths of the codes of code lengths stand (3.2.7). */
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

/** The longest code (RFC 1951, 3.2.7), in bits, and that of the codes of code lengths. */
const longestCode = 15;
const longestLengthCode = 7;

/** Symbols by the length of their code and then in order, and from where on those of each length stand. */
function byLength(lengths: Uint8Array, count: number): { ordered: Uint16Array; from: Uint16Array } {
  const from = new Uint16Array(longestCode + 3);
  for (let symbol = 0; symbol < count; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length > 0) from[length + 1] = (from[length + 1] ?? 0) + 1;
  }
  for (let length = 1; length < from.length; length++) from[length] = (from[length] ?? 0) + (from[length - 1] ?? 0);
  const ordered = new Uint16Array(count);
  const next = from.slice();
  for (let symbol = 0; symbol < count; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const place = next[length] ?? 0;
    ordered[place] = symbol;
    next[length] = place + 1;
  }
  return { ordered, from };
}

/** A code with its bits in the order in which they are read. */
function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

/** The table of the codes that these lengths make (3.2.2). */
function lookup(lengths: Uint8Array, count: number, width = longestCode): Uint16Array {
  const table = new Uint16Array(1 << width);
  const { ordered, from } = byLength(lengths, count);
  let code = 0;
  // Codes of one length after the other: what a table of that width holds is doubled for the next, which is faster than many far jumps.
  for (let length = 1; length <= width; length++) {
    if (length > 1) table.copyWithin(1 << (length - 1), 0, 1 << (length - 1));
    const to = from[length + 1] ?? 0;
    for (let index = from[length] ?? 0; index < to; index++, code++)
      table[reversed(code, length)] = ((ordered[index] ?? 0) << 4) | length;
    code <<= 1;
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

/** The most symbols for bytes and lengths, and for distances (3.2.7). */
const mostSymbols = { literals: 286, distances: 30 };
/** Bits of the numbers of code lengths, and of each length of a code for them. */
const countBits = 14;
const lengthBits = 3;

/** Reads the code lengths of a dynamic block from bit `at`, behind its type (RFC 1951, 3.2.7); null when they are no valid set. */
export function readCodeLengths(bytes: Uint8Array, at: number): CodeLengths | null {
  const counts = peekBits(bytes, at);
  const literals = (counts & 31) + 257;
  const distances = ((counts >> 5) & 31) + 1;
  const codes = ((counts >> 10) & 15) + 4;
  if (literals > mostSymbols.literals || distances > mostSymbols.distances) return null;
  const first = at + countBits;
  const short = shortLengths(bytes, first, codes);
  const read =
    short && longLengths(bytes, first + codes * lengthBits, lookup(short, 19, longestLengthCode), literals + distances);
  return read && isValid(read.lengths, literals, distances) ? { ...read, literals, distances } : null;
}

/** The lengths of the codes that code lengths are sent in; null where they do not fill the code space exactly. */
function shortLengths(bytes: Uint8Array, at: number, count: number): Uint8Array | null {
  // Most bits are no header at all: that is told by the sum of the code space, before anything is set up.
  let space = 0;
  for (let index = 0; index < count; index++) space += 128 >> (peekBits(bytes, at + index * lengthBits) & 7 || 8);
  if (space !== 128) return null;
  const lengths = new Uint8Array(19);
  for (let index = 0; index < count; index++) lengths[order[index] ?? 0] = peekBits(bytes, at + index * lengthBits) & 7;
  return lengths;
}

/** How often a length is repeated: the bits that say so, and the least number. */
const repeatBits = Uint8Array.of(2, 3, 7);
const leastRepeat = Uint8Array.of(3, 3, 11);
/** The symbol that repeats the length before; those behind it repeat none. */
const repeatLast = 16;

/** Code lengths as they are sent, by the table of their codes; null where they break off or are more than `wanted`. */
function longLengths(
  bytes: Uint8Array,
  at: number,
  table: Uint16Array,
  wanted: number,
): { lengths: Uint8Array; end: number } | null {
  const lengths = new Uint8Array(320);
  let bit = at;
  for (let index = 0; index < wanted; ) {
    const entry = table[peekBits(bytes, bit) & 127] ?? 0;
    if (entry === 0 || bit >= bytes.length * 8) return null;
    bit += entry & 15;
    const symbol = entry >> 4;
    if (symbol < repeatLast) {
      lengths[index++] = symbol;
      continue;
    }
    if (symbol === repeatLast && index === 0) return null;
    const value = symbol === repeatLast ? (lengths[index - 1] ?? 0) : 0;
    const more = repeatBits[symbol - repeatLast] ?? 0;
    const count = (leastRepeat[symbol - repeatLast] ?? 0) + (peekBits(bytes, bit) & ((1 << more) - 1));
    bit += more;
    if (index + count > wanted) return null;
    lengths.fill(value, index, index + count);
    index += count;
  }
  return { lengths, end: bit };
}

/** Whether a set of lengths has an end of block and fills the code space; only a single distance code may leave room (3.2.7). */
function isValid(lengths: Uint8Array, literals: number, distances: number): boolean {
  if ((lengths[256] ?? 0) === 0 || codeSpaceLeft(lengths, literals) !== 0) return false;
  const second = lengths.subarray(literals, literals + distances);
  const room = codeSpaceLeft(second, distances);
  return room === 0 || (room > 0 && second.reduce((sum, length) => sum + (length > 0 ? 1 : 0), 0) <= 1);
}

/** The codes for a set of lengths. */
export function codesOf({ lengths, literals, distances }: CodeLengths): Codes {
  const second = lengths.subarray(literals, literals + distances);
  return { literal: lookup(lengths, literals), distance: lookup(second, distances) };
}
