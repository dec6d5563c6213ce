import { randomFrom } from './random';

const tints = [0.95, 0.85, 0.7];

/** A made picture with what photos have: soft light, hard edges, texture and noise, in interleaved RGB. */
export function scene(width: number, height: number, seed = 1): Buffer {
  const random = randomFrom(seed);
  const discs = Array.from({ length: 14 }, () => ({
    x: random() * width,
    y: random() * height,
    radius: (0.04 + random() * 0.14) * Math.min(width, height),
    colour: [random() * 255, random() * 255, random() * 255],
  }));
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = 150 + 90 * Math.sin((x / width) * 2.4 + (y / height) * 1.7);
      const texture = 14 * Math.sin(x * 0.35) * Math.cos(y * 0.28) + (random() - 0.5) * 10;
      const disc = discs.findLast(
        (candidate) => (x - candidate.x) ** 2 + (y - candidate.y) ** 2 < candidate.radius ** 2,
      );
      for (let channel = 0; channel < 3; channel++) {
        const base = disc ? (disc.colour[channel] ?? 0) * 0.8 + light * 0.2 : light * (tints[channel] ?? 1);
        data[(y * width + x) * 3 + channel] = Math.max(0, Math.min(255, Math.round(base + texture)));
      }
    }
  }
  return data;
}
