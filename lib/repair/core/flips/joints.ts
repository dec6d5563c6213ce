import type { Likeness } from './likeness';

/** What a joint counts beside its likeness until more is known: so much that text counts up and debris down. */
const usualDoubt = 1.2;
/** Joints over which what sound text counts is averaged, the latest the most. */
const averaged = 600;
/** Joints that are made by chance of what is known, how many of them must be known, and bytes before a place that they are made of. */
const samples = { made: 2000, least: 500, within: 1 << 16 };
/** By how much more sound joints must count than chance, so that they tell anything. */
const leastApart = 0.2;
/** Joints from which on their average tells sound text from chance. */
const surely = 100;
/** Text counts up to the most, and below the least it is damaged. */
const trust = { most: 30, least: -20 };
/**
 * By how much text counts up again soon, within so many bytes, that was no damage but unlike all before it: behind damage copies stay
 * wrong, as all that reach over it are.
 */
const anew = { worth: 30, within: 1200 };
/** Bytes of text that are learnt from at once, and after which chance is measured anew. */
const learntAtOnce = 4096;
const measuredAtOnce = 1 << 14;

/** A text that is followed: its bytes, whether symbols are joined there, whether it was not learnt from yet, and how what is sound of it is learnt. */
export type Joined = {
  byteAt(index: number): number;
  isJoint(index: number): boolean;
  isNew(index: number): boolean;
  learn(from: number, to: number): void;
};

/** What joints count on average where text stands in its place, and where it does not, as far as that is known. */
export type Means = { right: number | null; chance: number | null };

/** Up to where text was followed, up to where it looked sound, and whether it is damaged from there on. */
export type Followed = { kept: number; at: number; isDamaged: boolean };

/** An average of which the latest counts most. */
class Average {
  value: number | null = null;

  add(sum: number, count: number): void {
    if (count === 0) return;
    const part = this.value === null ? 1 : Math.min(1, count / averaged);
    this.value = (this.value ?? 0) * (1 - part) + (sum / count) * part;
  }
}

/** How far text is trusted that counts up while it is sound and down behind damage. */
class Trust {
  readonly #isSound: boolean;
  #sum = 0;
  #highest = 0;
  #lowest = 0;
  /** From which index on it is no longer trusted. */
  doubtedAt: number | null = null;

  constructor(isSound: boolean) {
    this.#isSound = isSound;
  }

  isLost(at: number): boolean {
    return this.doubtedAt !== null && at - this.doubtedAt >= anew.within;
  }

