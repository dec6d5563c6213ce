import { Follower } from './follow';
import type { Judge, Judged, TextKind } from './packedtext';

/** What a kind of text brings to be judged by its habits: what its sound parts look like, which it learns on the way. */
export type Habits<P extends { at: number }> = {
  start: P;
  /** Judges by the habits, and by syntax alone. */
  strict: Judge<P>;
  loose: Judge<P>;
  /** Bytes before a place where syntax breaks that may be damaged already, and are not learnt from. */
  doubtful: number;
  /** Takes the habits of a stretch of the text in, from a place that lies before all that is new since the last time. */
  learn(from: P, to: number): void;
  /** Takes in what a fault may be instead, where the text shows that it is none; false where it does not. */
  learnAt(fault: number, length: number, place: P | undefined): boolean;
  /** Faults that are looked at one after the other in this way. */
  mostLearnt: number;
  /** Whether a text that ends as it should and breaks nowhere is taken to be right, whatever its habits. */
  isSettledBySyntax: boolean;
  /** Whether what breaks the syntax may be new as well. */
  mayBreakSyntax: boolean;
};

/** A text that is judged by habits and by syntax at the same time. */
export class LearningText<P extends { at: number }> implements TextKind<P> {
  readonly start: P;
  readonly judges: readonly [Judge<P>, Judge<P>];
  readonly #habits: Habits<P>;
  readonly #strict: Follower<P>;
  readonly #loose: Follower<P>;
  /** Up to here the text was learnt from. */
  #learnt = 0;

  constructor(habits: Habits<P>) {
    const { start, strict, loose } = habits;
    this.start = start;
    this.judges = [strict, loose];
    this.#habits = habits;
    this.#strict = new Follower(strict, start);
    this.#loose = new Follower(loose, start);
  }

  judge(length: number, done: boolean, from: number): Judged<P> {
    const { doubtful, isSettledBySyntax, learn } = this.#habits;
    const { places } = this.#loose;
    const broken = this.#loose.follow(from, length);
    if (broken === length && done && isSettledBySyntax) {
      this.#strict.forget(from);
      return { faults: [length, length], places: [places, places] };
    }
    const place = this.#loose.placeBefore(Math.min(from, this.#learnt));
    this.#learnt = Math.max(0, broken - doubtful);
    learn(place, this.#learnt);
    return { faults: [this.#faultIn(from, length, broken), broken], places: [this.#strict.places, places] };
  }

  /** The first fault by the habits that is not shown to be none. */
  #faultIn(from: number, length: number, broken: number): number {
    const { mayBreakSyntax, mostLearnt, learnAt } = this.#habits;
    const end = mayBreakSyntax ? length : broken;
    let fault = this.#strict.follow(from, length);
    for (let turn = 0; turn < mostLearnt && fault < end; turn++) {
      if (!learnAt(fault, length, this.#strict.places.at(-1))) break;
      fault = this.#strict.follow(fault, length);
    }
    return fault;
  }
}
