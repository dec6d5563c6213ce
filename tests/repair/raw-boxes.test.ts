import { beforeAll, describe, expect, it } from 'vitest';
import { settledBoxes } from '../../lib/repair/formats/raw/kinds/cr3/tree';
import { cr3Photo } from './support/cr3s';
import { picture } from './support/originals/picture';
import { repairBytes } from './support/run';

let whole: Buffer;

beforeAll(async () => {
  whole = cr3Photo(await picture(160, 120, 14).jpeg({ quality: 85 }).toBuffer()).bytes;
});

const repair = (bytes: Buffer) => repairBytes(bytes, 'photo.cr3', { type: 19 });

/** Where the box of a name begins, of those behind some place. */
const boxAt = (name: string, from = 0) => whole.indexOf(name, from, 'latin1') - 4;

/** Where the second track begins, which has the sensor data. */
const sensorTrack = () => boxAt('trak', boxAt('trak') + 8);

describe('boxes of a CR3', () => {
  it('are left alone where some have names that are not known here', () => {
    const notes = boxAt('uuid');
    const end = notes + whole.readUInt32BE(notes);
    const box = (name: string) => Buffer.from(`\0\0\0\x0c${name}\0\x01\x02\x03`, 'latin1');
    const bytes = Buffer.concat([whole.subarray(0, end), box('CXY1'), box('CXY2'), whole.subarray(end)]);
    for (const at of [notes, boxAt('moov')]) bytes.writeUInt32BE(bytes.readUInt32BE(at) + 24, at);
    expect(settledBoxes(bytes)).toBe(null);
  });

  it.each([
    ['trak', 2],
    ['mdia', -20],
    ['minf', 0x10000],
    ['stbl', 3],
    ['stsd', 100],
    ['stsz', -1],
    ['mvhd', 40],
    ['CMT1', 7],
  ])('have their sizes set right by the next one: %s, by %i', async (name, by) => {
    const bytes = Buffer.from(whole);
    const at = boxAt(name, name === 'mvhd' || name === 'CMT1' ? 0 : sensorTrack());
    bytes.writeUInt32BE(bytes.readUInt32BE(at) + by, at);
    const { report, output } = await repair(bytes);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it.each(['trak', 'mdia', 'stbl', 'co64', 'CRAW'])(
    'have their names set right by what is in them: %s',
    async (name) => {
      const bytes = Buffer.from(whole).fill(0, boxAt(name, sensorTrack()) + 4, boxAt(name, sensorTrack()) + 8);
      const { report, output } = await repair(bytes);
      expect(report.verdict, report.summary).toBe('repaired');
      expect(output?.equals(whole)).toBe(true);
    },
  );

  it('have heads of notes that lead to what stands behind them', async () => {
    const bytes = Buffer.from(whole).fill(0, boxAt('CMT1') + 8, boxAt('CMT1') + 16);
    const { report, output } = await repair(bytes);
    expect(report.verdict, report.summary).toBe('repaired');
    expect(output?.equals(whole)).toBe(true);
  });

  it('may have names that nobody knows', async () => {
    const bytes = Buffer.from(whole);
    bytes.write('XXXX', boxAt('THMB') + 4, 'latin1');
    expect((await repair(bytes)).report.verdict).toBe('healthy');
  });
});
