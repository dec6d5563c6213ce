import type { Effort } from '../../report';
import {
  type Codes,
  codesOf,
  distanceBase,
  distanceExtra,
  fixedCodes,
  lengthBase,
  lengthExtra,
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

/** Bytes that a symbol may be read past the end of the input. */
const padding = 8;

/** A DEFLATE stream whose bits may be changed between runs. `bytes` is a copy of its own, `output` is written in place. */
export class StepInflater {
  readonly bytes: Uint8Array;
  readonly output: Uint8Array;
  readonly #view: DataView;
  readonly #effort: Effort;

  constructor(bytes: Uint8Array, maxOutput: number, effort: Effort) {
    this.#effort = effort;
    const padded = new Uint8Array(bytes.length + padding);
    padded.set(bytes);
    this.#view = new DataView(padded.buffer);
    this.bytes = padded.subarray(0, bytes.length);
    this.output = new Uint8Array(maxOutput);
  }

  flip(bit: number): void {
    const at = bit >> 3;
    this.bytes[at] = (this.bytes[at] ?? 0) ^ (1 << (bit & 7));
  }

  /**
   * Decodes from `from` until `limit` bytes of output are there; `marks` collects places to begin again at, `outs` at each bit where a
   * symbol begins the length of the output there, plus one.
   */
  run(from: Checkpoint, limit: number, marks?: Checkpoint[], outs?: Int32Array): StepEnd {
    const { output } = this;
    const view = this.#view;
    const most = Math.min(limit, output.length);
    const bits = this.bytes.length * 8;
    let { bit, out, tables, final } = from;
    const every = Math.max(checkpointEvery, Math.ceil(output.length / mostCheckpoints));
    let nextMark = marks ? out : 0x7fffffff;
    let end: StepEnd['end'];
    for (;;) {
      if (out >= nextMark) {
        marks?.push({ bit, out, tables, final });
        nextMark = out + every;
      }
      if (out >= most) {
        end = 'limit';
        break;
      }
      if (bit >= bits) {
        end = 'input';
        break;
      }
      if (tables === null) {
        const head = view.getUint8(bit >>> 3) | (view.getUint8((bit >>> 3) + 1) << 8);
        const first = (head >>> (bit & 7)) & 7;
        final = (first & 1) === 1;
        if (first >> 1 === 0) {
          const start = (bit + 3 + 7) >> 3;
          const copied = this.#stored(start, out, most);
          // What the block's head takes is behind it even when the block is none.
          bit += 3;
          if (copied < 0) {
            end = copied === -1 ? 'bad' : 'input';
            break;
          }
          bit = (start + 4 + copied) * 8;
          out += copied;
          if (final) {
            end = 'done';
            break;
          }
          continue;
        }
        const lengths = first >> 1 === 2 ? readCodeLengths(this.bytes, bit + 3) : null;
        if (first >> 1 === 1) tables = fixedCodes();
        else if (lengths) tables = codesOf(lengths);
        if (tables === null) {
          end = 'bad';
          break;
        }
        if (lengths) this.#effort.spend('codeTables');
        bit = lengths ? lengths.end : bit + 3;
        continue;
      }
      if (outs) outs[bit] = out + 1;
      const ahead = view.getUint32(bit >>> 3, true) >>> (bit & 7);
      const entry = tables.literal[ahead & 0x7fff] ?? 0;
      if (entry === 0) {
        end = 'bad';
        break;
      }
      const symbol = entry >> 4;
      const width = entry & 15;
      bit += width;
      if (symbol < 256) {
        output[out++] = symbol;
        continue;
      }
      if (symbol === 256) {
        if (final) {
          end = bit <= bits ? 'done' : 'input';
          break;
        }
        tables = null;
        continue;
      }
      if (symbol > 285) {
        end = 'bad';
        break;
      }
      const more = lengthExtra[symbol - 257] ?? 0;
      const length = (lengthBase[symbol - 257] ?? 0) + ((ahead >>> width) & ((1 << more) - 1));
      bit += more;
      const code = tables.distance[(view.getUint32(bit >>> 3, true) >>> (bit & 7)) & 0x7fff] ?? 0;
      if (code === 0 || code >> 4 > 29) {
        end = 'bad';
        break;
      }
      bit += code & 15;
      const extra = distanceExtra[code >> 4] ?? 0;
      const added = (view.getUint32(bit >>> 3, true) >>> (bit & 7)) & ((1 << extra) - 1);
      bit += extra;
      const distance = (distanceBase[code >> 4] ?? 0) + added;
      if (distance > out) {
        end = 'bad';
        break;
      }
      const stop = Math.min(output.length, out + length);
      for (let source = out - distance; out < stop; source++) output[out++] = output[source] ?? 0;
    }
    this.#effort.spend('inflating');
    this.#effort.spend('inflatedByte', out - from.out);
    return { bit, out, tables, final, end };
  }

  /** Copies the stored block whose length stands at byte `start`; -1 when its length is wrong, -2 when the input ends. */
  #stored(start: number, out: number, most: number): number {
    const { bytes } = this;
    if (start + 4 > bytes.length) return -2;
    const length = (bytes[start] ?? 0) | ((bytes[start + 1] ?? 0) << 8);
    const check = (bytes[start + 2] ?? 0) | ((bytes[start + 3] ?? 0) << 8);
    if ((length ^ check) !== 0xffff) return -1;
    const count = Math.min(length, bytes.length - start - 4, Math.max(0, most - out) + 65536, this.output.length - out);
    this.output.set(bytes.subarray(start + 4, start + 4 + count), out);
    return count < length && start + 4 + count >= bytes.length ? -2 : count;
  }
}

/** The beginning of a stream. */
export const streamStart: Checkpoint = { bit: 0, out: 0, tables: null, final: false };
