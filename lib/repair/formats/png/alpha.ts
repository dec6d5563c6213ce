import type { Guess, Sample } from './guess';
import { channelsOf, type PngHeader } from './header';

/** Bytes of a pixel that hold its alpha value, which are its last ones; 0 where it has none. */
export function alphaBytes({ colour, depth }: PngHeader): number {
  return colour === 4 || colour === 6 ? depth >> 3 : 0;
}

/** Whether any of whole pixels, of whole bytes, is one that nothing is seen of. */
export function hasHoles(header: PngHeader, pixels: Uint8Array): boolean {
  const alpha = alphaBytes(header);
  const pixel = (channelsOf[header.colour] ?? 1) * (header.depth >> 3);
  if (alpha === 0) return false;
  for (let at = pixel; at <= pixels.length; at += pixel)
    if (!pixels.subarray(at - alpha, at).some((byte) => byte > 0)) return true;
  return false;
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

/** Rows that are looked at for what opacity is like, the share of its bytes that are alike in a row in pictures of few edges, and by how much of what is left it must be above that of colours elsewhere. */
const opacity = { rows: 64, plain: 0.8, clearer: 0.25 };

/**
 * Whether the last byte of each pixel may be opacity, which stays the same from pixel to pixel in most places, so that its residuals do too,
 * more than those of colours: numbers of colours, read as such pixels, are as much alike in all places of a pixel.
 */
export function hasLikelyAlpha({ data, known }: Sample, { header, phase }: Guess): boolean {
  if (alphaBytes(header) !== 1) return true;
  const pixel = channelsOf[header.colour] ?? 1;
  const step = header.width * pixel + 1;
  const stride = Math.max(1, Math.floor(header.height / opacity.rows));
  const alike = new Float64Array(pixel);
  let all = 0;
  for (let line = 0; line < header.height; line += stride) {
    const end = Math.min(data.length, phase + (line + 1) * step);
    for (let place = 0; place < pixel; place++) {
      const counts = new Uint32Array(256);
      for (let at = phase + line * step + 1 + place; at < end; at += pixel)
        if (!known || known[at] === 1) (counts[data[at] as number] as number)++;
      alike[place] = (alike[place] as number) + counts.reduce((most, count) => Math.max(most, count), 0);
      all += counts.reduce((sum, count) => sum + count, 0) / pixel;
    }
  }
  const shares = Array.from(alike, (count) => count / Math.max(1, all));
  const ofAlpha = shares.pop() ?? 0;
  const ofColours = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
  return all === 0 || ofAlpha >= opacity.plain || ofAlpha >= ofColours + (1 - ofColours) * opacity.clearer;
}
