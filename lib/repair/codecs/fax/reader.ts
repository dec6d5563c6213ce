import { mode, modeBits, modeTable, runBits, runTables, terminating } from './tables';

/**
 * How rows are coded (TIFF 6.0, section 10 and 11): as runs alone, each row from a byte of its own (`plain`); as ITU-T T.4 has it, with a mark in
 * front of each row and either rows of runs alone (`oneWay`) or some by the row above (`twoWay`); or all by the row above (`both`, ITU-T T.6).
 */
export type FaxKind = 'plain' | 'oneWay' | 'twoWay' | 'both';

/** Zeroes of the mark of T.4 in front of its one. */
const markZeroes = 11;
/** The row above the first one: white all over. */
export const blank: readonly number[] = [];

/** Reads rows of bilevel pictures (ITU-T T.4 and T.6) as the places, in pixels, at which the colour changes; the first change is to black. */
export class FaxReader {
  readonly #data: Uint8Array;
  readonly #width: number;
  /** The next bit. */
  position = 0;

  constructor(data: Uint8Array, width: number) {
    this.#data = data;
    this.#width = width;
  }

  get end(): number {
    return this.#data.length * 8;
  }

  /** The next bits, with zeroes behind the end. */
  peek(count: number): number {
    const byte = this.position >>> 3;
    const data = this.#data;
    const word = ((data[byte] ?? 0) << 16) | ((data[byte + 1] ?? 0) << 8) | (data[byte + 2] ?? 0);
    return ((word << (this.position & 7)) & 0xffffff) >>> (24 - count);
  }

  /** Whether a mark begins here, with as many zeroes in front of it as it takes to fill bytes up. */
  isAtMark(): boolean {
    return this.peek(markZeroes) === 0;
  }

  /** Steps over a mark and the zeroes in front of it; false where none begins here. */
  mark(): boolean {
    if (!this.isAtMark()) return false;
    while (this.position < this.end && this.peek(1) === 0) this.position++;
    this.position++;
    return this.position <= this.end;
  }

  /** Goes to the next byte. */
  align(): void {
    this.position = (this.position + 7) & ~7;
  }

  /** A row of runs alone (T.4, 4.1); null where the data makes none of this width. */
  runs(): number[] | null {
    const changes: number[] = [];
    let [at, colour] = [0, 0];
    while (at < this.#width || changes.length === 0) {
      const run = this.#run(colour);
      if (run < 0 || at + run > this.#width) return null;
      at += run;
      // A row ends with white where its last run is one of black.
      if (at < this.#width) change(changes, at);
      else break;
      colour ^= 1;
    }
    return this.position <= this.end ? changes : null;
  }

  /** A row by the one above (T.4, 4.2; T.6, 2.2); null where the data makes none of this width. */
  byAbove(above: readonly number[]): number[] | null {
    const width = this.#width;
    const changes: number[] = [];
    let [at, colour, index] = [-1, 0, 0];
    while (at < width) {
      index = changeBehind(above, at, colour, index);
      const entry = modeTable[this.peek(modeBits)] ?? 0;
      this.position += entry >> 12;
      const found = (entry & 0xfff) - 1;
      if (found < 0) return null;
      if (found === mode.pass) at = above[index + 1] ?? width;
      else if (found === mode.horizontal) {
        at = this.#pair(changes, Math.max(at, 0), colour);
        if (at > width) return null;
      } else {
        const place = (above[index] ?? width) + found - mode.same;
        if (place < Math.max(at, 0) || place > width) return null;
        change(changes, place);
        at = place;
        colour ^= 1;
      }
    }
    while (changes.at(-1) === width) changes.pop();
    return this.position <= this.end ? changes : null;
  }

  /** Two runs in horizontal mode, of a colour and of the other; the pixel behind them. */
  #pair(changes: number[], at: number, colour: number): number {
    const first = at + this.#runOrEnd(colour);
    const second = first + this.#runOrEnd(colour ^ 1);
    if (second > this.#width) return second;
    change(changes, first);
    change(changes, second);
    return second;
  }

  /** A run, or one that is longer than any row where there is none. */
  #runOrEnd(colour: number): number {
    const run = this.#run(colour);
    return run < 0 ? Number.POSITIVE_INFINITY : run;
  }

  /** A run of a colour; -1 where no code begins. */
  #run(colour: number): number {
    const table = runTables[colour & 1] ?? runTables[0];
    for (let total = 0; total <= this.#width; ) {
      const entry = table[this.peek(runBits)] ?? 0;
      if (entry === 0) return -1;
      this.position += entry >> 12;
      const run = (entry & 0xfff) - 1;
      total += run;
      if (run <= terminating) return total;
    }
    return -1;
  }
}

/** Which change of the row above is the first one to the right of a pixel that is to the other colour (b1 of T.4, 4.2.1.1), from one near it on. */
function changeBehind(above: readonly number[], at: number, colour: number, near: number): number {
  let index = near;
  while (index > 0 && (above[index - 1] ?? 0) > at) index--;
  while (index < above.length && (above[index] ?? 0) <= at) index++;
  return (index & 1) === colour ? index : index + 1;
}

/** Adds a change; two of them at one place are none. */
function change(changes: number[], at: number): void {
  if (changes.at(-1) === at) changes.pop();
  else changes.push(at);
}
