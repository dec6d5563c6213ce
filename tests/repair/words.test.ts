import { describe, expect, it } from 'vitest';
import type { DecodedAmounts } from '../../lib/repair/report/facts/video';
import * as photo from '../../lib/repair/report/words/photo';
import { lossOf as photoLossOf } from '../../lib/repair/report/words/photo-losses';
import { findingOf, lossOf, places, stepOf, summaryOf } from '../../lib/repair/report/words/video';
import {
  type Decoding,
  isSoundWorthIt,
  proofOf,
  proofOfPicture,
  readsBetter,
  verdictOf,
} from '../../lib/repair/verdict';

const decoded: DecodedAmounts = {
  frames: 30,
  packets: 50,
  damagedFrames: 2,
  refused: 0,
  damagedSound: 1,
  damagedAt: [
    { from: 3661, to: 3661 },
    { from: 5, to: 9 },
  ],
  seconds: 4000,
  complete: true,
};
const sound: Decoding = {
  ...decoded,
  damagedFrames: 0,
  damagedSound: 0,
  damagedAt: [],
  complaints: 0,
  isEmpty: false,
  isBlind: false,
  isUnopened: false,
};

describe('the sentences of a report', () => {
  it('carry the figures of their facts', () => {
    expect(findingOf({ kind: 'gap', bytes: 1200, offset: 7 })).toEqual({
      kind: 'gap',
      detail: '1,200 bytes did not hold whole pictures or sound.',
      offset: 7,
    });
    expect(findingOf({ kind: 'bits', bits: 1, frames: 3 }).detail).toBe('1 bit inside 3 frames had changed.');
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

describe('the sentences of a report on a photo', () => {
  const size = { width: 640, height: 480 };

  it('carry the figures of their facts', () => {
    expect(photo.findingOf({ kind: 'chunk', type: null, offset: 33 })).toEqual({
      kind: 'chunk',
      detail: 'The unnamed part is damaged, or its length or check sum is wrong.',
      offset: 33,
    });
    expect(photo.stepOf({ kind: 'bits', bits: 2, by: 'rows' })).toEqual({
      name: 'Correct bits',
      detail: '2 wrong bits were found by what they did to the rows, and set right.',
    });
    expect(photoLossOf({ unit: 'rows', count: 3, how: 'filled', of: 480 }).detail).toBe(
      'of 480, filled in from those beside them',
    );
    expect(photo.amountOf({ unit: 'pixels', count: 307_200, ...size, isPreview: false })).toEqual({
      unit: 'pixels',
      count: 307_200,
      detail: '640 × 480',
    });
  });

  it('say how a repair ended', () => {
    expect(photo.summaryOf({ verdict: 'healthy', how: 'shown', ...size }, 'jpg')).toContain('Nothing wrong was found');
    expect(photo.summaryOf({ verdict: 'repaired', how: 'shown', ...size }, 'png')).toBe(
      'The photo was repaired: 640 × 480 pixels.',
    );
    expect(photo.summaryOf({ verdict: 'partly', how: 'shown', ...size }, 'png')).toContain('but parts of it were lost');
    expect(photo.summaryOf({ verdict: 'unrepairable', why: 'reads-best-as-is' }, 'png')).toContain('keep your file');
    expect(photo.summaryOf({ verdict: 'unrepairable', why: 'noise' }, 'png')).toContain('No part');
  });
});

describe('the judge of pictures', () => {
  const picture = { width: 4, height: 4, blank: false, warning: false };
  const blank = { ...picture, blank: true };

  it('hands out what a decoder shows', () => {
    expect(proofOfPicture(null, picture, true)).toBe('shown');
    expect(proofOfPicture(picture, picture, true)).toBe('shown');
    expect(proofOfPicture(null, null, false)).toBe('nothing');
  });

  it('holds a rebuilt video against the damaged one, and takes the one of which more decodes', () => {
    const of = (frames: number, packets: number): Decoding => ({ ...sound, frames, packets });
    expect(readsBetter(of(100, 200), of(90, 200))).toBe(true);
    expect(readsBetter(of(100, 200), of(100, 150))).toBe(true);
    expect(readsBetter(of(100, 200), of(99, 200))).toBe(false);
    expect(readsBetter(of(100, 200), of(100, 200))).toBe(false);
    expect(readsBetter(of(100, 100), of(60, 200))).toBe(false);
    expect(readsBetter({ ...of(100, 200), damagedFrames: 1 }, of(90, 200))).toBe(false);
    expect(readsBetter({ ...of(100, 200), damagedFrames: 1 }, { ...of(90, 200), damagedFrames: 1 })).toBe(true);
    expect(readsBetter({ ...of(100, 200), complete: false }, of(90, 200))).toBe(false);
    expect(readsBetter(null, of(0, 0))).toBe(false);
  });

  it('leaves a picture as it is where rebuilding it brought back none', () => {
    expect(proofOfPicture(picture, null, false)).toBe('asItIs');
    expect(proofOfPicture(picture, blank, false)).toBe('shown');
    expect(proofOfPicture(blank, null, false)).toBe('nothing');
  });

  it('takes one colour all over for a picture only where it was one before and nothing of it is missing', () => {
    expect(proofOfPicture(blank, blank, false)).toBe('shown');
    expect(proofOfPicture(blank, blank, true)).toBe('nothing');
    expect(proofOfPicture(null, blank, false)).toBe('nothing');
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
