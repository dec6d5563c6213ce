import type { Canvas } from './canvas';
import type { Continuation } from './fitting';
import type { Change } from './mend';
import { findRowShift, type RowShift, Skyline } from './skyline';

/**
 * What was searched for in one picture and what came of it. A picture is read several times when breaks are doubted, and wherever the same
 * data meets the same picture above it a search finds the same.
 */
export class Searches {
  readonly #versions = new Map<string, number>();
  readonly #changes = new Map<string, Change | null>();
  readonly #continuations = new Map<string, Continuation | null>();
  readonly #shifts = new Map<string, RowShift | null>();

  /** The number of what a version of a stretch becomes by a change. */
  versionAfter(version: number, { kind, at }: Change): number {
    const key = `${version}:${kind}:${at}`;
    const number = this.#versions.get(key) ?? this.#versions.size + 2;
    this.#versions.set(key, number);
    return number;
  }

  change(situation: string, search: () => Change | null): Change | null {
    return remembered(this.#changes, situation, search);
  }

  continuation(situation: string, search: () => Continuation | null): Continuation | null {
    return remembered(this.#continuations, situation, search);
  }

  /** The shift of the row of MCUs before `place`, by the edges between it and the one above. */
  shift(canvas: Canvas, place: number, since: number): RowShift | null {
    const { layout, edges } = canvas;
    const from = place - layout.across;
    if (from - layout.across < since) return null;
    let sum = sumOf(edges.bottom, (from - layout.across) * edges.width, from * edges.width, firstSum);
    sum = sumOf(edges.top, from * edges.width, place * edges.width, sum);
    return remembered(this.#shifts, `${place}:${sum}`, () => findRowShift(canvas, place, since));
  }
}

/** Where a sum of edges begins (FNV-1, a 32-bit one), and goes on with each of them. */
const firstSum = 0x811c9dc5;
const nextSum = 0x01000193;

function sumOf(edges: Int16Array, from: number, to: number, begun: number): number {
  let sum = begun | 0;
  for (let at = from; at < to; at++) sum = Math.imul(sum ^ (edges[at] ?? 0), nextSum);
  return sum;
}

function remembered<T>(found: Map<string, T | null>, situation: string, search: () => T | null): T | null {
  const known = found.get(situation);
  if (known !== undefined) return known;
  const result = search();
  found.set(situation, result);
  return result;
}

/** Names what a search at `place` looks at: the data from there on, and the lower edges of what is above. */
export function situationOf(canvas: Canvas, place: number, to: number, version: number): string {
  const { layout, edges, stretch, bit, before } = canvas;
  const { places } = new Skyline(canvas, place);
  let sum = 0;
  for (const above of places) {
    sum = Math.imul(sum ^ above, nextSum);
    if (above >= 0) sum = sumOf(edges.bottom, above * edges.width, (above + 1) * edges.width, sum);
  }
  for (let at = place * layout.components; at < (place + 1) * layout.components; at++)
    sum = Math.imul(sum ^ (before[at] ?? 0), nextSum);
  return [version, stretch[place], bit[place], place, to, sum].join();
}
