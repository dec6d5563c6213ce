/** Decoding tables of a block (RFC 1951, 3.2.2) over the next 15 bits: symbol times 16 plus its length in bits; 0 where no code fits. */
export type Tables = { literal: Uint16Array; distance: Uint16Array };

const codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

const empty = new Uint16Array(0);

/** The table of a canonical code, and what it leaves of the code space: 0 when full, below 0 when the lengths contradict each other; the table is empty then, and with `whole` when the space is not full. */
function build(lengths: Uint8Array, width: number, whole = false): { table: Uint16Array; left: number } {
  const counts = new Uint16Array(17);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  let left = 1;
  for (let length = 1; length <= 15; length++) left = left * 2 - (counts[length] ?? 0);
  if (left < 0 || (whole && left > 0)) return { table: empty, left };
  const table = new Uint16Array(1 << width);
  const next = new Uint16Array(17);
  let code = 0;
  for (let length = 1; length <= 15; length++) {
    code = (code + (counts[length - 1] ?? 0)) << 1;
    next[length] = code;
  }
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const own = next[length] ?? 0;
    next[length] = own + 1;
    for (let at = reversed(own, length); at < table.length; at += 1 << length) table[at] = (symbol << 4) | length;
  }
  return { table, left };
}

let fixed: Tables | undefined;

/** The tables of blocks of type 1 (RFC 1951, 3.2.6). */
export function fixedTables(): Tables {
  if (!fixed) {
    const lengths = new Uint8Array(288);
    for (let symbol = 0; symbol < 288; symbol++)
      lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    fixed = { literal: build(lengths, 15).table, distance: build(new Uint8Array(30).fill(5), 15).table };
  }
  return fixed;
}

/**
 * Reads the tables of a dynamic block (RFC 1951, 3.2.7) whose counts begin at `bit`; null when they contradict each other, which chance
 * bits nearly always do. `view` must be padded by at least 8 bytes.
 */
export function dynamicTables(view: DataView, bit: number, end: number): { tables: Tables; bit: number } | null {
  const peek = (at: number) => view.getUint32(at >>> 3, true) >>> (at & 7);
  const counts = peek(bit);
  const literals = (counts & 31) + 257;
  const distances = ((counts >> 5) & 31) + 1;
  const codes = ((counts >> 10) & 15) + 4;
  let at = bit + 14;
  if (literals > 286 || distances > 30 || at + codes * 3 > end) return null;
  // The sum over all code lengths tells false headers from true ones without building anything.
  let space = 0;
  const codeLengths = new Uint8Array(19);
  for (let index = 0; index < codes; index++, at += 3) {
    const length = peek(at) & 7;
    if (length > 0) space += 128 >> length;
    codeLengths[codeOrder[index] ?? 0] = length;
  }
  if (space !== 128) return null;
  const { table } = build(codeLengths, 7);
  const lengths = new Uint8Array(literals + distances);
  for (let index = 0; index < lengths.length; ) {
    if (at + 7 > end) return null;
    const entry = table[peek(at) & 127] ?? 0;
    if (entry === 0) return null;
    at += entry & 15;
    const symbol = entry >> 4;
    if (symbol < 16) {
      lengths[index++] = symbol;
      continue;
    }
    if (symbol === 16 && index === 0) return null;
    const extra = peek(at);
    const repeat = symbol === 16 ? 3 + (extra & 3) : symbol === 17 ? 3 + (extra & 7) : 11 + (extra & 127);
    at += symbol === 16 ? 2 : symbol === 17 ? 3 : 7;
    if (index + repeat > lengths.length) return null;
    lengths.fill(symbol === 16 ? (lengths[index - 1] ?? 0) : 0, index, index + repeat);
    index += repeat;
  }
  if (lengths[256] === 0) return null;
  const literal = build(lengths.subarray(0, literals), 15, true);
  if (literal.left !== 0) return null;
  const own = lengths.subarray(literals);
  const distance = build(own, 15);
  if (distance.left < 0 || (distance.left > 0 && own.filter((length) => length > 0).length > 1)) return null;
  return { tables: { literal: literal.table, distance: distance.table }, bit: at };
}
