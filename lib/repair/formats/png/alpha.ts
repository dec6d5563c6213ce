import type { PngHeader } from './header';

/** Bytes of a pixel that hold its alpha value, which are its last ones; 0 where it has none. */
export function alphaBytes({ colour, depth }: PngHeader): number {
  return colour === 4 || colour === 6 ? depth >> 3 : 0;
}

/** The residual of an alpha byte in an opaque picture, by its row's filter (ISO/IEC 15948, 9.2), where there is a row above it and a pixel to its left. */
export function opaqueResidual(filter: number, above: boolean, left: boolean): number {
  if (filter === 0 || (!above && !left)) return 255;
  if (filter === 1) return left ? 0 : 255;
  if (filter === 2) return above ? 0 : 255;
  if (filter === 3) return above && left ? 0 : 128;
  return 0;
}

/** A row with its filter: where it begins in the data, how many bytes it has behind its filter byte, and whether none is above it. */
export type AlphaRow = { from: number; row: number; filter: number; top: boolean };

/** How many known alpha bytes of a row are those of opaque pixels, how many are not, and how many of the right ones could not be zero. */
export function judgeAlpha(
  { from, row, filter, top }: AlphaRow,
  { data, known }: { data: Uint8Array; known: Uint8Array | null },
  pixel: number,
  alpha: number,
) {
  const count = { wrong: 0, right: 0, informative: 0 };
  for (let at = 0; at + pixel <= row; at += pixel) {
    const wanted = opaqueResidual(filter, !top, at > 0);
    for (let byte = from + 1 + at + pixel - alpha; byte < from + 1 + at + pixel; byte++) {
      if (known?.[byte] === 0) continue;
      if (data[byte] !== wanted) count.wrong++;
      else count.right++;
      if (data[byte] === wanted && wanted !== 0) count.informative++;
    }
  }
  return count;
}
