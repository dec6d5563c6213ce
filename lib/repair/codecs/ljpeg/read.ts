import type { Buffer } from '../../host/bytes';
import type { LosslessFrame } from './frame';

/** What stands where the data of a lossless picture cannot be read on. */
export type LosslessFault = 'code' | 'range' | 'short' | 'left';

/** How far a lossless picture reads. */
export type LosslessReading = {
  /** Samples of all components that were read soundly, of `all`; the lines are those before the first fault. */
  samples: number;
  all: number;
  /** What was wrong first; null where the data ends as it must. */
  fault: LosslessFault | null;
  /** Where reading ended, in bytes from the beginning of the file. */
  at: number;
};

/** Takes a line of samples: those of all components, one pixel after the other. What it holds is overwritten by the next one. */
export type TakeLine = (line: Uint16Array, index: number) => void;

/** Bytes behind the last sample that may be no filling: the one that it ends in. */
const mostLeft = 1;

/** Bits of packed data, with marks told from it (ISO/IEC 10918-1, F.2.2.5). */
export class LosslessBits {
  at: number;
  readonly #bytes: Buffer;
  readonly #end: number;
  #held = 0;
  #count = 0;
  /** Bits that were made up behind the end of the data. */
  past = 0;

  constructor(bytes: Buffer, at: number, end: number) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = Math.min(end, bytes.length);
  }

  /** Holds at least 17 bits, where need be with ones behind the end. */
  #fill(): void {
    while (this.#count <= 16) {
      let byte = 0xff;
      const next = this.at < this.#end ? (this.#bytes[this.at] ?? 0) : -1;
      if (next >= 0 && next !== 0xff) {
        byte = next;
        this.at++;
      } else if (next === 0xff && this.#bytes[this.at + 1] === 0 && this.at + 1 < this.#end) this.at += 2;
      else this.past += 8;
      this.#held = ((this.#held << 8) | byte) & 0xffffff;
      this.#count += 8;
    }
  }

  /** The difference that the next code and the bits behind it stand for (H.1.2.2); `none` where no code begins so. */
  difference(lookup: Uint16Array): number {
    if (this.#count <= 16) this.#fill();
    const entry = lookup[(this.#held >> (this.#count - 16)) & 0xffff] ?? 0;
    if (entry === 0) return none;
    this.#count -= entry >> 8;
    const category = entry & 0xff;
    if (category === 0) return 0;
    if (category === 16) return 32_768;
    if (this.#count < category) this.#fill();
    this.#count -= category;
    const value = (this.#held >> this.#count) & ((1 << category) - 1);
    return value < 1 << (category - 1) ? value - (1 << category) + 1 : value;
  }

  /** Whether more was read than there is. */
  get isShort(): boolean {
    return this.past > this.#count;
  }

  /** Goes behind the restart mark that stands here; false where none does. */
  restart(): boolean {
    this.#held = 0;
    this.#count = 0;
    this.past = 0;
    const kind = this.#bytes[this.at + 1] ?? 0;
    if (this.at + 2 > this.#end || this.#bytes[this.at] !== 0xff || kind < 0xd0 || kind > 0xd7) return false;
    this.at += 2;
    return true;
  }

  /** Whether what stands from here up to the next mark, or to the end, is filling and no data. */
  get isOver(): boolean {
    const from = this.at - Math.floor(Math.max(0, this.#count - this.past) / 8);
    let to = this.at;
    while (to < this.#end && !(this.#bytes[to] === 0xff && (this.#bytes[to + 1] ?? 0) !== 0)) to++;
    const rest = this.#bytes.subarray(Math.max(0, from), to);
    return rest.length <= mostLeft || rest.every((byte) => byte === 0) || rest.every((byte) => byte === 0xff);
  }
}

/** No code begins so. */
export const none = 0x7fff_ffff;

/**
 * Reads a lossless picture to its last sample, from its header on up to `end`, and gives each line to `take`. It is sound when every code
 * is one, no sample has more bits than the header says, and the data ends with the last sample.
 */
export function readLossless(bytes: Buffer, frame: LosslessFrame, end: number, take?: TakeLine): LosslessReading {
  const isPlain = frame.components.every(({ across, down }) => across === 1 && down === 1);
  return isPlain ? readPlain(bytes, frame, end, take) : readUnits(bytes, frame, end);
}

/** Components of the same size, line by line. */
function readPlain(bytes: Buffer, frame: LosslessFrame, end: number, take: TakeLine | undefined): LosslessReading {
  const { width, height, components } = frame;
  const line = width * components.length;
  const all = line * height;
  const bits = new LosslessBits(bytes, frame.dataAt, end);
  const reader = new LineReader(frame, bits);
  for (let row = 0; row < height; row++) {
    const isFresh = frame.interval > 0 && row > 0 && (row * width) % frame.interval === 0;
    const fault = isFresh && !bits.restart() ? 'short' : reader.read(row === 0 || isFresh);
    if (fault) return { samples: row * line, all, fault, at: bits.at };
    take?.(reader.line, row);
  }
  return { samples: all, all, fault: bits.isOver ? null : 'left', at: bits.at };
}

/** Reads lines, each from the one above. */
class LineReader {
  line: Uint16Array;
  #above: Uint16Array;
  readonly #frame: LosslessFrame;
  readonly #bits: LosslessBits;
  readonly #lookups: Uint16Array[];

  constructor(frame: LosslessFrame, bits: LosslessBits) {
    this.#frame = frame;
    this.#bits = bits;
    this.#lookups = frame.components.map(({ table }) => table.lookup);
    this.line = new Uint16Array(frame.width * frame.components.length);
    this.#above = new Uint16Array(this.line.length);
  }

  /** The next line, foretold from nothing where it is the first; what is wrong with it, or null. */
  read(isFirst: boolean): LosslessFault | null {
    [this.#above, this.line] = [this.line, this.#above];
    const { line } = this;
    const above = this.#above;
    const { predictor, precision, shift, components } = this.#frame;
    const count = components.length;
    const tooLarge = 2 ** (precision - shift);
    // The first line knows only what stands on the left, and its first pixel half of what there is (H.1.2.1).
    const kind = isFirst ? 1 : predictor;
    for (let at = 0; at < line.length; at++) {
      const difference = this.#bits.difference(this.#lookups[at % count] as Uint16Array);
      if (difference === none) return 'code';
      let foretold = line[at - count] ?? 0;
      if (at < count) foretold = isFirst ? tooLarge / 2 : (above[at] ?? 0);
      else if (kind !== 1) foretold = foretell(kind, foretold, above[at] ?? 0, above[at - count] ?? 0);
      const value = (foretold + difference) & 0xffff;
      if (value >= tooLarge) return 'range';
      line[at] = value;
    }
    return this.#bits.isShort ? 'short' : null;
  }
}

/** What neighbours foretell of a sample (table H.1). */
function foretell(predictor: number, left: number, above: number, corner: number): number {
  switch (predictor) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return corner;
    case 4:
      return left + above - corner;
    case 5:
      return left + ((above - corner) >> 1);
    case 6:
      return above + ((left - corner) >> 1);
    default:
      return (left + above) >> 1;
  }
}

/** Components of several sizes (small raw photos of Canon): what their samples come to is not told by the standard, so codes are counted alone. */
function readUnits(bytes: Buffer, { dataAt, width, height, components }: LosslessFrame, end: number): LosslessReading {
  const across = Math.max(...components.map((one) => one.across));
  const down = Math.max(...components.map((one) => one.down));
  const units = Math.ceil(width / across);
  const lines = Math.ceil(height / down);
  const lookups = components.flatMap((one) => Array.from({ length: one.across * one.down }, () => one.table.lookup));
  const all = units * lines * lookups.length;
  const bits = new LosslessBits(bytes, dataAt, end);
  for (let line = 0; line < lines; line++) {
    for (let unit = 0; unit < units; unit++)
      for (const lookup of lookups)
        if (bits.difference(lookup) === none)
          return { samples: line * units * lookups.length, all, fault: 'code', at: bits.at };
    if (bits.isShort) return { samples: line * units * lookups.length, all, fault: 'short', at: bits.at };
  }
  return { samples: all, all, fault: bits.isOver ? null : 'left', at: bits.at };
}
