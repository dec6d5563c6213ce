import 'server-only';

/** What may go on while others wait: a read is short; a write, or a transaction, takes the engine for several statements. */
export type Lane = 'read' | 'write';

/** So many reads go before a write that waits; then it is its turn. */
const READS_IN_A_ROW = 8;

/** Lets everything that waits for the event loop be done: connections are read, answers are sent, what is in memory is answered. */
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Turns at the embedded engine, which works on the thread that answers requests. Its own queue goes on without a pause as long as somebody
 * waits, so nobody else is heard until all are done: libuv accepts one connection in a round of its loop, and answers from memory wait as
 * well. And a read stands behind every write that came before it.
 *
 * One statement or transaction has the engine at a time, in the order of its lane; between two, and between the statements of a
 * transaction, the event loop gets its turn (lib/server/README.md, 44).
 */
export class EngineTurns {
  #isTaken = false;
  #readsInARow = 0;
  readonly #waiting: Record<Lane, (() => void)[]> = { read: [], write: [] };

  /** Does `work` when it is its turn. */
  async take<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting[lane].push(resolve));
    else this.#isTaken = true;
    try {
      return await work();
    } finally {
      // Also when nobody waits: whatever the loop has already read would go on with a statement each, before anybody else is heard.
      setImmediate(() => this.#next());
    }
  }

  /** Between the statements of a transaction. */
  pause(): Promise<void> {
    return breathe();
  }

  /** The engine is still taken until here, so nobody slips past those who wait. */
  #next(): void {
    const { read, write } = this.#waiting;
    const isReadsTurn = write.length === 0 || (read.length > 0 && this.#readsInARow < READS_IN_A_ROW);
    this.#readsInARow = isReadsTurn ? this.#readsInARow + 1 : 0;
    const next = (isReadsTurn ? read : write).shift();
    if (next) next();
    else this.#isTaken = false;
  }
}

/** The lane of a statement that stands alone. What reads begins with this word; a statement that begins otherwise may write. */
export function laneOf(statement: string): Lane {
  return /^\s*select\b/i.test(statement) ? 'read' : 'write';
}
