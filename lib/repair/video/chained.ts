import { pieceSizes } from '../core/exchange';
import type { Effort } from '../report';
import type { Reading } from './session';
import { type Moves, type Read, View } from './view';

/**
 * A file whose parts each lead to the next, from the one at `from` up to `end`: where the part at a place ends, or what is inside of it begins;
 * null where no part can begin there. All in bytes.
 */
export type Chain = { from: number; end: number; next(read: Read, at: number): number | null };

/** Exchanges that are looked for, as many as make a ring of four. */
const mostExchanges = 4;
/** Parts before the place at which the chain breaks, one of which may have led astray. */
const lastParts = 3;
/** Bytes of a head of a part, which may lie across the end of a piece. */
const headBytes = 16;
/** Parts behind a piece that a piece in its place must lead to, so that it is not a hit by chance. */
const leastBehind = 2;

/** How far a chain leads: the last parts that it holds, and where it breaks; -1 where it comes to its end. */
type Walked = { parts: number[]; breaksAt: number; count: number };

/** What a chain tells of the pieces that stand elsewhere; null where there are none. */
export function byChain({ size, moves }: View): Moves | null {
  if (moves.length === 0) return null;
  return { size, moves, by: 'chain', rebuilt: [{ unit: 'pieces', count: moves.length, how: 'exchanged' }] };
}

type Step = { view: View; walked: Walked };

/** How far a chain reaches; a whole one as far as all that is. */
const reachOf = ({ breaksAt }: Walked) => (breaksAt < 0 ? Number.MAX_SAFE_INTEGER : breaksAt);

class Search {
  readonly #reading: Reading;
  readonly #chain: Chain;
  readonly #size: number;
  readonly #effort: Effort;

  constructor(reading: Reading, chain: Chain, size: number, effort: Effort) {
    this.#reading = reading;
    this.#chain = chain;
    this.#size = size;
    this.#effort = effort;
  }

  /** Follows a chain from one of its parts up to where it breaks, or to the first part at or behind `until`, if more than `leastBehind` are there. */
  async #walk({ read }: View, from: number, until = Number.POSITIVE_INFINITY): Promise<Walked> {
    const parts: number[] = [];
    let count = 0;
    let behind = 0;
    for (let at = from; ; count++) {
      if (at === this.#chain.end) return { parts, breaksAt: -1, count };
      if (at >= until && behind++ >= leastBehind) return { parts, breaksAt: at, count };
      this.#effort.spend('chainStep');
      const next = at > this.#chain.end || this.#effort.isSpent ? null : this.#chain.next(read, at);
      if (next === null || next <= at) return { parts, breaksAt: at, count };
      parts.push(at);
      if (parts.length > lastParts) parts.shift();
      at = next;
      if ((count & 255) === 0) await this.#reading.source.pause(this.#reading.job.deadline);
    }
  }

  /** The pieces in which what breaks a chain may lie: where it breaks, and the heads of the last parts before. */
  #suspects({ parts, breaksAt }: Walked): number[] {
    const places = [breaksAt, breaksAt + headBytes, ...parts, ...parts.map((part) => part + headBytes)];
    const pieces = places.map((place) => place - (place % this.#size));
    return [...new Set(pieces)].filter((piece) => piece + this.#size <= this.#reading.source.size);
  }

  /** How far a chain leads from one of its parts with another piece in a place; null where it does not lead over that. */
  async #over(tried: View, start: number, place: number): Promise<Walked | null> {
    const over = await this.#walk(tried, start, place + this.#size);
    if (over.breaksAt < 0) return over;
    return over.breaksAt < place + this.#size ? null : await this.#walk(tried, start);
  }

  /** The only exchange with which a chain leads further than with any other, over the piece that is put right. */
  async #best(view: View, walked: Walked): Promise<Step | null> {
    let best: Step | null = null;
    let isOnly = true;
    for (const one of this.#suspects(walked)) {
      const start = walked.parts.findLast((part) => part < one) ?? this.#chain.from;
      for (let other = 0; other + this.#size <= this.#reading.source.size; other += this.#size) {
        if (this.#effort.isSpent) return null;
        if (other === one) continue;
        const tried = view.with(one, other);
        const whole = await this.#over(tried, start, one);
        const further = whole ? reachOf(whole) - reachOf(best?.walked ?? walked) : -1;
        if (whole && further > 0) [best, isOnly] = [{ view: tried, walked: whole }, true];
        else if (further === 0 && best) isOnly = false;
      }
    }
    return isOnly ? best : null;
  }

  /** The order in which a broken chain leads to its end; null where it is not broken, or there is none. */
  async run(): Promise<Moves | null> {
    let view = new View(this.#reading.source, this.#size);
    let walked = await this.#walk(view, this.#chain.from);
    for (let count = 0; walked.breaksAt >= 0; count++) {
      const best = count < mostExchanges ? await this.#best(view, walked) : null;
      if (!best) return null;
      ({ view, walked } = best);
    }
    return this.#effort.isSpent ? null : byChain(view);
  }
}

/**
 * Finds clusters or sectors that stand in each other's place in a file whose parts lead from one to the next: with the right piece in the place
 * where that ends, it goes on, and with all of them up to the end of the file. Null where the chain is whole, or more is wrong than that.
 */
export async function findInChain(reading: Reading, chain: Chain, effort: Effort): Promise<Moves | null> {
  for (const size of pieceSizes) {
    const found = await new Search(reading, chain, size, effort).run();
    if (found) return found;
  }
  return null;
}
