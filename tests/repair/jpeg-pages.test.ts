import sharp, { type JpegOptions } from 'sharp';
import { describe, expect, it } from 'vitest';
import { layoutFor } from '../../lib/repair/codecs/jpeg/layout';
import { composePlanes } from '../../lib/repair/formats/jpeg/compose';
import { writtenAnew } from '../../lib/repair/formats/jpeg/encode';
import { readJpegParts } from '../../lib/repair/formats/jpeg/markers';
import { readScans } from '../../lib/repair/formats/jpeg/scans';
import { planesShown } from '../../lib/repair/formats/jpeg/shownpasses';
import { Deadline } from '../../lib/repair/report';
import { Effort } from '../../lib/repair/report/effort';
import { repairBytes } from './support/run';
import { scoreAgainst } from './support/score';

const [width, height] = [612, 792];

/** A page of a table of contents: lines of short strokes as words, and dots to the right of them, on white. */
function page(seed: number): Buffer {
  const data = Buffer.alloc(width * height * 3, 255);
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  const ink = (x: number, y: number, dark: number) => data.fill(dark, (y * width + x) * 3, (y * width + x) * 3 + 3);
  for (let line = 60; line < height - 40; line += 45) {
    const end = 110 + next(160);
    for (let x = 90; x < end; x += 2 + next(4)) {
      const tall = 4 + next(6);
      for (let y = line - tall; y < line; y++) ink(x, y, next(90));
    }
    for (let x = end + 4; x < width - 60; x += 4) ink(x, line - 1, 60 + next(100));
  }
  return data;
}

const written = (seed: number, options: JpegOptions) =>
  sharp(page(seed), { raw: { width, height, channels: 3 } })
    .jpeg(options)
    .toBuffer();

/** The scans of a file, from the header of the first one on. */
const partsOf = (bytes: Buffer) => {
  const parts = readJpegParts(bytes);
  return { parts, scans: readScans(bytes, parts.scanOffset, parts.scanEnd, parts.huffman, parts.restartInterval) };
};

describe('a page as a JPEG', () => {
  it.each([
    [11, 0.7, 40],
    [12, 0.3, 600],
    [11, 0.7, 600],
  ])(
    'that lost bytes keeps its lines where they are, as dark as they are (page %i, at %f, %i bytes)',
    async (seed, share, count) => {
      const whole = await written(seed, { quality: 95, chromaSubsampling: '4:4:4' });
      const at = Math.floor(whole.length * share);
      const bytes = Buffer.concat([whole.subarray(0, at), whole.subarray(at + count)]);
      const { output, report } = await repairBytes(bytes, 'page.jpg');
      const after = output ? await scoreAgainst('jpg', whole, output) : 0;
      expect(after).toBeGreaterThan(0.93);
      expect(report.verdict).toBe('partly');
    },
  );

  it('is read pass by pass as a decoder shows it, over wrong bits, wrong codes and lost bytes', async () => {
    const whole = await written(6, { quality: 85, progressive: true });
    for (const [index, share] of [0.1, 0.3, 0.5, 0.8, 0.95].entries()) {
      const bytes = Buffer.from(whole);
      const at = Math.floor(whole.length * share);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << index);
      if (bytes[at] === 0xff || bytes[at - 1] === 0xff) continue;
      const { parts, scans } = partsOf(bytes);
      const { frame } = parts;
      if (!frame) throw new Error('no frame');
      const layout = layoutFor(frame);
      const planes = planesShown(bytes, frame, layout, scans, new Effort(1e9));
      const anew = writtenAnew(
        parts,
        parts.quantisation,
        frame,
        composePlanes(layout, planes, new Deadline(1e6, () => 0)),
      );
      const shown = (one: Buffer) => sharp(one, { failOn: 'none' }).raw().toBuffer();
      expect((await shown(anew)).equals(await shown(bytes))).toBe(true);
    }
  });

  it('is never handed out worse than it is shown with wrong bits in finer passes', async () => {
    const whole = await written(7, { quality: 90, progressive: true });
    const { scans } = partsOf(whole);
    for (const number of [1, 4, 5]) {
      const scan = scans[number];
      if (!scan) throw new Error('no scan');
      const bytes = Buffer.from(whole);
      for (const share of [0.2, 0.5]) {
        const at = Math.floor(scan.start + (scan.end - scan.start) * share);
        bytes[at] = (bytes[at] ?? 0) ^ 0x04;
      }
      const before = await scoreAgainst('jpg', whole, bytes);
      const { output, report } = await repairBytes(bytes, 'page.jpg');
      if (report.verdict === 'healthy') expect(before).toBeGreaterThan(0.98);
      if (output) expect(await scoreAgainst('jpg', whole, output)).toBeGreaterThan(before - 0.005);
    }
  });
});
