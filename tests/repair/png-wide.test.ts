import { expect, it } from 'vitest';
import { writePng } from './support/pngwriter';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';

it('tells of all rows of samples of two bytes that build on lost ones', async () => {
  const [width, height] = [400, 300];
  const random = randomFrom(3);
  const pixels = Buffer.from(
    [...scene(width, height, 6)].flatMap((byte) => [byte, (byte + Math.floor(random() * 200)) & 255]),
  );
  const whole = writePng({ width, height, channels: 3, pixels, filter: 4, depth: 16, chunk: 32_768 });
  const bytes = Buffer.from(whole);
  const at = Math.floor(bytes.length / 2048) * 512;
  bytes.fill(0, at, at + 512);
  const { report } = await repairBytes(bytes, 'photo.png');
  expect(report.verdict).toBe('partly');
  // Paeth rows (ISO/IEC 15948, 9.2) build on the one above, to the end.
  const doubtful = report.lost.filter(({ unit }) => unit === 'rows').reduce((sum, { count }) => sum + count, 0);
  expect(doubtful).toBeGreaterThan(height * 0.7);
});
