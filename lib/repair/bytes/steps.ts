import {
  type Codes,
  codesOf,
  distanceBase,
  distanceExtra,
  fixedCodes,
  lengthBase,
  lengthExtra,
  peekBits,
  readCodeLengths,
} from './codes';

/**
 * DEFLATE (RFC 1951) in steps: decoding can begin again at any symbol that was passed before, which makes it cheap to try what a
 * changed bit would lead to. Positions in the input are in bits, in the output in bytes.
 */
export type Checkpoint = { bit: number; out: number; tables: Codes | null; final: boolean };

/** How decoding ended: at the wished length, at the end of the stream, at bits without meaning, or at the end of the input. */
export type StepEnd = Checkpoint & { end: 'limit' | 'done' | 'bad' | 'input' };

/** Bytes of text between places to begin again at, and the most places, which for long texts lie further apart. */
const checkpointEvery = 16;
const mostCheckpoints = 1 << 16;

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
    return peekBits(this.bytes, this.#bit);
  }

  #take(count: number): number {
    const value = this.#peek() & ((1 << count) - 1);
    this.#bit += count;
    return value;
  }

  /**
   * Decodes from `from` until `limit` bytes of output are there; `marks` collects places to begin again at, `outs` at each bit where a
   * symbol begins the length of the output there, plus one.
   */
  run(from: Checkpoint, limit: number, marks?: Checkpoint[], outs?: Int32Array): StepEnd {
    const { output } = this;
    const most = Math.min(limit, output.length);
    const bits = this.bytes.length * 8;
    this.#bit = from.bit;
    let { out, tables, final } = from;
    const every = Math.max(checkpointEvery, Math.ceil(output.length / mostCheckpoints));
    let marked = -every;
    const stop = (end: StepEnd['end']): StepEnd => ({ out, bit: this.#bit, tables, final, end });
    for (;;) {
      if (marks && out - marked >= every) {
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
        tables = type === 1 ? fixedCodes() : type === 2 ? this.#dynamic() : null;
        if (!tables) {
          this.#bit = start;
          return stop('bad');
        }
        continue;
      }
      if (outs) outs[this.#bit] = out + 1;
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
      const distance = (distanceBase[code >> 4] ?? 0) + this.#take(distanceExtra[code >> 4] ?? 0);
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

  #dynamic(): Codes | null {
    const lengths = readCodeLengths(this.bytes, this.#bit);
    if (!lengths) return null;
    this.#bit = lengths.end;
    return codesOf(lengths);
  }
}

/** The beginning of a stream. */
export const streamStart: Checkpoint = { bit: 0, out: 0, tables: null, final: false };
