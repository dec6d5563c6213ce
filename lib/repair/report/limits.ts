import { Effort } from './effort';

/** Bounds on everything a hostile file could blow up. Sizes in bytes, time in milliseconds. */
export type RepairLimits = {
  /** Largest document or photo that is read at all. */
  inputBytes: number;
  /** Largest video; videos are read in pieces, so this bounds disk and time rather than memory. */
  videoBytes: number;
  /** All compressed content of one file, once it is inflated. */
  inflatedBytes: number;
  /** Members of a ZIP container, or streams of an OLE container. */
  entries: number;
  /** Objects of a PDF. */
  objects: number;
  pages: number;
  pixels: number;
  /** Nesting of XML elements, PDF arrays or record containers. */
  nesting: number;
  /** What searches may do in all, in the units of `Effort`: what decides, as it is the same on every machine. */
  effort: number;
  /** The last end, so far off that it does not decide what becomes of a file that is not made to take long. */
  milliseconds: number;
};

const mebibyte = 1024 * 1024;

/** Limits for a machine with 512 MB to spare. */
export const defaultLimits: RepairLimits = {
  inputBytes: 256 * mebibyte,
  videoBytes: 5 * 1024 * mebibyte,
  inflatedBytes: 192 * mebibyte,
  entries: 20_000,
  objects: 500_000,
  pages: 20_000,
  pixels: 120_000_000,
  nesting: 256,
  effort: 60_000,
  milliseconds: 270_000,
};

/** Thrown inside the engine when a file asks for more than a limit allows; becomes an honest verdict, never an exception for the caller. */
export class LimitError extends Error {
  override name = 'LimitError';
}

/** Thrown for wrong use: no such input, input and output the same file, an unknown type code. */
export class RepairMisuse extends Error {
  override name = 'RepairMisuse';
}

/** The last end of a job by the clock, and the effort that it may take until then. Loops over content call `check` so that none can hang. */
export class Deadline {
  readonly effort: Effort;
  readonly #end: number;
  readonly #now: () => number;

  constructor(milliseconds: number, now: () => number, effort = new Effort(defaultLimits.effort)) {
    this.#now = now;
    this.#end = now() + milliseconds;
    this.effort = effort;
  }

  /** Milliseconds that are left, never below zero: for work outside of this process, which has to be told when to end. */
  get left(): number {
    return Math.max(0, this.#end - this.#now());
  }

  /** The same end for a part of the job that may take at most so many units of its effort. */
  within(units: number): Deadline {
    return new Deadline(this.left, this.#now, this.effort.share(units));
  }

  /** Throws LimitError once the time is up. */
  check(): void {
    if (this.#now() > this.#end) throw new LimitError('The repair took longer than it is allowed to.');
  }
}
