import type { Effort } from '../../report';
import { blockHead, headBits, storedBytesAt, storedLength } from './blocks';
import type { Codes } from './codes';
import { bitsOf, distanceOf, isByte, padded, symbolAt, symbolValue, widthOf } from './symbols';

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

/** The most bytes of a stored block (RFC 1951, 3.2.4), which is copied as a whole. */
const mostStored = 1 << 16;

/** A DEFLATE stream whose bits may be changed between runs. `bytes` is a copy of its own, `output` is written in place. */
export class StepInflater {
  readonly bytes: Uint8Array;
  readonly output: Uint8Array;
  readonly #view: DataView;
  /** Length of the input in bits. */
  readonly #bits: number;
  readonly #effort: Effort;

  constructor(bytes: Uint8Array, maxOutput: number, effort: Effort) {
    this.#effort = effort;
    const source = padded(bytes);
    this.#view = new DataView(source.buffer);
    this.#bits = bitsOf(source);
    this.bytes = source.subarray(0, bytes.length);
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
    const most = Math.min(limit, this.output.length);
    const every = Math.max(checkpointEvery, Math.ceil(this.output.length / mostCheckpoints));
    const at: Run = { ...from, nextMark: marks ? from.out : never, every };
    let end: StepEnd['end'] | null = null;
    while (end === null) {
      if (at.out >= at.nextMark) mark(at, marks);
      if (at.out >= most) end = 'limit';
      else if (at.bit >= this.#bits) end = 'input';
      else if (at.tables === null) end = this.#begin(at, most);
      else end = this.#symbols(at, at.tables, most, marks, outs);
    }
    this.#effort.spend('inflating');
    this.#effort.spend('inflatedByte', at.out - from.out);
    return { bit: at.bit, out: at.out, tables: at.tables, final: at.final, end };
  }

  /** Reads the head of a block, and all of a stored one. */
  #begin(at: Run, most: number): StepEnd['end'] | null {
    const head = blockHead(this.bytes, at.bit);
    at.final = head.final;
    if (head.kind === 'none') return 'bad';
    if (head.kind === 'codes') {
      if (head.isOwn) this.#effort.spend('codeTables');
      at.tables = head.codes;
      at.bit = head.bit;
      return null;
    }
    const copied = this.#stored(head.at, at.out, most);
    if (typeof copied === 'string') {
      // What the block's head takes is behind it even when the block is none.
      at.bit += headBits;
      return copied;
    }
    at.bit = (storedBytesAt(head.at) + copied) * 8;
    at.out += copied;
    return at.final ? 'done' : null;
  }

  /** Decodes symbols of a block up to its end, or until the output is long enough. */
  #symbols(
    at: Run,
    tables: Codes,
    most: number,
    marks: Checkpoint[] | undefined,
    outs: Int32Array | undefined,
  ): StepEnd['end'] | null {
    const { output } = this;
    const view = this.#view;
    const bits = this.#bits;
    let { bit, out } = at;
    let end: StepEnd['end'] | null = null;
    let isOpen = true;
    let { nextMark } = at;
    while (isOpen && out < most && bit < bits) {
      if (out >= nextMark) {
        at.bit = bit;
        at.out = out;
        mark(at, marks);
        nextMark = at.nextMark;
      }
      if (outs) outs[bit] = out + 1;
      const symbol = symbolAt(view, tables, bit);
      if (isByte(symbol)) {
        output[out++] = symbolValue(symbol);
        bit += widthOf(symbol);
        continue;
      }
      const distance = distanceOf(symbol);
      bit += symbol < 0 ? ~symbol : widthOf(symbol);
      if (symbol < 0 || distance > out) {
        end = 'bad';
        isOpen = false;
      } else if (distance > 0) out = copyWithin(output, out, distance, symbolValue(symbol));
      else {
        if (at.final) end = bit <= bits ? 'done' : 'input';
        else at.tables = null;
        isOpen = false;
      }
    }
    at.bit = bit;
    at.out = out;
    return end;
  }

  /** Copies the stored block whose length stands at byte `start`, and says how many bytes of it. */
  #stored(start: number, out: number, most: number): number | 'bad' | 'input' {
    const { bytes } = this;
    const length = storedLength(bytes, start, bytes.length);
    if (typeof length === 'string') return length;
    const from = storedBytesAt(start);
    const room = Math.min(Math.max(0, most - out) + mostStored, this.output.length - out);
    const count = Math.min(length, bytes.length - from, room);
    this.output.set(bytes.subarray(from, from + count), out);
    return count < length && from + count >= bytes.length ? 'input' : count;
  }
}

/** Copies what stands `distance` bytes back, as far as there is room; the length that there is then. */
function copyWithin(output: Uint8Array, at: number, distance: number, count: number): number {
  const stop = Math.min(output.length, at + count);
  for (let to = at; to < stop; to++) output[to] = output[to - distance] ?? 0;
  return stop;
}

/** A place that no output reaches. */
const never = 0x7fffffff;

/** Where a run is: when to note the next place to begin again at, and how often. */
type Run = Checkpoint & { nextMark: number; every: number };

function mark(at: Run, marks: Checkpoint[] | undefined): void {
  marks?.push({ bit: at.bit, out: at.out, tables: at.tables, final: at.final });
  at.nextMark = at.out + at.every;
}

/** The beginning of a stream. */
export const streamStart: Checkpoint = { bit: 0, out: 0, tables: null, final: false };