  /** Counts what stands at an index; whether all up to it is trusted. */
  add(worth: number, at: number): boolean {
    if (this.#isSound) return true;
    this.#sum = Math.min(trust.most, this.#sum + worth);
    if (this.#sum <= trust.least) this.doubtedAt ??= at + 1;
    this.#lowest = Math.min(this.#lowest, this.#sum);
    if (this.doubtedAt !== null && this.#sum - this.#lowest > anew.worth) {
      this.doubtedAt = null;
      [this.#highest, this.#lowest] = [this.#sum, 0];
    }
    if (this.doubtedAt !== null || this.#sum < this.#highest) return false;
    this.#highest = this.#sum;
    return true;
  }
}

/**
 * Tells text from copies that do not belong where they stand. What a joint counts depends on how much was learnt: in a long text, most of
 * what chance puts together was met before. So each is held against the middle between what sound text counts here and what chance does.
 */
export class JointScale {
  readonly #likeness: Likeness;
  readonly #right = new Average();
  #chance: number | null = null;
  #doubt = usualDoubt;

  constructor(likeness: Likeness) {
    this.#likeness = likeness;
  }

  /**
   * Takes in what is known of the averages from elsewhere: at the place of a text, and over more of it before that was learnt, `ahead`, which
   * says nothing where it is no better than chance, as damage in the text makes it.
   */
  take({ right, chance }: Means, ahead: number | null): void {
    const isApart = ahead !== null && chance !== null && ahead - chance > leastApart;
    this.#right.value = isApart ? ahead : right;
    this.#chance = chance;
    this.#weigh();
  }

  /** What three bytes in a row count where symbols are joined, above zero where they look like text; nothing where one is not known. */
  worth(first: number, second: number, third: number): number {
    return this.#worthOf(this.#likeness.weight(first, second, third));
  }

  #worthOf(weight: number): number {
    return weight === 0 ? 0 : weight + this.#doubt;
  }

  /** Follows text between two indexes as long as it looks sound, or to its end where that is known, and learns from what is. */
  follow(text: Joined, from: number, to: number, isSound = false): Followed {
    const trusted = new Trust(isSound);
    let [kept, at, learnt, measured] = [from, from, from, from];
    let [sum, count] = [0, 0];
    for (; at < to && !trusted.isLost(at); at++) {
      const weight = this.#weightAt(text, at);
      // What is learnt already counts more than other text will.
      if (weight !== 0 && text.isNew(at)) [sum, count] = [sum + weight, count + 1];
      if (!trusted.add(this.#worthOf(weight), at)) continue;
      kept = at + 1;
      if (kept - learnt < learntAtOnce && kept < to) continue;
      if (!isSound && this.#isChance(sum, count, this.#right.value))
        return { kept: learnt, at: learnt, isDamaged: true };
      this.#right.add(sum, count);
      this.#weigh();
      [sum, count] = [0, 0];
      text.learn(learnt, kept);
      learnt = kept;
      if (kept - measured < measuredAtOnce && kept < to) continue;
      this.#measureChance(text, kept);
      measured = kept;
      if (!isSound && this.#isBlind) return { kept, at: kept, isDamaged: true };
    }
    text.learn(learnt, kept);
    return { kept, at: trusted.doubtedAt ?? at, isDamaged: trusted.doubtedAt !== null };
  }

  /** Whether chance counts as much as sound text: then nothing shows any more that text stands in its place. */
  get #isBlind(): boolean {
    const [right, chance] = [this.#right.value, this.#chance];
    return right !== null && chance !== null && right - chance <= leastApart;
  }

  /** Whether so many joints count together what chance makes of them rather than what sound text does. */
  #isChance(sum: number, count: number, right: number | null): boolean {
    const chance = this.#chance;
    if (right === null || chance === null || right - chance <= leastApart || count < surely) return false;
    return sum / count < (right + chance) / 2;
  }

  /**
   * What joints between two indexes count before they are learnt from, in the stretch that looks most like text, and up to where all of it
   * does: behind that it is damaged, and nothing is learnt. Null where too few joints are known.
   */
  meanOf(text: Joined, from: number, to: number): { mean: number | null; to: number } {
    const whole = new Average();
    let best: number | null = null;
    for (let begin = from; begin < to; begin += learntAtOnce) {
      let [sum, count] = [0, 0];
      const end = Math.min(to, begin + learntAtOnce);
      for (let at = begin; at < end; at++) {
        const weight = this.#weightAt(text, at);
        if (weight !== 0) [sum, count] = [sum + weight, count + 1];
      }
      if (count >= surely && best !== null && this.#isChance(sum, count, best)) return { mean: best, to: begin };
      if (count >= surely) best = Math.max(best ?? sum / count, sum / count);
      whole.add(sum, count);
      text.learn(begin, end);
    }
    return { mean: best ?? whole.value, to };
  }

  #weightAt(text: Joined, at: number): number {
    return at > 1 && text.isJoint(at)
      ? this.#likeness.weight(text.byteAt(at - 2), text.byteAt(at - 1), text.byteAt(at))
      : 0;
  }

  /** Finds out what chance makes of the text before an index: bytes from two places, put together at random but always the same. */
  #measureChance({ byteAt }: Joined, end: number): void {
    const begin = Math.max(2, end - samples.within);
    let state = end >>> 0;
    const any = () => {
      // Numerical Recipes' linear congruential generator.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return begin + Math.floor((state / 2 ** 32) * (end - begin));
    };
    let [sum, count] = [0, 0];
    for (let index = 0; index < samples.made; index++) {
      const [left, right] = [any(), any()];
      const middle = index % 2 === 0 ? left : right;
      const weight = this.#likeness.weight(byteAt(left - 2), byteAt(middle - 1), byteAt(right));
      if (weight !== 0) [sum, count] = [sum + weight, count + 1];
    }
    if (count < samples.least) return;
    this.#chance = sum / count;
    this.#weigh();
  }

  /** The middle, where sound text stands clear of chance. */
  #weigh(): void {
    const [right, chance] = [this.#right.value, this.#chance];
    if (right !== null && chance !== null && right - chance > leastApart) this.#doubt = -(right + chance) / 2;
  }
}

/** Whether a copy is joined with something else within three bytes up to an index: bytes that are not copied tell nothing of where they stand. */
export function isJoint(bits: Int32Array, index: number): boolean {
  const [first, second, third] = [bits[index - 2], bits[index - 1], bits[index]];
  if (first === third) return false;
  return first === second || second === third || first === bits[index - 3] || third === bits[index + 1];
}
