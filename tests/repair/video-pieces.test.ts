import { expect, it } from 'vitest';
import { withChildren } from './support/children';
import { repairBytes } from './support/run';
import { videos } from './support/videos';

withChildren();

const whole = videos.fragmented;

async function partsOf(bytes: Buffer): Promise<{ frames: number; sound: number; decoded: string }> {
  const { report } = await repairBytes(bytes, 'film.mp4');
  const amount = (unit: string) => report.kept.find((one) => one.unit === unit)?.count ?? 0;
  const decoded = report.steps.find(({ name }) => name === 'decode')?.detail ?? '';
  return { frames: amount('frames'), sound: amount('sound packets'), decoded };
}

/** The pictures, and the pieces of sound, that a decoder read. */
const decodedOf = (detail: string): number[] =>
  [...(/(\d+) frames and (\d+) pieces/.exec(detail) ?? [])].slice(1).map(Number);

it('finds what moved inside of one fragment, whatever the next ones say of their own places', async () => {
  const { report } = await repairBytes(whole, 'film.mp4');
  const [frames = 0, sound = 0] = decodedOf(report.steps.find(({ name }) => name === 'decode')?.detail ?? '');
  const data = whole.indexOf('mdat');
  const length = whole.readUInt32BE(data - 4);
  expect(whole.indexOf('moof', data)).toBeGreaterThan(0);
  const at = data + Math.floor(length * 0.3);
  const more = await partsOf(Buffer.concat([whole.subarray(0, at), Buffer.alloc(50, 0x91), whole.subarray(at)]));
  expect(more.frames).toBeGreaterThanOrEqual(frames - 1);
  expect(decodedOf(more.decoded)[1]).toBeGreaterThanOrEqual(sound - 2);
  const less = await partsOf(Buffer.concat([whole.subarray(0, at), whole.subarray(at + 50)]));
  expect(less.frames).toBeGreaterThanOrEqual(frames - 2);
  expect(decodedOf(less.decoded)[1]).toBeGreaterThanOrEqual(sound - 3);
});
