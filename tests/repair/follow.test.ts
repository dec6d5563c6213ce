import { describe, expect, it } from 'vitest';
import { Follower, notePlace } from '../../lib/repair/core/deflate/follow';

/** A judge of text that must be of the letter a, which tells how much it read. */
class OnlyA {
  read = 0;
  readonly text: Uint8Array;
  constructor(text: Uint8Array) {
    this.text = text;
  }

  fault(from: { at: number }, end: number, places?: { at: number }[]): number {
    for (let at = from.at; at < end; at++) {
      if (places) notePlace(places, { at });
      this.read++;
      if (this.text[at] !== 97) return at;
    }
    return end;
  }
}

describe('text that is judged while it changes', () => {
  it('reads only what lies behind a change again', () => {
    const text = new Uint8Array(100_000).fill(97);
    text[90_000] = 98;
    const judge = new OnlyA(text);
    const follower = new Follower(judge, { at: 0 });
    expect(follower.follow(0, text.length)).toBe(90_000);
    expect(follower.places.length).toBeLessThan(100_000 / 32);
    text[90_000] = 97;
    judge.read = 0;
    expect(follower.follow(90_000, text.length)).toBe(100_000);
    expect(judge.read).toBeLessThan(10_200);
  });

  it('finds a fault before the last one, also when it was only told of the change', () => {
    const text = new Uint8Array(1000).fill(97);
    text[900] = 98;
    const follower = new Follower(new OnlyA(text), { at: 0 });
    expect(follower.follow(0, text.length)).toBe(900);
    text[100] = 98;
    follower.forget(100);
    expect(follower.follow(500, text.length)).toBe(100);
    text[100] = 97;
    expect(follower.follow(100, text.length)).toBe(900);
    expect(follower.placeBefore(850).at).toBeLessThanOrEqual(850);
  });
});
