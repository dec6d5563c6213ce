import sharp from 'sharp';
import { expect, it, vi } from 'vitest';
import { readJpegStrip } from '../../lib/repair/formats/tiff/jpegstrip';
import type { Layout } from '../../lib/repair/formats/tiff/layout';
import { measureWebp } from '../../lib/repair/formats/webp/measure';
import type { EngineJob } from '../../lib/repair/report';
import { originals } from './support/originals';
import { repairBytes } from './support/run';

// As it is, but counted.
vi.mock('../../lib/repair/formats/webp/measure', async (original) => {
  const own = await original<typeof import('../../lib/repair/formats/webp/measure')>();
  return { measureWebp: vi.fn(own.measureWebp) };
});

it('finds the frames that no decoder takes by halves, not by opening each of an animation', async () => {
  const all = await originals();
  const bytes = all.find(({ writer }) => writer === 'libvips, animation')?.bytes ?? Buffer.alloc(0);
  const from = bytes.indexOf('ANMF', 0, 'latin1');
  const frame = bytes.subarray(from, bytes.indexOf('ANMF', from + 4, 'latin1'));
  const refused = Buffer.from(frame);
  const picture = refused.indexOf('VP8', 0, 'latin1');
  // The size of the first partition of a lossy frame reaches beyond its data (RFC 6386, 9.1), or there is no code.
  refused.fill(0xf0, picture + 8, picture + 11);
  refused.fill(0xff, picture + 18, picture + 60);
  const count = 200;
  const frames = Array.from({ length: count }, (_, index) => (index === 20 || index === 150 ? refused : frame));
  const animation = Buffer.concat([bytes.subarray(0, from), ...frames]);
  animation.writeUInt32LE(animation.length - 8, 4);
  const { report } = await repairBytes(animation, 'a.webp');
  expect(report).toMatchObject({ verdict: 'partly', lost: [{ unit: 'frames', count: 2, detail: `of ${count}` }] });
  expect(vi.mocked(measureWebp).mock.calls.length).toBeLessThan(count / 4);
});

it('opens no strip as a JPEG that does not begin as one', async () => {
  const raw = { width: 8, height: 8, channels: 3 } as const;
  const source = await sharp(Buffer.alloc(192), { raw }).png().toBuffer();
  const layout = { width: 8, height: 8, samples: 3, depth: 8, photometric: 6, tile: null, jpegTables: null };
  const strip = { source, layout: { ...layout, subsampling: [1, 1] } as unknown as Layout, wanted: 192, rows: 8 };
  const job = { limits: { pixels: 64 } } as EngineJob;
  expect((await readJpegStrip(job, strip)).data).toHaveLength(0);
});
