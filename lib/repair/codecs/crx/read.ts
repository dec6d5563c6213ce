import type { Buffer } from '../../host/bytes';
import { codeAhead, escaped, median, nextParameter, Runs } from './codes';

/** What is wrong where values do not read on: one that no sensor gives, a run past the end of its line, or data that ends too soon or too late. */
export type CrxFault = 'range' | 'run' | 'short' | 'left';

/** How far the values of a plane read: lines that stand, and what is wrong behind them. */
export type CrxReading = { rows: number; fault: CrxFault | null };

/** Bytes that may stand behind the last value: packers write words and fill up. */
const mostLeft = 64;
/** Lines between two looks at the time. */
const linesPerLook = 64;

/** Bits that are held at once. */
const heldBits = 32;

/** Bits of packed data, most significant first; zeros behind the end. */
class CrxBits {
  readonly #data: Buffer;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  /** Whether more was read than there is. */
  get isShort(): boolean {
    return this.#at - (this.#count >> 3) > this.#data.length;
  }

  /** Whole bytes that were not read. */
  get left(): number {
    return this.#data.length - this.#at + (this.#count >> 3);
  }

  /** Reads up to 21 bits. */
  bits(count: number): number {
    if (this.#count < count) this.#fill();
    this.#count -= count;
    return (this.#held >>> this.#count) & ((1 << count) - 1);
  }

  /** Holds as many whole bytes as fit. */
  #fill(): void {
    while (this.#count <= heldBits - 8) {
      this.#held = (this.#held << 8) | (this.#data[this.#at++] ?? 0);
      this.#count += 8;
    }
  }

  /** Counts zeros up to the next one, and goes behind it; as many as begin an escape where none comes. */
  zeros(): number {
    let zeros = 0;
    for (;;) {
      if (this.#count === 0) this.#fill();
      const ahead = Math.clz32(this.#held << (32 - this.#count));
      if (ahead < this.#count) {
        this.#count -= ahead + 1;
        return zeros + ahead;
      }
      zeros += this.#count;
      this.#count = 0;
      if (this.#at > this.#data.length) return Math.max(zeros, escaped.zeros);
    }
  }
}

/** Reads the lines of one band. */
class CrxLines {
  readonly bits: CrxBits;
  readonly #width: number;
  readonly #runs = new Runs();
  #parameter = 0;
  /** The line above and the one that is read, with one value more on each side. */
  #above: Int32Array;
  #line: Int32Array;

  constructor(data: Buffer, width: number) {
    this.bits = new CrxBits(data);
    this.#width = width;
    this.#above = new Int32Array(width + 2);
    this.#line = new Int32Array(width + 2);
  }

  /** Reads the next line; its values begin at 1. Null where a run goes past its end. */
  next(isFirst: boolean): Int32Array | null {
    [this.#above, this.#line] = [this.#line, this.#above];
    this.#line[0] = isFirst ? 0 : (this.#above[1] ?? 0);
    if (isFirst) this.#above.fill(0);
    for (let column = 0; column < this.#width; column++) {
      const run = this.#isFlat(column) ? this.#runAt(column) : null;
      if (run === -1) return null;
      column += run ?? 0;
      if (column < this.#width) this.#read(column, isFirst, run !== null);
    }
    this.#line[this.#width + 1] = (this.#line[this.#width] ?? 0) + 1;
    return this.#line;
  }

  /** Whether a run begins here: the line goes on as it was, and as the one above does. */
  #isFlat(column: number): boolean {
    // Above the first line stand zeros.
    const left = this.#line[column];
    return left === this.#above[column + 1] && left === this.#above[column + 2] && column < this.#width - 1;
  }

  #read(column: number, isFirst: boolean, isBehindRun: boolean): void {
    const above = this.#above;
    const line = this.#line;
    const left = line[column] ?? 0;
    const up = above[column + 1] ?? 0;
    const zeros = this.bits.zeros();
    const isEscaped = zeros >= escaped.zeros;
    const low = this.bits.bits(isEscaped ? escaped.bits : this.#parameter);
    const code = isEscaped ? low : (zeros << this.#parameter) | low;
    let foretold = isFirst ? left : up;
    if (!isFirst && !isBehindRun) foretold = median(left, up, above[column] ?? 0);
    line[column + 1] = foretold + (-(code & 1) ^ (code >>> 1));
    const isAlone = isFirst || column === this.#width - 1;
    this.#parameter = nextParameter(this.#parameter, isAlone ? code : codeAhead(code, above, column));
  }

  /** Writes the run that begins here; its length, or -1 where it is longer than what is left of the line. */
  #runAt(column: number): number {
    const run = this.#runOf(this.#width - column);
    if (run > 0) this.#line.fill(this.#line[column] ?? 0, column + 1, column + 1 + run);
    return run;
  }

  #runOf(left: number): number {
    if (this.bits.bits(1) === 0) return 0;
    let run = 1;
    while (this.bits.bits(1) === 1) {
      run += this.#runs.step;
      // A run that ends with the line says nothing of how long runs are.
      if (run > left) return left;
      this.#runs.longer();
      if (run === left) return run;
    }
    run += this.bits.bits(this.#runs.leftBits);
    this.#runs.shorter();
    return run > left ? -1 : run;
  }
}

/**
 * Reads the packed values of a plane to the last one: every value must be one of `bits` bits around their middle, and the data must end
 * with the last one. `take` gets each line that stands; its values begin at 1.
 */
export function readCrx(
  data: Buffer,
  width: number,
  height: number,
  bits: number,
  check: () => void,
  take?: (line: Int32Array, row: number) => void,
): CrxReading {
  const lines = new CrxLines(data, width);
  const most = 1 << (bits - 1);
  for (let row = 0; row < height; row++) {
    if (row % linesPerLook === 0) check();
    const line = lines.next(row === 0);
    if (!line) return { rows: row, fault: 'run' };
    if (lines.bits.isShort) return { rows: row, fault: 'short' };
    for (let column = 1; column <= width; column++) {
      const value = line[column] ?? 0;
      if (value < -most || value >= most) return { rows: row, fault: 'range' };
    }
    take?.(line, row);
  }
  return { rows: height, fault: lines.bits.left > mostLeft ? 'left' : null };
}
