import { describe, expect, it } from 'vitest';
import { readAvcFields } from '../../lib/repair/codecs/avc/fields';
import { measure, room } from '../../lib/repair/codecs/avc/measures';
import { AvcModes } from '../../lib/repair/codecs/avc/modes';
import { AvcUnits } from '../../lib/repair/codecs/avc/unit';
import { parameterSets } from '../../lib/repair/codecs/configuration';
import { Extremes } from '../../lib/repair/codecs/extremes';
import { Effort } from '../../lib/repair/report';
import { videos } from './support/videos';

const plenty = 1e9;

function fieldsOfFile() {
  const [sps, pps] = parameterSets(videos.mp4.subarray(videos.mp4.indexOf('avc1', videos.mp4.indexOf('stsd'))));
  const fields = readAvcFields(sps ?? Buffer.alloc(0), pps ?? Buffer.alloc(0));
  if (!fields) throw new Error('The sets could not be read.');
  return fields;
}

/** Slices of the file: whatever lies behind a length and can be read to its end. */
function slicesOfFile(): Buffer[] {
  const reader = new AvcUnits(fieldsOfFile(), new Effort(plenty));
  const slices: Buffer[] = [];
  for (let at = 0; at + 8 < videos.mp4.length; at++) {
    const length = videos.mp4.readUInt32BE(at);
    if (length < 40 || at + 4 + length > videos.mp4.length) continue;
    const unit = videos.mp4.subarray(at + 4, at + 4 + length);
    if (!reader.isSlice(unit) || reader.check(unit).whole !== 1) continue;
    slices.push(unit);
    at += 3 + length;
  }
  return slices;
}

const slices = slicesOfFile();
const flipped = (unit: Buffer, share: number) => {
  const copy = Buffer.from(unit);
  const at = Math.floor(unit.length * share);
  copy[at] = (copy[at] ?? 0) ^ 0x10;
  return copy;
};

/** What looking for a wrong bit in each slice takes, and how many are as they were; after the whole ones were read `times` times. */
function search(times: number): { spent: number; mended: number } {
  const effort = new Effort(plenty);
  const reader = new AvcUnits(fieldsOfFile(), effort);
  for (let time = 0; time < times; time++) for (const unit of slices) reader.check(unit);
  let [spent, mended] = [0, 0];
  for (const unit of slices) {
    const wrong = flipped(unit, 0.5);
    if (reader.check(wrong).whole === 1) continue;
    const before = effort.left;
    reader.mend(wrong, effort.share(plenty));
    spent += before - effort.left;
    if (wrong.equals(unit)) mended++;
  }
  return { spent, mended };
}

describe('the search for wrong bits in slices of H.264', () => {
  it('takes less where sound slices tell what macroblocks take', () => {
    expect(slices.length).toBe(30);
    const [alone, beside] = [search(0), search(4)];
    expect(beside.mended).toBeGreaterThanOrEqual(alone.mended);
    expect(beside.spent).toBeLessThan(alone.spent);
  });

  it('goes on where its effort ended', () => {
    const effort = new Effort(plenty);
    const reader = new AvcUnits(fieldsOfFile(), effort);
    for (const unit of slices) reader.check(unit);
    const whole = slices[0] as Buffer;
    const wrong = flipped(whole, 0.5);
    const before = effort.left;
    reader.mend(Buffer.from(wrong), effort.share(plenty));
    const needed = before - effort.left;
    let tries = 0;
    while (!wrong.equals(whole) && tries < 40) {
      reader.mend(wrong, effort.share(needed / 8));
      tries++;
    }
    expect(wrong.equals(whole)).toBe(true);
    expect(tries).toBeGreaterThan(1);
  });

  it('holds macroblocks against those of the same type of slices, once it knows many', () => {
    const extremes = new Extremes(room);
    extremes.begin(0, 1);
    expect(extremes.allows(measure.level, 20)).toBe(true);
    extremes.learn(0, 100);
    extremes.begin(0, 1);
    expect(extremes.allows(measure.level, 500)).toBe(true);
    extremes.begin(0, null);
    expect(extremes.allows(measure.level, 20)).toBe(true);
    extremes.learn(0, 4000);
    extremes.begin(0, 1);
    expect(extremes.allows(measure.level, 30)).toBe(true);
    expect(extremes.allows(measure.level, 40)).toBe(false);
    extremes.begin(1, 1);
    expect(extremes.allows(measure.level, 40)).toBe(true);
    extremes.begin(0, null);
    expect(extremes.allows(measure.level, 40)).toBe(true);
  });

  it('lets no block of an I slice look at samples that are not there', () => {
    const modes = new AvcModes(4);
    modes.begin(0, -1, -1);
    // The first block has no neighbours: DC is predicted, vertical and horizontal prediction are not possible.
    expect(modes.take(0, false, -1)).toBe(true);
    expect(modes.take(0, false, 0)).toBe(false);
    expect(modes.take(0, false, 1)).toBe(false);
    // The one beside it may look to the left, but not up.
    expect(modes.take(1, false, 1)).toBe(true);
    expect(modes.take(1, false, 0)).toBe(false);
    // The block of 8 by 8 in the lower right corner has both.
    for (const rem of [-1, 0, 1, 2, 3, 4, 5, 6, 7]) expect(modes.take(12, true, rem)).toBe(true);
  });
});
