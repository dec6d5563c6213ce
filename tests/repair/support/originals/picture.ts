import sharp, { type Sharp } from 'sharp';
import { scene } from '../scene';

/** A valid file: the program that wrote it, its format as an extension, and its bytes. */
export type Original = { writer: string; format: string; bytes: Buffer };

/** A made picture, to be written by libvips. */
export function picture(width: number, height: number, seed: number): Sharp {
  return sharp(scene(width, height, seed), { raw: { width, height, channels: 3 } });
}

/** Files of libvips from what they are called, their format and their picture. */
export async function photos(list: readonly [string, string, Sharp][]): Promise<Original[]> {
  return Promise.all(
    list.map(async ([writer, format, image]) => ({
      writer: `libvips, ${writer}`,
      format,
      bytes: await image.toBuffer(),
    })),
  );
}
