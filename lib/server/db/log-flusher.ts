import 'server-only';
import fs from 'node:fs';
import { coalesced } from '../base/coalesce';

/** A segment of the write-ahead log; its name tells timeline and place. */
const segment = /\/pg_wal\/[0-9A-F]{24}$/;

const zeros = Buffer.alloc(64 * 1024);

/**
 * Lets commits that come together share one flush of the write-ahead log. The engine asks for a flush at each commit; here it is noted, and
 * done beside the engine, which goes on meanwhile. Whoever is told of a commit, or reads what it wrote, waits for {@link settled} first.
 *
 * The order that recovery relies on stays: before anything else is written, renamed or removed, the log is on the disk.
 */
export class LogFlusher {
  #isGrouping = false;
  /** Descriptors of the log with something that no flush has begun to cover. */
  #waiting = new Set<number>();
  /** Those that a running flush covers. */
  #covered = new Set<number>();
  #running: Promise<void> | null = null;
  #failure: Error | null = null;
  #flushes = 0;
  readonly #flush = coalesced(() => this.#flushWaiting());

  /** Flushes that reached the disk so far. */
  get flushes(): number {
    return this.#flushes;
  }

  /** From now on flushes of the log may be put off until {@link settled}. */
  group(): void {
    this.#isGrouping = true;
  }

  /** From now on everything is flushed at once again, and what waits is flushed now. */
  ungroup(): void {
    this.flushNow();
    this.#isGrouping = false;
  }

  /** The engine asks for a file to be flushed. */
  sync(path: string, descriptor: number): void {
    if (this.#isGrouping && segment.test(path)) {
      this.#waiting.add(descriptor);
      return;
    }
    this.flushNow();
    this.#syncNow(descriptor);
  }

  /** The engine writes to a file. Pages of zeros, by which files grow, mean nothing yet. */
  beforeWrite(path: string, bytes: Uint8Array): void {
    if (this.#waiting.size + this.#covered.size === 0 || segment.test(path)) return;
    const isZero = bytes.length <= zeros.length && zeros.compare(bytes, 0, bytes.length, 0, bytes.length) === 0;
    if (!isZero) this.flushNow();
  }

  /** The engine closes a file: its descriptor may be another file's in a moment. */
  beforeClose(descriptor: number): void {
    if (!this.#waiting.has(descriptor) && !this.#covered.has(descriptor)) return;
    this.#syncNow(descriptor);
    this.#waiting.delete(descriptor);
    this.#covered.delete(descriptor);
  }

  /** Has everything that waits reach the disk before this returns. */
  flushNow(): void {
    for (const descriptor of [...this.#waiting, ...this.#covered]) this.#syncNow(descriptor);
    this.#waiting.clear();
    this.#covered.clear();
  }

  /** Ends when all that was committed before this call is on the disk; null when it is already. Rejects, for good, when the disk refused. */
  settled(): Promise<void> | null {
    if (this.#failure) return Promise.reject(this.#failure);
    return this.#waiting.size > 0 ? this.#flush() : this.#running;
  }

  #syncNow(descriptor: number): void {
    fs.fsyncSync(descriptor);
    this.#flushes += 1;
  }

  #flushWaiting(): Promise<void> {
    this.#covered = this.#waiting;
    this.#waiting = new Set();
    const covered = this.#covered;
    const run = Promise.all([...covered].map((descriptor) => this.#syncBeside(descriptor, covered))).then(() => {
      covered.clear();
      this.#running = null;
    });
    this.#running = run;
    return run;
  }

  #syncBeside(descriptor: number, covered: ReadonlySet<number>): Promise<void> {
    return new Promise((resolve, reject) => {
      fs.fsync(descriptor, (error) => {
        // Flushed and closed by the engine meanwhile.
        if (error && covered.has(descriptor)) {
          // What the disk refused once it may forget without a word the next time: nothing after this can be trusted.
          this.#failure = new Error('The disk refused a flush of the database.', { cause: error });
          reject(this.#failure);
          return;
        }
        this.#flushes += 1;
        resolve();
      });
    });
  }
}
