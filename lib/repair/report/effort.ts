/**
 * What one piece of work costs a search, in units: about a millisecond of the machine that the prices were measured on (by the bench of
 * all groups, the time of each search against what it spent). What a search may do follows from its content alone, never from a clock,
 * so that a file is repaired alike on every machine and in every run.
 */
const prices = {
  /** A byte of text out of packed data, and what each beginning to read costs. */
  inflatedByte: 4e-6,
  inflating: 2.5e-3,
  /** The codes of a block of DEFLATE data, from its header. */
  codeTables: 0.05,
  /** A byte of text that is judged. */
  judgedByte: 6e-6,
  /** A byte that is copied, or of which a sum is made. */
  copiedByte: 1e-6,
  summedByte: 5e-7,
  /** Two check sums that are multiplied. */
  sumProduct: 1e-4,
  /** A byte of rows of a picture out of packed data, and a symbol that is only stepped over. */
  rowByte: 4.5e-5,
  symbol: 1.5e-5,
  /** A bit that a header of a block is looked for at. */
  headerBit: 1.2e-4,
  /** A byte of a row that is compared with another one, and a place that a row is tried at. */
  comparedByte: 1.1e-5,
  rowPlace: 1e-4,
  rowStart: 5e-6,
  /** A place behind damage from which rows are read on in trial. */
  rowProbe: 0.1,
  /** A byte of packed data that is unpacked to see whether a check sum agrees. */
  provedByte: 4e-5,
  /** A sample in one step of finding lost ones. */
  solvedSample: 2.7e-5,
  /** A byte out of LZW codes. */
  lzwByte: 2.6e-5,
  /** A block of eight by eight samples of a JPEG, with its place among its neighbours. */
  jpegBlock: 4e-4,
  /** A bit of a slice of H.264 or HEVC that is read down to its coefficients, and what each beginning to read costs. */
  sliceBit: 2.6e-5,
  sliceReading: 2e-2,
  /** A bit of a picture of MPEG-4 Part 2 or H.263, and what each beginning to read costs. */
  wordBit: 5e-6,
  wordReading: 3e-3,
  /** The header of a slice, and what is made ready for a macroblock, or for 16 by 16 samples, of a picture. */
  sliceHeader: 1e-3,
  sliceRoom: 2e-5,
  /** A part of a file whose head is read to get to the next. */
  chainStep: 1.5e-3,
  /** A macroblock that the decoder fills in, in its own process. */
  filledBlock: 3e-3,
  /** A reading of all records of a file, and a byte of it. */
  recordReading: 8,
  recordByte: 2e-5,
  /** A picture inside a document that is looked through, by its bytes, and one that is repaired. */
  pictureByteRead: 6e-5,
  picture: 5,
  pictureByte: 4e-4,
  /** Three bytes in a row, where a copy is joined, that are held against what text looks like; and a place that is ranked by them. */
  joint: 1.1e-5,
  rankedPlace: 1e-4,
  /** A piece of a file with which packed text is read on in trial. */
  textProbe: 0.035,
  /** A byte of XML of which it is told what it is part of, and that is taken in by what stands around it. */
  markupByte: 3e-5,
  /** A piece of three signs whose cost is looked up. */
  trigram: 1.1e-5,
} as const;

export type Work = keyof typeof prices;

/**
 * The effort that a job may still take, in units of work. Searches spend it where they do their work, and stop by shares of it: a share
 * ends after so many units, and with the whole that it is a part of.
 */
export class Effort {
  /** What was spent by all shares of the same job. */
  readonly #meter: { spent: number };
  readonly #end: number;

  constructor(most: number, meter = { spent: 0 }) {
    this.#meter = meter;
    this.#end = meter.spent + most;
  }

  /** Units that are left, never below zero. */
  get left(): number {
    return Math.max(0, this.#end - this.#meter.spent);
  }

  get isSpent(): boolean {
    return this.#meter.spent >= this.#end;
  }

  /** To be called where work is done, with how much of it. */
  spend(work: Work, count = 1): void {
    this.#meter.spent += prices[work] * count;
  }

  /** At most so many units of what is left. */
  share(most: number): Effort {
    return new Effort(Math.min(most, this.left), this.#meter);
  }
}

/** Units that the same work on several parts of a file may take together, whatever else is done between them. */
export class Allowance {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  /** Does some of that work, for at most so many units. */
  take<T>(effort: Effort, most: number, work: (share: Effort) => T): T {
    const before = effort.left;
    const done = work(effort.share(Math.min(most, this.#left)));
    this.#left = Math.max(0, this.#left - (before - effort.left));
    return done;
  }
}
