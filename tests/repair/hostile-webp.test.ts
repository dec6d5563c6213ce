import { expect, it, vi } from 'vitest';
import { measureWebp } from '../../lib/repair/formats/webp/measure';
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
