import type { Effort } from '../../report';
import { FlateReader, headAt, never, type Place, type Sink, type Stop } from './reader';
import { padded } from './symbols';

/** How reading ended, and where: after bits without meaning, behind them. */
export type StepEnd = Place & { end: Stop };

/** The most bits of a symbol (RFC 1951, 3.2.5 to 3.2.7): two codes of 15, and 5 and 13 bits that are added. */
const longestSymbol = 48;
/** Bytes of text between places to begin again at, and the most places, which for long texts lie further apart. */
const checkpointEvery = 16;
const mostCheckpoints = 1 << 16;

/** Turns a bit of what the bytes came of, and back when it is turned again; no byte before it changes. False where there is no such bit. */
export type Turn = (bytes: Uint8Array, bit: number) => boolean;

const turnBit: Turn = (bytes, bit) => {
  const at = bit >> 3;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
  return true;
};

/**
 * A DEFLATE stream whose bits may be changed between runs: reading can begin again at any symbol that was passed before, which makes it
 * cheap to try what a changed bit would lead to. `bytes` is a copy of its own, `output` is written in place.
 */
export class StepInflater implements Sink {
  readonly bytes: Uint8Array;
  readonly output: Uint8Array;
  length = 0;
  readonly #reader: FlateReader;
  readonly #effort: Effort;

  readonly #turn: Turn;

  /** `turn` is what turns a bit where those of the bytes are not what may be wrong. */
  constructor(bytes: Uint8Array, maxOutput: number, effort: Effort, turn: Turn = turnBit) {
    this.#effort = effort;
    this.#turn = turn;
    const source = padded(bytes);
    this.#reader = new FlateReader(source, this, effort);
    // Of text that is cut off, half a letter is better than none.
    this.#reader.mayLack = longestSymbol;
    this.bytes = source.subarray(0, bytes.length);
    this.output = new Uint8Array(maxOutput);
  }

  /** Turns a bit, or turns it back; false where there is no such bit. */
  flip(bit: number): boolean {
    return this.#turn(this.bytes, bit);
  }

  /** Decodes from `from` until `limit` bytes of output are there; `marks` collects places to begin again at. */
  run(from: Place, limit: number, marks?: Place[]): StepEnd {
    const reader = this.#reader;
    reader.place = from;
    reader.passAt = marks ? from.length : never;
    const every = Math.max(checkpointEvery, Math.ceil(this.output.length / mostCheckpoints));
    reader.pass = () => {
      marks?.push(reader.place);
      reader.passAt = this.length + every;
    };
    const end = reader.run(Math.min(limit, this.output.length));
    if (end === 'full' && this.length >= reader.passAt) reader.pass();
    this.#effort.spend('inflating');
    this.#effort.spend('inflatedByte', this.length - from.length);
    const { place } = reader;
    if (end === 'bad' && place.tables) place.bit = reader.behind;
    // Behind the last block its codes are kept, as the end may be none.
    if (end === 'final') place.tables = reader.lastTables;
    return { ...place, end };
  }

  /** Of each bit where a symbol begins, or a block, the length of the output there, plus one. */
  lengths(): Int32Array {
    const reader = this.#reader;
    const lengths = new Int32Array(reader.end + 64);
    reader.place = streamStart;
    reader.passAt = 0;
    reader.pass = () => {
      if (reader.tables) lengths[reader.bit] = this.length + 1;
    };
    reader.run(this.output.length);
    this.#effort.spend('inflating');
    this.#effort.spend('inflatedByte', this.length);
    return lengths;
  }

  byte(value: number): void {
    this.output[this.length++] = value;
  }

  /** Copies what stands `distance` bytes back, as far as there is room. */
  copy(distance: number, count: number): boolean {
    const { output, length } = this;
    if (distance > length) return false;
    const stop = Math.min(output.length, length + count);
    for (let to = length; to < stop; to++) output[to] = output[to - distance] ?? 0;
    this.length = stop;
    return true;
  }

  store(bytes: Uint8Array): void {
    this.output.set(bytes, this.length);
    this.length += bytes.length;
  }
}

/** The beginning of a stream. */
export const streamStart: Place = headAt(0);
