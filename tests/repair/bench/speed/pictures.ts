import { picture } from '../../support/originals/picture';

const made = new Map<number, Promise<Buffer>>();

/** JPEG files of about 300 kB each, every one another picture. */
export function jpegPictures(count: number): Promise<Buffer[]> {
  const one = (seed: number) => {
    const known = made.get(seed) ?? picture(1600, 1200, seed).jpeg({ quality: 86 }).toBuffer();
    made.set(seed, known);
    return known;
  };
  return Promise.all(Array.from({ length: count }, (_, index) => one(index + 1)));
}
