import type { BitReader } from './bits';

/** The most bits of a code (RFC 9649, 3.7.2.1), and those that one look into a table resolves. */
export const mostBits = 15;
const tableBits = 9;
/** The order in which lengths of the code for lengths stand (3.7.2.1.2). */
export const lengthOrder = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;
/** Codes above the lengths repeat: the one before, or zeroes, so often at least, with so many bits for more (3.7.2.1.2). */
const repeats = [
  { least: 3, bits: 2 },
  { least: 3, bits: 3 },
  { least: 11, bits: 7 },
] as const;
/** The length that is repeated before there was one. */
const firstLength = 8;

/** A prefix code, read symbol by symbol. */
export type Prefix = { table: Uint16Array; counts: Uint16Array; symbols: Uint16Array; only: number };

/** A prefix code from the lengths of its codes; null where they leave codes over or have too many, which no decoder takes. */
function prefixOf(lengths: Uint8Array): Prefix | null {
  const counts = new Uint16Array(mostBits + 1);
  let used = 0;
  let only = -1;
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    counts[length] = (counts[length] ?? 0) + 1;
    only = symbol;
    used++;
  }
  if (used === 0) return null;
  const symbols = new Uint16Array(used);
  const table = new Uint16Array(used === 1 ? 0 : 1 << tableBits);
  if (used === 1) return { table, counts, symbols, only };
  if (!isComplete(counts)) return null;
  const next = new Uint16Array(mostBits + 2);
  const place = new Uint16Array(mostBits + 2);
  for (let length = 1; length <= mostBits; length++) {
    next[length + 1] = ((next[length] ?? 0) + (counts[length] ?? 0)) << 1;
    place[length + 1] = (place[length] ?? 0) + (counts[length] ?? 0);
  }
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    symbols[place[length] ?? 0] = symbol;
    place[length] = (place[length] ?? 0) + 1;
    if (length > tableBits) continue;
    for (let at = reversed(code, length); at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
  }
  return { table, counts, symbols, only: -1 };
}

function isComplete(counts: Uint16Array): boolean {
  let open = 1;
  for (let length = 1; length <= mostBits; length++) {
    open = open * 2 - (counts[length] ?? 0);
    if (open < 0) return false;
  }
  return open === 0;
}

/** Codes are stored with their highest bit first, other numbers with their lowest. */
export function reversed(code: number, length: number): number {
  let value = 0;
  for (let bit = 0; bit < length; bit++) value |= ((code >> bit) & 1) << (length - 1 - bit);
  return value;
}

/** The next symbol. A code of one symbol takes no bits (3.7.2.1.1). */
export function symbolOf({ table, counts, symbols, only }: Prefix, bits: BitReader): number {
  if (only >= 0) return only;
  const window = bits.peek(mostBits);
  const found = table[window & ((1 << tableBits) - 1)] ?? 0;
  if (found > 0) {
    bits.at += found & 15;
    return found >> 4;
  }
  let [code, first, index] = [0, 0, 0];
  for (let length = 1; length <= mostBits; length++) {
    code |= (window >> (length - 1)) & 1;
    const count = counts[length] ?? 0;
    if (code - count < first) {
      bits.at += length;
      return symbols[index + code - first] ?? 0;
    }
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  bits.at += mostBits;
  return 0;
}

/** Reads a prefix code of an alphabet (3.7.2.1); null where it makes no sense. */
export function readPrefix(bits: BitReader, alphabet: number): Prefix | null {
  const lengths = new Uint8Array(alphabet);
  if (bits.flag()) {
    const isPair = bits.flag();
    const first = bits.read(bits.flag() ? 8 : 1);
    const second = isPair ? bits.read(8) : first;
    if (Math.max(first, second) >= alphabet) return null;
    lengths[first] = 1;
    lengths[second] = 1;
    return prefixOf(lengths);
  }
  const ofLengths = new Uint8Array(lengthOrder.length);
  const count = 4 + bits.read(4);
  for (const symbol of lengthOrder.slice(0, count)) ofLengths[symbol] = bits.read(3);
  const code = count > lengthOrder.length ? null : prefixOf(ofLengths);
  return code && readLengths(bits, code, lengths) ? prefixOf(lengths) : null;
}

/** Reads the lengths of a code by the code for lengths. */
function readLengths(bits: BitReader, code: Prefix, lengths: Uint8Array): boolean {
  let left = bits.flag() ? 2 + bits.read(2 + 2 * bits.read(3)) : lengths.length;
  if (left > lengths.length) return false;
  let previous = firstLength;
  for (let at = 0; at < lengths.length && left > 0; left--) {
    const symbol = symbolOf(code, bits);
    if (symbol <= mostBits) {
      lengths[at++] = symbol;
      if (symbol > 0) previous = symbol;
      continue;
    }
    const repeat = repeats[symbol - mostBits - 1];
    if (!repeat) return false;
    const times = repeat.least + bits.read(repeat.bits);
    if (at + times > lengths.length) return false;
    if (symbol === mostBits + 1) lengths.fill(previous, at, at + times);
    at += times;
  }
  return !bits.isOver;
}
