import type { Effort } from '../../report';
import { type Likeness, lostByte } from './likeness';

/** Text to look at, of which values below zero are copies from so far before it. */
type Traced = { values: Int32Array; length: number };

/** What is known before it, up to where, where it may begin, and where it does if its end is that of the whole. */
type Room = {
  bytes: Uint8Array;
  likeness: Likeness;
  cut: number;
  from: number;
  to: number;
  known: number | null;
  trustsKnown: boolean;
};

/** Joints of copies by which a place can be told, by how many deviations the best must stand out, and the one that its end shows. */
const leastJoints = 12;
const outstanding = 7;
const plausible = 3;
const notFar = 2;
const certain = 10;
/** Places that are looked at again with more of the text, and by how many deviations the best of them must lead. */
const mostRivals = 40;
const clearLead = 2;
/**
 * Joints that all places are held against at first, at least and as a share, and the share of places that is looked at by all of them: one
 * that stands out by all joints does so by a quarter of them, by half as many deviations.
 */
const sampled = { least: 100, every: 4, kept: 0.1 };
/** Bytes of text that are looked at: for all places, and to tell the best ones apart. */
const windows = [2000, 5000, 12_000, 30_000] as const;

/** Three bytes in a row of a text, where copies are joined. */
type Joints = { triples: Int32Array; count: number };

/** A place, and what its joints count on average, with what those of all places do; null where its joints did not show it. */
export type Placed = { place: number; means: { right: number; chance: number } | null };

const unmeasured = (place: number | null): Placed | null => (place === null ? null : { place, means: null });

/**
 * Where a text belongs: copies from before it give other bytes at every place, and only at the right one those go together. Null where no
 * place stands out.
 */
export function bestPlace(text: Traced, room: Room, effort: Effort): Placed | null {
  const near = jointsOf(text, windows[0]);
  if (near.count < leastJoints) return unmeasured(room.known);
  const places = likelyPlaces(near, room, effort);
  if (places.list.length === 0) return unmeasured(room.known);
  const worths = new Worths(near, room, places.spread);
  for (const place of places.list) worths.add(place);
  effort.spend('joint', near.count * places.list.length);
  const ranked = worths.ranked();
  const measured = (place: number | null): Placed | null => {
    if (place === null) return null;
    const index = places.list.indexOf(place);
    return { place, means: index < 0 ? null : { right: worths.mean(index), chance: places.spread.mean } };
  };
  const best = worths.of(ranked[0] ?? 0).deviations;
  const known = room.known === null ? null : worths.of(places.list.indexOf(room.known));
  const isLikely =
    known !== null && known.deviations > plausible && (best < certain || known.deviations > best - notFar);
  const isOpen = known !== null && best < outstanding && (known.count < leastJoints || room.trustsKnown);
  if (isLikely) return measured(room.known);
  if (isOpen) return unmeasured(room.known);
  if (best < outstanding) return null;
  const rivals = ranked.slice(0, mostRivals).map((index) => places.list[index] ?? 0);
  return measured(clearlyBest(text, room, rivals, effort));
}

/** Places that may be the right one by a sample of the joints, the one that the end shows among them, and what all places are like. */
function likelyPlaces(near: Joints, room: Room, effort: Effort): { list: number[]; spread: Spread } {
  const sample = sampleOf(near);
  const worths = new Worths(sample, room);
  const { from } = room;
  const most = Math.floor(room.to);
  for (let place = from; place <= most && !effort.isSpent; place++) {
    worths.add(place);
    effort.spend('joint', sample.count);
  }
  if (effort.isSpent) return { list: [], spread: worths.spread };
  effort.spend('rankedPlace', most - from);
  const kept = sample === near ? worths.length : Math.ceil(worths.length * sampled.kept);
  const list = worths.ranked(kept).map((index) => from + index);
  const { known } = room;
  if (known !== null && known >= from && known <= most && !list.includes(known)) list.push(known);
  return { list, spread: worths.spread };
}

/** Every fourth joint, where there are many. */
function sampleOf(near: Joints): Joints {
  const { least, every } = sampled;
  if (near.count < least * every) return near;
  const count = Math.floor(near.count / every);
  const triples = new Int32Array(count * 3);
  for (let index = 0; index < count; index++)
    triples.set(near.triples.subarray(index * every * 3, index * every * 3 + 3), index * 3);
  return { triples, count };
}

