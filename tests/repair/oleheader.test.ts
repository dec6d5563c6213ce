import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { repairBytes } from './support/run';

const whole = (name: string) => gunzipSync(readFileSync(`tests/repair/fixtures/${name}.gz`));
/** Where the header names the first sector with more places of tables ([MS-CFB] 2.2). */
const farTables = 68;

describe('the header of a compound file that has no tables far off', () => {
  it('is told where one wrong bit makes it name a sector', async () => {
    const bad = whole('libreoffice-slides.ppt');
    expect(bad.readUInt32LE(farTables + 4)).toBe(0);
    bad.writeUInt32LE(0xff7ffffe, farTables);
    const { report, output } = await repairBytes(bad, 'slides.ppt');
    expect(report.verdict).toBe('repaired');
    expect(output?.readUInt32LE(farTables)).toBe(0xfffffffe);
  });

  it.each([0xfffffffe, 0xffffffff, 0, 0xfffffffd, 0xfffffffc])('is sound where it names %i', async (none) => {
    const good = whole('libreoffice-slides.ppt');
    good.writeUInt32LE(none, farTables);
    expect((await repairBytes(good, 'slides.ppt')).report.verdict).toBe('healthy');
  });
});

describe('a presentation with text that was overwritten', () => {
  it('is not called healthy', async () => {
    const bad = whole('libreoffice-slides.ppt');
    // An atom of text of two bytes a character, on a slide and long enough (TextCharsAtom, [MS-PPT] 2.9.42).
    let at = -1;
    do at = bad.indexOf(Buffer.from([0, 0, 0xa0, 0x0f]), at + 1);
    while (at >= 0 && bad.readUInt32LE(at + 4) < 600);
    expect(at).toBeGreaterThan(0);
    for (let letter = 0; letter < 12; letter++) bad.writeUInt16LE(0xd900 + letter, at + 10 + letter * 2);
    const { report } = await repairBytes(bad, 'slides.ppt');
    expect(report.verdict).toBe('partly');
    expect(report.found.map(({ detail }) => detail).join()).toContain('overwritten');
  });
});
