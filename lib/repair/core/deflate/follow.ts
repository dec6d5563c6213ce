import type { Judge } from './packedtext';

/** Places to begin again at need not lie nearer to each other than so many bytes. */
const placeEvery = 64;

/** Index of the last element of a sorted list for which a test holds, or -1. */
export function lastIndex<T>(list: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [-1, list.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const one = list[middle];
    if (one !== undefined && holds(one)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Notes a place to begin again at; only the last one of those that lie near each other is kept. */
export function notePlace<P extends { at: number }>(places: P[], place: P): void {
  const before = places.at(-2);
  if (before && place.at - before.at < placeEvery) places[places.length - 1] = place;
  else places.push(place);
}

/** Follows a text with a judge while the text changes: what lies before a change is not judged twice. */
export class Follower<P extends { at: number }> {
  readonly judge: Judge<P>;
  readonly places: P[] = [];
  readonly #start: P;
  #fault = 0;

  constructor(judge: Judge<P>, start: P) {
    this.judge = judge;
    this.#start = start;
  }

  /** The last place at or before an offset from which the text can be judged. */
  placeBefore(at: number): P {
    return this.places[lastIndex(this.places, (place) => place.at <= at)] ?? this.#start;
  }

  /** The first fault in `length` bytes of text that changed from `from` on; or `length`. */
  follow(from: number, length: number): number {
    const kept = lastIndex(this.places, (place) => place.at <= Math.min(from, this.#fault));
    const place = this.places[kept] ?? this.#start;
    this.places.length = Math.max(0, kept);
    this.#fault = this.judge.fault(place, length, this.places);
    return this.#fault;
  }

  /** Tells that the text changed from `from` on, when it is not followed at once. */
  forget(from: number): void {
    this.#fault = Math.min(this.#fault, from);
  }
}
