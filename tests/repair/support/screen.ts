import sharp from 'sharp';
import { randomFrom } from './random';

/** Pixels in four channels of a picture of a screen: flat panels with lines of marks like text, opaque all over. */
function screen(width: number, height: number, seed = 1): Buffer {
  const random = randomFrom(seed);
  const pixels = Buffer.alloc(width * height * 4, 238);
  const fill = (left: number, top: number, wide: number, high: number, colour: readonly number[]) => {
    for (let y = Math.max(0, top); y < Math.min(height, top + high); y++)
      for (let x = Math.max(0, left); x < Math.min(width, left + wide); x++) pixels.set(colour, (y * width + x) * 4);
  };
  fill(0, 0, width, 14, [70, 110, 190, 255]);
  for (let panel = 0; panel < 7; panel++) {
    const [left, top] = [Math.floor(random() * width * 0.8), 18 + Math.floor(random() * height * 0.8)];
    fill(left, top, 40 + Math.floor(random() * 90), 24 + Math.floor(random() * 50), [
      Math.floor(random() * 256),
      Math.floor(random() * 256),
      Math.floor(random() * 256),
      255,
    ]);
  }
  for (let line = 0; line < height / 12; line++)
    for (let mark = 0; mark < width / 7; mark++)
      if (random() < 0.6)
        fill(
          mark * 6 + 4,
          line * 12 + 4,
          1 + Math.floor(random() * 3),
          1 + Math.floor(random() * 6),
          [20, 20, 40, 255],
        );
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  return pixels;
}

/** A picture of a screen as PNG with alpha values, its rows filtered as libvips does; `progressive` stores it in seven passes. */
export function screenPng(width: number, height: number, progressive: boolean, seed = 1): Promise<Buffer> {
  const raw = { width, height, channels: 4 as const };
  return sharp(screen(width, height, seed), { raw })
    .png({ adaptiveFiltering: true, progressive })
    .toBuffer();
}
