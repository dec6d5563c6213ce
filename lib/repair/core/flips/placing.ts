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
/** Bytes of text that are looked at: for all places, and to tell the best ones apart. */
const windows = [2000, 5000, 12_000, 30_000] as const;

/** Three bytes in a row of a text, where copies are joined. */
type Joints = { triples: Int32Array; count: number };

/**
 * Where a text belongs: copies from before it give other bytes at every place, and only at the right one those go together. Null where no
 * place stands out.
 */
export function bestPlace(text: Traced, room: Room, effort: Effort): number | null {
  const near = jointsOf(text, windows[0]);
  if (near.count < leastJoints) return room.known;
  const worths = new Worths(near, room);
  const most = Math.max(0, Math.floor(room.to) - room.from);
  for (let index = 0; index <= most; index++) worths.add(room.from + index);
  effort.spend('trigram', near.count * most);
  const ranked = worths.ranked();
  const best = worths.of(ranked[0] ?? 0).deviations;
  const known = room.known === null ? null : worths.of(room.known - room.from);
  const isLikely =
    known !== null && known.deviations > plausible && (best < certain || known.deviations > best - notFar);
  const isOpen = known !== null && best < outstanding && (known.count < leastJoints || room.trustsKnown);
  if (isLikely || isOpen) return room.known;
  return best < outstanding ? null : clearlyBest(text, room, ranked.slice(0, mostRivals));
}

/** Of places that stand out, from the one on that does most, the one that does clearly, with as little more of the text as shows it; null where none does. */
function clearlyBest(text: Traced, room: Room, rivals: readonly number[]): number | null {
  let left = rivals.map((index) => room.from + index);
  for (const window of windows) {
    const far = new Worths(jointsOf(text, window), room);
    for (const place of left) far.add(place);
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

/** What places are worth by their joints, as far as these are known. */
class Worths {
  readonly #joints: Joints;
  readonly #room: Room;
  readonly #sums: number[] = [];
  readonly #counts: number[] = [];
  #sum = 0;
  #squares = 0;
  #count = 0;

  constructor(joints: Joints, room: Room) {
    this.#joints = joints;
    this.#room = room;
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

  /** What the place of an index is worth, by how many joints, and how far that stands out from chance, in deviations. */
  of(index: number): { sum: number; count: number; deviations: number } {
    const mean = this.#sum / Math.max(1, this.#count);
    const deviation = Math.sqrt(Math.max(0.1, this.#squares / Math.max(1, this.#count) - mean * mean));
    const [sum, count] = [this.#sums[index] ?? 0, this.#counts[index] ?? 0];
    const deviations = count < leastJoints ? 0 : (sum - mean * count) / (deviation * Math.sqrt(count));
    return { sum: sum - mean * count, count, deviations };
  }

  /** Indexes of places from the one on that stands out most. */
  ranked(): number[] {
    const all = this.#sums.map((_, index) => ({ index, deviations: this.of(index).deviations }));
    return all.sort((left, right) => right.deviations - left.deviations).map(({ index }) => index);
  }

  #byte(value: number, place: number): number {
    if (value >= 0) return value;
    const at = place + value;
    return at >= 0 && at < this.#room.cut ? (this.#room.bytes[at] ?? lostByte) : lostByte;
  }
}
