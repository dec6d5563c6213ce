import { space } from '../directory';
import type { Raster } from '../raster';

/** Share of pixels whose fourth sample lies between none and all but is not the commonest such value, and of transparent ones that have colours, from which on it is an ink. */
const ink = { between: 0.25, coloured: 0.1 };
/** The share of pixels without any of the fourth sample that must be there for their colours to tell. */
const leastNone = 0.5;

/**
 * What four samples of eight bits are (TIFF 6.0, sections 6, 16 and 18): red, green and blue with opacity, or inks. Opacity is all or nothing in
 * most places, or one value all over, and what is transparent has no colours; the black ink is not, and some programs use none of it.
 */
export function spaceOfFour({ data }: Raster): number {
  let [pixels, none, coloured] = [0, 0, 0];
  const between = new Uint32Array(256);
  for (let at = 0; at + 3 < data.length; at += 4) {
    const fourth = data[at + 3] ?? 0;
    pixels++;
    if (fourth > 0 && fourth < 255) between[fourth] = (between[fourth] ?? 0) + 1;
    if (fourth > 0) continue;
    none++;
    const [first, second, third] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
    const isPlain = first === second && second === third && (first === 0 || first === 255);
    if (!isPlain) coloured++;
  }
  const different = between.reduce((sum, count) => sum + count, 0) - Math.max(...between);
  const isInk = different > pixels * ink.between || (none > pixels * leastNone && coloured > none * ink.coloured);
  return isInk ? space.separated : space.rgb;
}
