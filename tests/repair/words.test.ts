import { describe, expect, it } from 'vitest';
import type { DecodedAmounts } from '../../lib/repair/report/facts';
import { findingOf, lossOf, places, stepOf, summaryOf } from '../../lib/repair/report/words';
import { type Decoding, isSoundWorthIt, proofOf, verdictOf } from '../../lib/repair/verdict';

const decoded: DecodedAmounts = {
  frames: 30,
  packets: 50,
  damagedFrames: 2,
  damagedSound: 1,
  damagedAt: [
    { from: 3661, to: 3661 },
    { from: 5, to: 9 },
  ],
  seconds: 4000,
  complete: true,
};
const sound: Decoding = { ...decoded, damagedFrames: 0, damagedSound: 0, damagedAt: [], complaints: 0 };

describe('the sentences of a report', () => {
  it('carry the figures of their facts', () => {
    expect(findingOf({ kind: 'gap', bytes: 1200, offset: 7 })).toEqual({
      kind: 'gap',
      detail: '1,200 bytes did not hold whole pictures or sound.',
      offset: 7,
    });
    expect(findingOf({ kind: 'bits', bits: 1, frames: 3 }).detail).toBe('1 single bit inside 3 frames had changed.');
    expect(stepOf({ kind: 'times', packets: 2 })).toEqual({
      name: 'times',
      detail: 'New times were given to 2 packets.',
    });
    expect(lossOf({ unit: 'frames', count: 2, how: 'decoding', at: decoded.damagedAt })).toEqual({
      unit: 'frames',
      count: 2,
      detail: 'damaged inside, from 0:05 to 0:09 and at 1:01:01',
    });
  });

  it('name a few places and count the others', () => {
    const many = Array.from({ length: 6 }, (_, index) => ({ from: index * 60, to: index * 60 }));
    expect(places(many)).toBe('at 0:00, at 1:00, at 2:00, at 3:00 and in 2 more places');
    expect(places([])).toBe('');
  });

  it('say how a repair ended', () => {
    expect(summaryOf({ verdict: 'repaired', how: 'rebuilt' })).toContain('every picture and sound packet is kept');
    expect(summaryOf({ verdict: 'partly', how: 'rebuilt' })).toContain('left out');
    expect(summaryOf({ verdict: 'unrepairable', why: 'empty' })).toContain('nothing to bring back');
    const inside = { verdict: 'partly', how: 'decoding', decoded } as const;
    expect(summaryOf({ ...inside, before: 'healthy' })).toContain('is in order and plays, but 2 frames and 1 piece');
    expect(summaryOf({ ...inside, before: 'repaired' })).toContain('plays again');
  });
});

describe('the judge', () => {
  it('calls a file healthy without damage, repaired without loss, and partly repaired otherwise', () => {
    expect(verdictOf([], [])).toBe('healthy');
    expect(verdictOf([{ kind: 'index' }], [])).toBe('repaired');
    expect(verdictOf([{ kind: 'index' }], [{ unit: 'bytes', count: 9, how: 'cut' }])).toBe('partly');
  });

  it('hands out no video of which nothing decodes, unless its own sound does', () => {
    const none = { ...sound, frames: 0, complaints: 4 };
    expect(proofOf('repaired', [], { ...none, packets: 0 }, true)).toBe('noFrames');
    expect(proofOf('repaired', [], none, false)).toBe('noFrames');
    expect(proofOf('repaired', [], none, true)).toBe('fine');
    expect(proofOf('healthy', [], { ...none, packets: 0 }, true)).toBe('fine');
    expect(proofOf('repaired', [], { ...none, packets: 0, complete: false }, true)).toBe('fine');
    expect(isSoundWorthIt({ ...sound, damagedSound: 25 })).toBe(false);
    expect(isSoundWorthIt({ ...sound, damagedSound: 24 })).toBe(true);
    expect(isSoundWorthIt(null)).toBe(false);
  });

  it('hands out no video of whose many frames hardly one decodes', () => {
    const few = { ...sound, frames: 1, packets: 0 };
    expect(proofOf('partly', [{ unit: 'frames', count: 60 }], few, true)).toBe('nextToNothing');
    expect(proofOf('partly', [{ unit: 'frames', count: 49 }], few, true)).toBe('fine');
    const heard = [
      { unit: 'frames', count: 60 },
      { unit: 'sound packets', count: 50 },
    ];
    expect(proofOf('partly', heard, { ...few, packets: 1 }, true)).toBe('fine');
  });

  it('sees damage inside frames and sound', () => {
    expect(proofOf('healthy', [], { ...sound, damagedSound: 1 }, true)).toBe('damaged');
    expect(proofOf('repaired', [], sound, true)).toBe('fine');
  });
});
