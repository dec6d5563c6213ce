import type { Buffer } from '../../host/bytes';
import { loadDecoder } from '../../host/pictures';
import { readExif } from './exif';
import type { JpegParts } from './markers';
import { endOfImage, startOfImage } from './marks';

/** Bytes of the smallest JPEG, sides of the smallest preview in pixels, and the lightest sample of a black bar. */
const leastJpeg = 200;
const leastSides = { width: 32, height: 24 };
const darkest = 24;

/** A small picture of the same scene that a camera left in the file: samples of red, green and blue, and how its brightness is spread. */
export type Preview = { width: number; height: number; rgb: Buffer; tones: Tones };

/** Mean and standard deviation of brightness, in sample values. */
export type Tones = { mean: number; spread: number };

const largest = 2000;

/**
 * Reads the preview that EXIF holds, or any small JPEG in front of the photo's own scan when EXIF itself is damaged. Never the photo: it
 * serves as a reference only. Null when there is none that a decoder opens.
 */
export async function readPreview(bytes: Buffer, parts: JpegParts): Promise<Preview | null> {
  const known = readExif(parts.applications).preview;
  const found = known ?? looseJpeg(bytes, parts);
  if (!found || found.length < leastJpeg) return null;
  try {
    const sharp = await loadDecoder();
    const { data, info } = await sharp(found, { failOn: 'none', limitInputPixels: largest * largest })
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3 || info.width < leastSides.width || info.height < leastSides.height) return null;
    const [top, bottom] = withoutBars(data, info.width, info.height);
    const rgb = data.subarray(top * info.width * 3, bottom * info.width * 3);
    return { width: info.width, height: bottom - top, rgb, tones: tonesOf(rgb) };
  } catch {
    return null;
  }
}

function looseJpeg(bytes: Buffer, parts: JpegParts): Buffer | null {
  const limit = Math.max(parts.scanOffset, 0);
  const head = bytes.subarray(0, limit);
  const start = head.indexOf(startOfImage, 4);
  const end = start < 0 ? -1 : head.indexOf(endOfImage, start);
  return end < 0 ? null : head.subarray(start, end + 2);
}

/** Cameras fit previews to one shape with black bars above and below. */
function withoutBars(rgb: Buffer, width: number, height: number): [number, number] {
  const isBlack = (row: number) => {
    for (let at = row * width * 3; at < (row + 1) * width * 3; at++) if ((rgb[at] ?? 0) > darkest) return false;
    return true;
  };
  let [top, bottom] = [0, height];
  while (top < height / 4 && isBlack(top)) top++;
  while (bottom > (height * 3) / 4 && isBlack(bottom - 1)) bottom--;
  return top > 0 && bottom < height ? [top, bottom] : [0, height];
}

function tonesOf(rgb: Buffer): Tones {
  let [sum, squares] = [0, 0];
  const count = rgb.length / 3;
  for (let at = 0; at + 2 < rgb.length; at += 3) {
    const light = 0.299 * (rgb[at] ?? 0) + 0.587 * (rgb[at + 1] ?? 0) + 0.114 * (rgb[at + 2] ?? 0);
    sum += light;
    squares += light * light;
  }
  const mean = sum / Math.max(1, count);
  return { mean, spread: Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean)) };
}
