import { codeSpaceLeft } from './huffman';

/**
 * DEFLATE (RFC 1951) in steps: decoding can begin again at any symbol that was passed before, which makes it cheap to try what a
 * changed bit would lead to. Positions in the input are in bits, in the output in bytes.
 */
export type Checkpoint = { bit: number; out: number; tables: Tables | null; final: boolean };

/** Codes of a block as tables of 15 bits: the symbol times 16 plus the length of its code, 0 where no code fits. */
type Tables = { literal: Uint16Array; distance: Uint16Array };

/** How decoding ended: at the wished length, at the end of the stream, at bits without meaning, or at the end of the input. */
export type StepEnd = Checkpoint & { end: 'limit' | 'done' | 'bad' | 'input' };

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const lengthExtra = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const checkpointEvery = 16;

function lookup(lengths: Uint8Array, count: number): Uint16Array {
  const table = new Uint16Array(1 << 15);
  const next = new Uint16Array(17);
  const counts = new Uint16Array(17);
  for (let symbol = 0; symbol < count; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  }
  for (let length = 1; length < 16; length++) next[length + 1] = ((next[length] ?? 0) + (counts[length] ?? 0)) << 1;
  for (let symbol = 0; symbol < count; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    let reversed = 0;
    for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
    for (let index = reversed; index < 1 << 15; index += 1 << length) table[index] = (symbol << 4) | length;
  }
  return table;
}

let fixed: Tables | undefined;
function fixedTables(): Tables {
  if (!fixed) {
    const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
    fixed = { literal: lookup(lengths, 288), distance: lookup(new Uint8Array(30).fill(5), 30) };
  }
  return fixed;
}

/** A DEFLATE stream whose bits may be changed between runs. `bytes` is the caller's own copy, `output` is written in place. */
export class StepInflater {
  readonly bytes: Uint8Array;
  readonly output: Uint8Array;
  #bit = 0;

  constructor(bytes: Uint8Array, maxOutput: number) {
    this.bytes = bytes;
    this.output = new Uint8Array(maxOutput);
  }

  flip(bit: number): void {
    const at = bit >> 3;
    this.bytes[at] = (this.bytes[at] ?? 0) ^ (1 << (bit & 7));
  }

  #peek(): number {
    const at = this.#bit >> 3;
    const { bytes } = this;
    return ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)) >>> (this.#bit & 7);
  }

  #take(count: number): number {
    const value = this.#peek() & ((1 << count) - 1);
    this.#bit += count;
    return value;
  }

  /** Decodes from `from` until `limit` bytes of output are there; `marks` collects places to begin again at. */
  run(from: Checkpoint, limit: number, marks?: Checkpoint[]): StepEnd {
    const { output } = this;
    const most = Math.min(limit, output.length);
    const bits = this.bytes.length * 8;
    this.#bit = from.bit;
    let { out, tables, final } = from;
    let marked = -checkpointEvery;
    const stop = (end: StepEnd['end']): StepEnd => ({ out, bit: this.#bit, tables, final, end });
    for (;;) {
      if (marks && out - marked >= checkpointEvery) {
        marks.push({ bit: this.#bit, out, tables, final });
        marked = out;
      }
      if (out >= most) return stop('limit');
      if (this.#bit >= bits) return stop('input');
      if (!tables) {
        const start = this.#bit;
        final = this.#take(1) === 1;
        const type = this.#take(2);
        if (type === 0) {
          const copied = this.#stored(out, most);
          if (copied < 0) return stop(copied === -1 ? 'bad' : 'input');
          out += copied;
          if (final) return stop('done');
          continue;
        }
        tables = type === 1 ? fixedTables() : type === 2 ? this.#dynamic() : null;
        if (!tables) {
          this.#bit = start;
          return stop('bad');
        }
        continue;
      }
      const entry = tables.literal[this.#peek() & 0x7fff] ?? 0;
      if (entry === 0) return stop('bad');
      const symbol = entry >> 4;
      this.#bit += entry & 15;
      if (symbol < 256) {
        output[out++] = symbol;
        continue;
      }
      if (symbol === 256) {
        if (final) return stop(this.#bit <= bits ? 'done' : 'input');
        tables = null;
        continue;
      }
      if (symbol > 285) return stop('bad');
      const length = (lengthBase[symbol - 257] ?? 0) + this.#take(lengthExtra[symbol - 257] ?? 0);
      const code = tables.distance[this.#peek() & 0x7fff] ?? 0;
      if (code === 0 || code >> 4 > 29) return stop('bad');
      this.#bit += code & 15;
      const step = code >> 4;
      const extra = step < 4 ? 0 : (step >> 1) - 1;
      const distance = step < 4 ? step + 1 : ((2 + (step & 1)) << extra) + 1 + this.#take(extra);
      if (distance > out) return stop('bad');
      const end = Math.min(output.length, out + length);
      while (out < end) {
        output[out] = output[out - distance] ?? 0;
        out++;
      }
    }
  }

  /** Copies a stored block; -1 when its length is wrong, -2 when the input ends. */
  #stored(out: number, most: number): number {
    const start = (this.#bit + 7) >> 3;
    const { bytes } = this;
    if (start + 4 > bytes.length) return -2;
    const length = (bytes[start] ?? 0) | ((bytes[start + 1] ?? 0) << 8);
    const check = (bytes[start + 2] ?? 0) | ((bytes[start + 3] ?? 0) << 8);
    if ((length ^ check) !== 0xffff) return -1;
    const count = Math.min(length, bytes.length - start - 4, Math.max(0, most - out) + 65536, this.output.length - out);
    this.output.set(bytes.subarray(start + 4, start + 4 + count), out);
    this.#bit = (start + 4 + count) * 8;
    return count < length && start + 4 + count >= bytes.length ? -2 : count;
  }

  #dynamic(): Tables | null {
    const literals = this.#take(5) + 257;
    const distances = this.#take(5) + 1;
    const codes = this.#take(4) + 4;
    if (literals > 286 || distances > 30) return null;
    const short = new Uint8Array(19);
    for (let index = 0; index < codes; index++) short[order[index] ?? 0] = this.#take(3);
    if (codeSpaceLeft(short, 19) !== 0) return null;
    const table = lookup(short, 19);
    const lengths = new Uint8Array(literals + distances + 140);
    let index = 0;
    while (index < literals + distances) {
      const entry = table[this.#peek() & 0x7fff] ?? 0;
      if (entry === 0 || this.#bit >= this.bytes.length * 8) return null;
      this.#bit += entry & 15;
      const symbol = entry >> 4;
      if (symbol < 16) {
        lengths[index++] = symbol;
        continue;
      }
      if (symbol === 16 && index === 0) return null;
      const value = symbol === 16 ? (lengths[index - 1] ?? 0) : 0;
      const repeat = symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      if (index + repeat > literals + distances) return null;
      lengths.fill(value, index, index + repeat);
      index += repeat;
    }
    const second = lengths.subarray(literals, literals + distances);
    if ((lengths[256] ?? 0) === 0 || codeSpaceLeft(lengths, literals) !== 0 || codeSpaceLeft(second, distances) < 0)
      return null;
    return { literal: lookup(lengths, literals), distance: lookup(second, distances) };
  }
}

/** The beginning of a stream. */
export const streamStart: Checkpoint = { bit: 0, out: 0, tables: null, final: false };
