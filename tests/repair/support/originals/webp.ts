import sharp from 'sharp';
import { scene } from '../scene';
import { type Original, photos, picture } from './picture';

/** Pictures one below the other, to be written as the frames of an animation. */
function frames(width: number, height: number, count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, index) => scene(width, height, 60 + index)));
}

/** Valid WebP files in the kinds that programs write. */
export async function webps(): Promise<Original[]> {
  const [width, height, count] = [160, 120, 5];
  const animation = (options: object) =>
    sharp(frames(width, height, count), {
      raw: { width, height: height * count, channels: 3, pageHeight: height },
    }).webp({ delay: 100, loop: 0, ...options });
  return photos([
    ['VP8', 'webp', picture(320, 240, 51).webp({ quality: 80 })],
    ['VP8, large', 'webp', picture(1000, 750, 52).blur(0.7).webp({ quality: 75 })],
    ['VP8 with alpha', 'webp', picture(240, 180, 53).ensureAlpha(0.8).webp({ quality: 80 })],
    ['VP8 with a profile', 'webp', picture(320, 240, 54).withIccProfile('p3').webp({ quality: 85 })],
    ['VP8L', 'webp', picture(240, 180, 55).webp({ lossless: true })],
    ['animation', 'webp', animation({ quality: 80 })],
    ['animation, VP8L', 'webp', animation({ lossless: true })],
  ]);
}
