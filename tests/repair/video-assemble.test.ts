import { describe, expect, it } from 'vitest';
import { box, words } from '../../lib/repair/core/boxes';
import { assemble } from '../../lib/repair/formats/iso/demux/assemble';
import { nothingFound } from '../../lib/repair/formats/iso/demux/demux';
import { aacEntry, madeTemplate } from '../../lib/repair/formats/iso/demux/entries';

const found = { ...nothingFound(), offsets: [0, 10, 20], sizes: [10, 10, 10], keys: [1, 1, 1] };

describe('tracks made of what was found', () => {
  it('keep the wait and the lead-in of an edit list, with lengths of their own', () => {
    const template = madeTemplate('soun', aacEntry(3, 2), 48000, 1024);
    template.raw.set('edts', box('edts', box('elst', words(0, 2, 120, 0xffffffff, 0x10000, 999, 1024, 0x10000))));
    const { located } = assemble([{ template, found, orderRange: 0 }], undefined);
    const edits = located[0]?.track.raw.get('edts') ?? Buffer.alloc(0);
    // Behind the heads of two boxes, version and count: length, media time and rate of each edit (ISO/IEC 14496-12, 8.6.6).
    expect([24, 28, 36, 40].map((at) => edits.readInt32BE(at))).toEqual([120, -1, 42, 1024]);
  });

  it('get ids of their own, so that two sound tracks stay two', () => {
    const template = madeTemplate('soun', aacEntry(3, 2), 48000, 1024);
    const { movie } = assemble(
      [1, 2].map(() => ({ template, found, orderRange: 0 })),
      undefined,
      5,
    );
    expect(movie.tracks.map(({ id }) => id)).toEqual([5, 6]);
  });
});
