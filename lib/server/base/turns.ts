import 'server-only';

/** Thrown where so many wait for their turn that another one would wait too long. */
export class Crowded extends Error {
  override name = 'Crowded';
}

/** Has heavy work done a few at a time, the others in the order in which they came. */
export class Turns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** `atOnce` run at the same time, and at most `mostWaiting` wait. */
  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting: number,
  ) {}

  /** Does `work` when it is its turn. Throws {@link Crowded}, and does nothing, when too many wait; `isPatient` waits all the same. */
  async take<T>(work: () => Promise<T>, isPatient = false): Promise<T> {
    if (this.#running >= this.atOnce) {
      if (!isPatient && this.#waiting.length >= this.mostWaiting) throw new Crowded('Too many are waiting.');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next one without being free in between, so nobody slips past those who wait.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
