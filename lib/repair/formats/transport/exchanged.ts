import { pieceSizes } from '../../core/exchange';
import type { Effort } from '../../report';
import { byChain } from '../../video/chained';
import type { Reading } from '../../video/session';
import { type Moves, View } from '../../video/view';
import { packetBytes } from './census';
import { findGrid, type Grid, jumps, sync } from './packets';

/** Effort for pieces in each other's place, in units. */
const searchEffort = 1500;
/** Pieces that are tried in each other's place, faults by which they are told, and exchanges that are looked for. */
const mostPieces = 24;
const mostFaults = 4000;
const mostExchanges = 4;
/** Bytes before a piece that are read to know the counters of the streams in it: most have a packet in them. */
const lookBack = 1 << 16;

/** Stretches of a file that are read for faults, in the order in which they lie. */
type Stretch = { from: number; to: number };

type Step = { view: View; faults: number };

class Search {
  readonly #reading: Reading;
  readonly #grid: Grid & { start: number };
  readonly #size: number;
  readonly #effort: Effort;

  constructor(reading: Reading, grid: Grid & { start: number }, size: number, effort: Effort) {
    this.#reading = reading;
    this.#grid = grid;
    this.#size = size;
    this.#effort = effort;
  }

  /** Where packets of a stretch do not begin with a sync byte, or their counters jump (ISO/IEC 13818-1, 2.4.3.3); as many as are kept. */
  async #faultsIn({ read }: View, { from, to }: Stretch): Promise<number[]> {
    const { step, lead, start } = this.#grid;
    const { source, job } = this.#reading;
    const faults: number[] = [];
    const last = new Map<number, number>();
    const first = start + Math.max(0, Math.ceil((from - start) / step)) * step;
    for (let at = first; at + step <= Math.min(to, source.size) && faults.length < mostFaults; at += step) {
      this.#effort.spend('chainStep');
      const packet = read(at + lead, packetBytes);
      if (packet[0] !== sync || jumps(packet, last)) faults.push(at);
      await source.pause(job.deadline);
    }
    return faults;
  }

  async #faults(view: View, stretches: readonly Stretch[]): Promise<number> {
    let count = 0;
    for (const stretch of stretches) count += (await this.#faultsIn(view, stretch)).length;
    return count;
  }

  /** The pieces in which faults lie, and those before: at the end of one that stands elsewhere, the next packet jumps. */
  #pieces(faults: readonly number[]): number[] {
    const pieces = new Set<number>();
    for (const fault of faults) {
      const piece = fault - (fault % this.#size);
      pieces.add(piece);
      if (piece > 0) pieces.add(piece - this.#size);
      pieces.add(piece + this.#size);
    }
    return [...pieces]
      .filter((piece) => piece + this.#size <= this.#reading.source.size)
      .sort((one, other) => one - other);
  }

  /** What is read again with every exchange: the pieces with what tells the counters in them, and some packets behind. */
  #stretches(pieces: readonly number[]): Stretch[] {
    const stretches: Stretch[] = [];
    for (const piece of pieces) {
      const [from, to] = [Math.max(0, piece - lookBack), piece + this.#size + lookBack / 2];
      const last = stretches.at(-1);
      if (last && last.to >= from) last.to = to;
      else stretches.push({ from, to });
    }
    return stretches;
  }

  /** The exchange that leaves fewest faults; null where none leaves fewer, or where several leave none at all. */
  async #best(
    view: View,
    pieces: readonly number[],
    stretches: readonly Stretch[],
    most: number,
  ): Promise<Step | null> {
    let best: Step = { view, faults: most };
    let isOnly = true;
    for (const [index, one] of pieces.entries())
      for (const other of pieces.slice(index + 1)) {
        if (this.#effort.isSpent) return null;
        const tried = view.with(one, other);
        const faults = await this.#faults(tried, stretches);
        if (faults === best.faults) isOnly = false;
        if (faults >= best.faults) continue;
        best = { view: tried, faults };
        isOnly = true;
      }
    return best.faults === most || (best.faults === 0 && !isOnly) ? null : best;
  }

  /** The order of pieces with which no packet is out of place; null where there is none, or more is wrong. */
  async run(): Promise<Moves | null> {
    const { source } = this.#reading;
    let view = new View(source, this.#size);
    const pieces = this.#pieces(await this.#faultsIn(view, { from: 0, to: source.size }));
    if (pieces.length < 2 || pieces.length > mostPieces) return null;
    const stretches = this.#stretches(pieces);
    let faults = await this.#faults(view, stretches);
    for (let count = 0; faults > 0; count++) {
      const best = count < mostExchanges ? await this.#best(view, pieces, stretches, faults) : null;
      if (!best) return null;
      ({ view, faults } = best);
    }
    return byChain(view);
  }
}

/** Clusters or sectors of a transport stream that stand in each other's place, by where its packets begin and their counters; null where there are none. */
export async function findMoved(reading: Reading): Promise<Moves | null> {
  const grid = findGrid(reading.source);
  if (!grid) return null;
  const effort = reading.job.deadline.effort.share(searchEffort);
  for (const size of pieceSizes) {
    const found = await new Search(reading, grid, size, effort).run();
    if (found) return found;
  }
  return null;
}
