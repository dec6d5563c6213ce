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
  milliseconds: 60_000,
};

/** Thrown inside the engine when a file asks for more than a limit allows; becomes an honest verdict, never an exception for the caller. */
export class LimitError extends Error {
  override name = 'LimitError';
}

/** Thrown for wrong use: no such input, input and output the same file, an unknown type code. */
export class RepairMisuse extends Error {
  override name = 'RepairMisuse';
}

/** The end of the time a job may take. Loops over content call `check` so that none can hang. */
export class Deadline {
  readonly #end: number;
  readonly #now: () => number;
  readonly #milliseconds: number;
  readonly #used = process.cpuUsage();
  #asked = { at: Number.NaN, work: 0 };

  constructor(milliseconds: number, now: () => number) {
    this.#now = now;
    this.#milliseconds = milliseconds;
    this.#end = now() + milliseconds;
  }

  /** Milliseconds that are left, never below zero. */
  get left(): number {
    return Math.max(0, this.#end - this.#now());
  }

  /**
   * Milliseconds of work that are left, never below zero. Time in which the process had to wait for a processor counts half, so that
   * searches find about as much on a busy machine as on a quiet one.
   */
  get work(): number {
    const at = this.#now();
    // Searches ask all the time, and asking the system costs more than what they do in between.
    if (at === this.#asked.at) return this.#asked.work;
    const { user, system } = process.cpuUsage(this.#used);
    const passed = this.#milliseconds - (this.#end - at);
    this.#asked = { at, work: Math.max(0, this.#milliseconds - Math.max((user + system) / 1000, passed / 2)) };
    return this.#asked.work;
  }

  /** The end of a part of the job that gets at most so many milliseconds of it. */
  within(milliseconds: number): Deadline {
    return new Deadline(Math.min(milliseconds, this.left), this.#now);
  }

  /** Throws LimitError once the time is up. */
  check(): void {
    if (this.#now() > this.#end) throw new LimitError('The repair took longer than it is allowed to.');
  }
}
