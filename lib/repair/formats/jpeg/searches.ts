import type { Canvas } from './canvas';
import type { Change } from './mend';
import type { Continuation } from './resync';
import { Skyline } from './skyline';

/**
 * What was searched for in one picture and what came of it. A picture is read several times when breaks are doubted, and wherever the same
 * data meets the same picture above it a search finds the same.
 */
export class Searches {
  readonly #versions = new Map<string, number>();
  readonly #changes = new Map<string, Change | null>();
  readonly #continuations = new Map<string, Continuation | null>();

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
    sum = Math.imul(sum ^ above, 16777619);
    for (let at = above * edges.width; above >= 0 && at < (above + 1) * edges.width; at++)
      sum = Math.imul(sum ^ (edges.bottom[at] ?? 0), 16777619);
  }
  for (let at = place * layout.components; at < (place + 1) * layout.components; at++)
    sum = Math.imul(sum ^ (before[at] ?? 0), 16777619);
  return [version, stretch[place], bit[place], place, to, sum].join();
}
