import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ScanEncoder } from '../../lib/repair/codecs/jpeg/encoder';
import type { Frame } from '../../lib/repair/codecs/jpeg/frame';
import { layoutFor } from '../../lib/repair/codecs/jpeg/layout';
import { McuReader, planScan } from '../../lib/repair/codecs/jpeg/reader';
import { headSegments, scanSegment } from '../../lib/repair/formats/jpeg/encode';
import { readJpegParts } from '../../lib/repair/formats/jpeg/markers';
import { endOfImage } from '../../lib/repair/formats/jpeg/marks';
import { splitStretches } from '../../lib/repair/formats/jpeg/stretches';
import { defaultLimits, Effort } from '../../lib/repair/report';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const [width, height] = [320, 240];
const photo = (seed: number) => sharp(scene(width, height, seed), { raw: { width, height, channels: 3 } });

/** A picture of one scan with its tables of annex K and no subsampling, with a scan of its own for each component instead (ISO/IEC 10918-1, A.2.2). */
function withScansApart(jpeg: Buffer): Buffer {
  const parts = readJpegParts(jpeg);
  const frame = parts.frame as Frame;
  const [stretch] = splitStretches(jpeg, parts.scanStart, parts.scanEnd, 0);
  const layout = layoutFor(frame);
  const reader = new McuReader(
    stretch?.data ?? Buffer.alloc(0),
    planScan(layout, parts.huffman, new Effort(defaultLimits.effort)),
  );
  const components = frame.components.map((component) => ({ ...component, dc: 0, ac: 0 }));
  const encoders = components.map((component) => new ScanEncoder(layoutFor({ ...frame, components: [component] })));
  for (let place = 0; place < layout.total && reader.mcu(); place++)
    for (const [index, encoder] of encoders.entries())
      encoder.add(reader.coefficients.subarray(index * 64, index * 64 + 64));
  const head = headSegments(parts, { quantisation: parts.quantisation, frame, huffman: parts.huffman, interval: 0 });
  const scans = components.flatMap((component, index) => [
    scanSegment([component]),
    encoders[index]?.finish() ?? Buffer.alloc(0),
  ]);
  return Buffer.concat([head, ...scans, endOfImage]);
}

/** Where the data of scan `number` begins and ends. */
function scanAt(bytes: Buffer, number: number): { from: number; to: number } {
  const scans = [...bytes.toString('latin1').matchAll(/\xff\xda/g)].map(({ index }) => index);
  return { from: (scans[number] ?? 0) + 10, to: scans[number + 1] ?? bytes.length };
}

const plain = (seed: number) =>
  photo(seed).jpeg({ quality: 85, chromaSubsampling: '4:4:4', optimiseCoding: false }).toBuffer();

describe('a sequential photo with a scan for each component', () => {
  it('is sound as it is', async () => {
    const whole = withScansApart(await plain(3));
    expect(await scoreAgainst('jpg', await plain(3), whole)).toBe(1);
    const { report } = await repairBytes(whole, 'photo.jpg');
    expect(report.verdict).toBe('healthy');
  });

  // All were called repaired, with what decoders made of them: so much of each.
  it.each([
    ['a sector of zeroes', 0, 0.3, 512, 0.9], // 0.293
    ['a lost piece', 0, 0.5, -100, 0.9], // 0.533
    ['a sector of zeroes in the colours', 1, 0.4, 512, 0.49], // 0.51
  ] as const)('with %s has each scan put together for itself', async (_, number, share, change, least) => {
    const whole = withScansApart(await plain(3));
    const { from, to } = scanAt(whole, number);
    const at = Math.floor(from + (to - from) * share);
    const bytes = change < 0 ? Buffer.concat([whole.subarray(0, at), whole.subarray(at - change)]) : Buffer.from(whole);
    if (change > 0) bytes.fill(0, at, at + change);
    const { report, output } = await repairBytes(bytes, 'photo.jpg');
    const value = await scoreAgainst('jpg', whole, output ?? Buffer.alloc(0));
    expect(value).toBeGreaterThan(least);
    expect(report.verdict).toBe('partly');
  });
});

describe('a progressive photo whose brightness changes from a place on', () => {
  it('is no longer called sound, and has it set right', async () => {
    const whole = await photo(5).jpeg({ quality: 85, progressive: true }).toBuffer();
    const { from, to } = scanAt(whole, 0);
    const verdicts: string[] = [];
    let [before, after] = [0, 0];
    for (let step = 1; step < 30; step++) {
      const bytes = Buffer.from(whole);
      const at = Math.floor(from + 10 + ((to - from - 20) * step) / 30);
      bytes[at] = (bytes[at] ?? 0) ^ 8;
      const { report, output } = await repairBytes(bytes, 'photo.jpg');
      const is = await scoreAgainst('jpg', whole, bytes);
      if (report.verdict === 'healthy' && is < 0.9) verdicts.push(`${step}: ${is}`);
      if (!output) continue;
      before += is;
      after += await scoreAgainst('jpg', whole, output);
    }
    // Eight of these were called sound before.
    expect(verdicts.length).toBeLessThan(4);
    expect(after).toBeGreaterThan(before);
  });
});

describe('the ground of a picture', () => {
  /** Noise that is darker from about block 30 of the last row of blocks but one on, to the end; it gets so within so many blocks. */
  const ground = (within: number) => {
    const [across, down] = [38, 24];
    const random = randomFrom(4);
    const samples = Buffer.alloc(across * down * 64);
    for (let at = 0; at < samples.length; at++) {
      const column = Math.floor((at % (across * 8)) / 8);
      const row = Math.floor(at / (across * 64));
      const share = Math.max(0, Math.min(1, (column - 30) / within + 0.5));
      samples[at] = 110 + Math.floor(random() * 12) - Math.round(row < 22 ? 0 : row === 22 ? 10 * share : 10);
    }
    const raw = { width: across * 8, height: down * 8, channels: 1 as const };
    return sharp(samples, { raw }).toColourspace('b-w').jpeg({ quality: 96 }).toBuffer();
  };

  it('that rises by and by over its last rows is no wrong difference, which is there at once', async () => {
    expect((await repairBytes(await ground(10), 'photo.jpg')).report.verdict).toBe('healthy');
    expect((await repairBytes(await ground(0.1), 'photo.jpg')).report.verdict).toBe('partly');
  });
});
