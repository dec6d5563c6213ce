import { space } from './directory';
import type { Raster } from './raster';

/** How much neighbouring samples of a picture differ, in shares of their range; a picture read with a wrong field is rougher than any real one. */
export function roughnessOf(raster: Raster): number {
  const { width, height, samples, depth, data } = raster;
  if (depth === 1 && samples === 1) return bitRoughness(raster);
  if (depth < 8) return 0.5;
  const size = depth >> 3;
  const [row, pixel] = [width * samples * size, samples * size];
  let sum = 0;
  let count = 0;
  const lines = Math.max(1, Math.floor(height / 64));
  for (let line = lines; line < height; line += lines) {
    // Of samples of two bytes the high one, which comes second here, tells the size.
    for (let at = pixel + size - 1; at < row; at += size) {
      const value = data[line * row + at] ?? 0;
      sum +=
        Math.abs(value - (data[line * row + at - pixel] ?? 0)) + Math.abs(value - (data[(line - 1) * row + at] ?? 0));
      count += 2;
    }
  }
  return count > 0 ? sum / count / 255 : 1;
}

/** The share of pixels of one bit that differ from their neighbours. */
function bitRoughness({ width, height, data }: Raster): number {
  const row = Math.ceil(width / 8);
  let [sum, count] = [0, 0];
  const lines = Math.max(1, Math.floor(height / 128));
  const bit = (line: number, at: number) => ((data[line * row + (at >> 3)] ?? 0) >> (7 - (at & 7))) & 1;
  for (let line = lines; line < height; line += lines) {
    for (let at = 1; at < width; at++) {
      const value = bit(line, at);
      sum += (value ^ bit(line, at - 1)) + (value ^ bit(line - 1, at));
      count += 2;
    }
  }
  return count > 0 ? sum / count : 1;
}

/** Mean difference between neighbours, as a share of their range, that no picture has and noise has. */
const noiseFrom = 0.16;

/** Whether values are as rough as noise. */
export const isRough = (raster: Raster): boolean => roughnessOf(raster) > noiseFrom;

/** Whether it is noise instead of a picture; numbers of a palette (TIFF 6.0, section 5) are rough in any picture. */
export const isNoisy = (raster: Raster): boolean => raster.photometric !== space.palette && isRough(raster);
