import { describe, expect, it } from 'vitest';
import { parameterSets } from '../../lib/repair/codecs/configuration';
import { readHevcFields } from '../../lib/repair/codecs/hevc/fields';
import { hevcTypeOf, isIrap } from '../../lib/repair/codecs/hevc/naltypes';
import { searchHevcFields } from '../../lib/repair/codecs/hevc/search';
import { HevcUnits, isHevcSlice } from '../../lib/repair/codecs/hevc/unit';
import { Effort } from '../../lib/repair/report';
import { unitsBehindCodes } from '../../lib/repair/video/startcodes';
import { fixtureOf } from './support/videos';

const plenty = 1e9;
/** Pictures that are coded in rows of blocks (`entropy_coding_sync_enabled_flag`), by x265. */
const rows = fixtureOf('hevc-rows.mp4');

function fieldsOf(file: Buffer) {
  const sets = parameterSets(file.subarray(file.indexOf('hvc1', 0, 'latin1')));
  const fields = readHevcFields(sets[1] ?? Buffer.alloc(0), sets[2] ?? Buffer.alloc(0));
  if (!fields) throw new Error('The sets could not be read.');
  return fields;
}

const fields = fieldsOf(rows);

/** Slices of the file: whatever lies behind a length and can be read to its end. */
function slicesOf(file: Buffer): Buffer[] {
  const reader = new HevcUnits(fields, new Effort(plenty));
  const slices: Buffer[] = [];
  for (let at = 0; at + 8 < file.length; at++) {
    const length = file.readUInt32BE(at);
    if (length < 40 || at + 4 + length > file.length) continue;
    const unit = file.subarray(at + 4, at + 4 + length);
    if (!reader.isSlice(unit)) continue;
    const { whole, parts } = reader.check(unit);
    if (parts === 0 || whole < parts) continue;
    slices.push(unit);
    at += 3 + length;
  }
  return slices;
}

const slices = slicesOf(rows);
const flipped = (unit: Buffer, ...shares: number[]) => {
  const copy = Buffer.from(unit);
  for (const share of shares) {
    const at = Math.floor(unit.length * share);
    copy[at] = (copy[at] ?? 0) ^ 0x10;
  }
  return copy;
};

/** What looking for a wrong bit in each slice takes, by its place among them, where it is found; after the whole ones were read `times` times. */
function search(times: number): Map<number, number> {
  const effort = new Effort(plenty);
  const reader = new HevcUnits(fields, effort);
  for (let time = 0; time < times; time++) for (const unit of slices) reader.check(unit);
  const spent = new Map<number, number>();
  for (const [index, unit] of slices.entries()) {
    const wrong = flipped(unit, 0.5);
    const { whole, parts } = reader.check(wrong);
    if (whole === parts) continue;
    const before = effort.left;
    reader.mend(wrong, effort.share(plenty));
    if (wrong.equals(unit)) spent.set(index, before - effort.left);
  }
  return spent;
}

describe('the search for wrong bits in slices of HEVC', () => {
  it('takes less where sound slices tell what coding units take', () => {
    expect(slices.length).toBeGreaterThan(20);
    const [alone, beside] = [search(0), search(40)];
    const inBoth = [...beside.keys()].filter((index) => alone.has(index));
    expect(inBoth.length).toBeGreaterThan(10);
    const sum = (spent: Map<number, number>) => inBoth.reduce((all, index) => all + (spent.get(index) ?? 0), 0);
    expect(sum(beside)).toBeLessThan(sum(alone));
  });

  it('goes on where its effort ended, and tells all bits of a unit then', () => {
    const effort = new Effort(plenty);
    const reader = new HevcUnits(fields, effort);
    for (const unit of slices) reader.check(unit);
    const whole = slices.find((unit) => reader.check(unit).parts > 3) as Buffer;
    const once = flipped(whole, 0.2, 0.9);
    const before = effort.left;
    expect(reader.mend(once, effort.share(plenty))?.length).toBe(2);
    const needed = before - effort.left;
    const wrong = flipped(whole, 0.2, 0.9);
    let [mended, tries] = [reader.mend(wrong, effort.share(needed / 8)), 1];
    while (!mended && tries < 60) {
      mended = reader.mend(wrong, effort.share(needed / 8));
      tries++;
    }
    expect(tries).toBeGreaterThan(2);
    expect(mended?.length).toBe(2);
    expect(wrong.equals(whole)).toBe(true);
  });
});

describe('the search for the parameter sets of HEVC', () => {
  // Thirteen pictures of 10 bits by x265, the first of which can be read as one of 8 bits as well.
  const units = [...unitsBehindCodes(fixtureOf('hevc-10.h265'), (at) => at)].map(({ bytes }) => bytes);
  const pictures = units.filter(isHevcSlice);

  it('tells the depth of samples by all pictures where the key frame reads with either', () => {
    const [sps, pps] = [33, 34].map((type) => units.find((unit) => hevcTypeOf(unit) === type) ?? Buffer.alloc(0));
    const told = readHevcFields(sps as Buffer, pps as Buffer);
    const reads = (unit: Buffer, depth: number) => {
      const reader = told && new HevcUnits({ ...told, BitDepthY: depth }, new Effort(plenty));
      const { whole, parts } = reader?.check(unit) ?? { whole: 0, parts: 1 };
      return whole === parts;
    };
    const key = pictures.filter((unit) => isIrap(hevcTypeOf(unit)));
    expect(key.map((unit) => [reads(unit, 8), reads(unit, 10)])).toEqual([[true, true]]);
    expect(pictures.filter((unit) => reads(unit, 8)).length).toBeLessThan(pictures.length / 2);
    // Through JSON a zero has no sign.
    const found = searchHevcFields(pictures, new Effort(5000))?.fields;
    expect(JSON.stringify(found)).toBe(JSON.stringify(told));
  });

  it('finds pictures of more rows than large blocks would make, in blocks as the fastest preset of x265 lays them out', () => {
    // Five pictures of 1920 by 1080 in 68 rows of blocks of 16 by 16, whose first row takes less than half a byte a block.
    const small = [...unitsBehindCodes(fixtureOf('hevc-small-blocks.h265'), (at) => at)].map(({ bytes }) => bytes);
    const found = searchHevcFields(small.filter(isHevcSlice), new Effort(200));
    expect(found).toMatchObject({ width: 1920, height: 1080 });
    const [sps, pps] = [33, 34].map((type) => small.find((unit) => hevcTypeOf(unit) === type) ?? Buffer.alloc(0));
    const told = readHevcFields(sps as Buffer, pps as Buffer);
    const { CtbLog2SizeY, MinCbLog2SizeY, sample_adaptive_offset_enabled_flag } = told ?? {};
    expect(found?.fields).toMatchObject({ CtbLog2SizeY, MinCbLog2SizeY, sample_adaptive_offset_enabled_flag });
  });
});
