import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { randomFrom } from './support/random';
import { repairBytes } from './support/run';
import { scene } from './support/scene';
import { scoreAgainst } from './support/score';

const side = 240;

/** A photo with grain, whose blocks fit worse the finer they get. */
async function grainy(grain: number): Promise<Buffer> {
  const random = randomFrom(5);
  const samples = scene(side, side, 3).map((value) =>
    Math.max(0, Math.min(255, value + Math.floor((random() - 0.5) * grain))),
  );
  return sharp(samples, { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 88, progressive: true })
    .toBuffer();
}

/** Where the data of pass `number` of a progressive picture begins and ends. */
function passAt(bytes: Buffer, number: number): { from: number; to: number } {
  const scans = [...bytes.toString('latin1').matchAll(/\xff\xda/g)].map(({ index }) => index);
  return { from: scans[number] ?? 0, to: scans[number + 1] ?? bytes.length };
}

async function repaired(bytes: Buffer, whole: Buffer) {
  const { report, output } = await repairBytes(bytes, 'photo.jpg');
  return { report, value: output ? await scoreAgainst('jpg', whole, output) : 0 };
}

/** Damage at a place of a file. */
const damage = {
  zeroes: (whole: Buffer, at: number) => Buffer.from(whole).fill(0, at, at + 300),
  lost: (whole: Buffer, at: number) => Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]),
  bit: (whole: Buffer, at: number) => {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 16;
    return bytes;
  },
};

describe('a damaged pass of a progressive photo', () => {
  // What came back before stands behind each row.
  it.each([
    ['bit', 3, 0.3, 0, 0.98], // 0.836
    ['lost', 3, 0.3, 40, 0.98], // 0.822
    ['lost', 4, 0.3, 40, 0.95], // 0.653
    ['zeroes', 4, 0.3, 40, 0.88], // 0.760
    ['zeroes', 5, 0.7, 120, 0.7], // 0.293
    ['zeroes', 9, 0.7, 120, 0.72], // 0.551
  ] as const)(
    'of %s, pass %i, is kept up to the damage, and counted from its end behind it',
    async (kind, pass, share, grain, least) => {
      const whole = await grainy(grain);
      const { from, to } = passAt(whole, pass);
      const { report, value } = await repaired(damage[kind](whole, Math.floor(from + (to - from) * share)), whole);
      expect(report).toMatchObject({ verdict: 'partly', lost: [{ unit: 'passes' }] });
      expect(value).toBeGreaterThan(least);
    },
  );
});

describe('edges of drawings', () => {
  it('are not levelled where what follows could not be as dark', async () => {
    const [width, height] = [640, 480];
    const samples = Buffer.alloc(width * height * 3);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const isInside = x > 16 && x < width - 16 && y >= 32 && y < height - 24;
        const isGrey = !isInside && (x + y) % 9 < 3;
        samples.fill(isInside ? 229 : isGrey ? 24 : 16, (y * width + x) * 3, (y * width + x + 1) * 3);
      }
    const image = sharp(samples, { raw: { width, height, channels: 3 } });
    const whole = await image.jpeg({ quality: 90, progressive: true }).toBuffer();
    const { from, to } = passAt(whole, 0);
    const at = Math.floor(from + (to - from) * 0.8);
    const bytes = Buffer.concat([whole.subarray(0, at), whole.subarray(at + 40)]);
    const { report, value } = await repaired(bytes, whole);
    expect(report.verdict).toBe('partly');
    // Made as dark as what is above it, the picture was right in 0.103 of its blocks.
    expect(value).toBeGreaterThan(0.9);
  });
});

describe('a picture as rough as noise', () => {
  it('is kept where its tables are its own', async () => {
    const [width, height] = [320, 320];
    const samples = Buffer.alloc(width * height * 3);
    const photo = scene(width, height, 4);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 3;
        for (let channel = 0; channel < 3; channel++) {
          const screen =
            (Math.cos((x + y * 0.4 + channel * 2) * 0.9) + Math.cos((y - x * 0.4 + channel * 2) * 0.9)) * 64 + 128;
          samples[at + channel] = (photo[at + channel] ?? 0) > screen ? 255 : 0;
        }
      }
    const whole = await sharp(samples, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 90 })
      .toBuffer();
    const bytes = Buffer.from(whole).fill(0, Math.floor(whole.length * 0.6), Math.floor(whole.length * 0.6) + 600);
    const { report, value } = await repaired(bytes, whole);
    expect(report.verdict).toBe('partly');
    expect(value).toBeGreaterThan(0.55);
  });
});