/** Of places that stand out, from the one on that does most, the one that does clearly, with as little more of the text as shows it; null where none does. */
function clearlyBest(text: Traced, room: Room, rivals: readonly number[], effort: Effort): number | null {
  let left = rivals;
  for (const window of windows) {
    const joints = jointsOf(text, window);
    const far = new Worths(joints, room);
    for (const place of left) far.add(place);
    effort.spend('joint', joints.count * left.length);
    const [best = 0, second] = far.ranked();
    const { deviations } = far.of(best);
    if (second === undefined || deviations - far.of(second).deviations > clearLead) return left[best] ?? null;
    left = left.filter((_, index) => deviations - far.of(index).deviations <= clearLead * 2);
  }
  return null;
}

/** Places where what is copied from before is joined with something else. */
function jointsOf({ values, length: whole }: Traced, most: number): Joints {
  const length = Math.min(whole, most);
  const triples = new Int32Array(length * 3);
  const seen = new Set<string>();
  let count = 0;
  for (let index = 2; index < length; index++) {
    const [first, second, third] = [values[index - 2] ?? 0, values[index - 1] ?? 0, values[index] ?? 0];
    if (first >= 0 && second >= 0 && third >= 0) continue;
    if (first < 0 && second === first + 1 && third === second + 1) continue;
    // What is repeated tells nothing new.
    const key = `${first} ${second} ${third}`;
    if (seen.has(key)) continue;
    seen.add(key);
    triples.set([first, second, third], count * 3);
    count++;
  }
  return { triples, count };
}

/** What the joints of all places are worth on average, and how far they deviate from that. */
type Spread = { mean: number; deviation: number };

/** What places are worth by their joints, as far as these are known; held against how these are spread, if that is known from elsewhere. */
class Worths {
  readonly #joints: Joints;
  readonly #room: Room;
  readonly #given: Spread | null;
  readonly #sums: number[] = [];
  readonly #counts: number[] = [];
  #sum = 0;
  #squares = 0;
  #count = 0;

  constructor(joints: Joints, room: Room, given: Spread | null = null) {
    this.#joints = joints;
    this.#room = room;
    this.#given = given;
  }

  get length(): number {
    return this.#sums.length;
  }

  add(place: number): void {
    const { triples, count } = this.#joints;
    let [sum, known] = [0, 0];
    for (let index = 0; index < count * 3; index += 3) {
      const weight = this.#room.likeness.weight(
        this.#byte(triples[index] ?? 0, place),
        this.#byte(triples[index + 1] ?? 0, place),
        this.#byte(triples[index + 2] ?? 0, place),
      );
      if (weight === 0) continue;
      sum += weight;
      known++;
      this.#squares += weight * weight;
    }
    this.#sums.push(sum);
    this.#counts.push(known);
    this.#sum += sum;
    this.#count += known;
  }

  get spread(): Spread {
    if (this.#given) return this.#given;
    const mean = this.#sum / Math.max(1, this.#count);
    return { mean, deviation: Math.sqrt(Math.max(0.1, this.#squares / Math.max(1, this.#count) - mean * mean)) };
  }

  /** What the joints of the place of an index count on average. */
  mean(index: number): number {
    return (this.#sums[index] ?? 0) / Math.max(1, this.#counts[index] ?? 0);
  }

  /** By how many joints the place of an index is told, and how far it stands out from chance, in deviations. */
  of(index: number, { mean, deviation } = this.spread): { count: number; deviations: number } {
    const [sum, count] = [this.#sums[index] ?? 0, this.#counts[index] ?? 0];
    return { count, deviations: count < leastJoints ? 0 : (sum - mean * count) / (deviation * Math.sqrt(count)) };
  }

  /** Indexes of so many places from the one on that stands out most. */
  ranked(most = this.length): number[] {
    const { spread } = this;
    const worths = Float64Array.from(this.#sums, (_, index) => this.of(index, spread).deviations);
    const least = most >= worths.length ? Number.NEGATIVE_INFINITY : (worths.toSorted()[worths.length - most] ?? 0);
    const indexes = [...worths.keys()].filter((index) => (worths[index] ?? 0) >= least);
    indexes.sort((left, right) => (worths[right] ?? 0) - (worths[left] ?? 0));
    return indexes.slice(0, most);
  }

  #byte(value: number, place: number): number {
    if (value >= 0) return value;
    const at = place + value;
    return at >= 0 && at < this.#room.cut ? (this.#room.bytes[at] ?? lostByte) : lostByte;
  }
}
