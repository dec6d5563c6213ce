import { mostBits, reversed } from './prefix';

/** Lengths of a prefix code for symbols that come so often (Huffman 1952), none longer than `limit` bits. */
export function lengthsOf(counts: Uint32Array, limit: number = mostBits): Uint8Array {
  for (let weights = Array.from(counts); ; weights = weights.map((count) => count && Math.max(1, count >> 1))) {
    const lengths = treeOf(weights);
    if (Math.max(0, ...lengths) <= limit) return lengths;
  }
}

type Node = { weight: number; symbols: number[] };

/** The lengths of a tree without a limit: the two lightest nodes are joined until one is left. */
function treeOf(weights: readonly number[]): Uint8Array {
  const lengths = new Uint8Array(weights.length);
  const leaves: Node[] = [];
  for (const [symbol, weight] of weights.entries()) if (weight > 0) leaves.push({ weight, symbols: [symbol] });
  leaves.sort((one, other) => one.weight - other.weight);
  if (leaves.length === 1) lengths[leaves[0]?.symbols[0] ?? 0] = 1;
  const joined: Node[] = [];
  const lightest = (): Node | undefined =>
    leaves[0] && (!joined[0] || leaves[0].weight <= joined[0].weight) ? leaves.shift() : joined.shift();
  while (leaves.length + joined.length > 1) {
    const [one, other] = [lightest(), lightest()];
    if (!one || !other) break;
    const symbols = [...one.symbols, ...other.symbols];
    for (const symbol of symbols) lengths[symbol] = (lengths[symbol] ?? 0) + 1;
    joined.push({ weight: one.weight + other.weight, symbols });
  }
  return lengths;
}

/** The codes that belong to lengths, in the order in which their bits are stored (RFC 9649, 3.7.2.1). */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= mostBits; length++, code <<= 1)
    for (const [symbol, own] of lengths.entries()) if (own === length) codes[symbol] = reversed(code++, length);
  return codes;
}
