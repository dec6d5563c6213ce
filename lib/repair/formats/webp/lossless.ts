import { BitReader } from '../../codecs/vp8l/bits';
import { writeLossless } from '../../codecs/vp8l/encode';
import { readPixels } from '../../codecs/vp8l/image';
import { type Lossless, readLossless } from '../../codecs/vp8l/picture';
import { Buffer } from '../../host/bytes';

/** The alpha value of what nothing shines through. */
const opaque = 0xff;
/** Pixels of one picture that are read; they and the codes of a large one are held in memory. */
const mostPixels = 64_000_000;

/**
 * A lossless picture as far as it can be read: its changed pixels (RFC 9649, 3.5), how many of them there are, and how many bytes stand behind the last one; null where it was not reached. `isFilled` where nothing but
 * zeroes follow, to an even number of bytes at most.
 */
type Read = { picture: Lossless; pixels: Int32Array; known: number; over: number | null; isFilled: boolean };

/** Whether only zeroes follow a bit of the data, to an even number of bytes. */
export function isFlushed(data: Uint8Array, bit: number): boolean {
  const end = Math.ceil(bit / 8);
  const rest = bit % 8 === 0 ? 0 : (data[end - 1] ?? 0) >> (bit % 8);
  const isEven = data.length === end || (data.length === end + 1 && end % 2 === 1 && data[end] === 0);
  return rest === 0 && isEven;
}

/** Reads a picture to its last pixel, or to the first that makes no sense; null where it cannot be told what it is, or it is too large. */
function readAll(data: Uint8Array): Read | null {
  const picture = readLossless(data);
  if (!picture) return null;
  const { coded, first, height } = picture;
  if (coded.width * height > mostPixels) return null;
  const pixels = new Int32Array(coded.width * height);
  const place = { ...first };
  const isRead = readPixels(coded, new BitReader(data), place, pixels, pixels.length);
  const over = data.length - Math.ceil(place.bit / 8);
  return { picture, pixels, known: place.pixel, over: isRead ? over : null, isFilled: isFlushed(data, place.bit) };
}

/**
 * Whether the data of a lossless picture ends with its last pixel, as far as that can be told: with the byte in which that ends, or one more, and
 * zeroes behind it, as encoders flush their bits. What is read behind a wrong bit has another length.
 */
export function isLosslessRead(data: Uint8Array): boolean {
  const read = readAll(data);
  return !read || (read.over !== null && read.isFilled);
}

/** Whether a lossless picture is of a kind that can be read, and its data ends with its last pixel. */
export function isReadToItsEnd(data: Uint8Array): boolean {
  const read = readAll(data);
  return read !== null && read.over !== null && read.isFilled;
}

/** Whether the pixels of a lossless picture have different alpha values, which its head must tell of (RFC 9649, 3.4). */
export function isAlphaUsed(data: Uint8Array): boolean {
  const read = readAll(data);
  if (!read) return false;
  const palettes = read.picture.transforms.flatMap((one) => (one.kind === 'palette' ? [one.colours] : []));
  // The first colour of a palette is told as it is, the others by what they differ from it (4.4).
  const [first, ...others] = palettes[0] ?? [];
  if (first !== undefined) return first >>> 24 !== opaque || others.some((one) => one >>> 24 !== 0);
  const alpha = (read.pixels[0] ?? 0) >>> 24;
  return read.pixels.some((one) => one >>> 24 !== alpha);
}

/** A lossless picture that opens again, how many of its rows are made up, and whether what stands in the others is surely its own. */
export type Restored = { data: Buffer; filled: number; rows: number; isSure: boolean };

/**
 * Puts a picture together of which the data is over too soon or makes no sense: the rows up to there, and behind them what the transforms
 * make of no change at all, or the last row again. Null where nothing can be read of it.
 */
export function restoreLossless(data: Buffer): Restored | null {
  const read = readAll(data);
  if (!read) return null;
  const { picture, pixels, known, isFilled } = read;
  const { width, height } = picture.coded;
  const whole = Math.floor(known / width);
  if (whole === 0) return null;
  if (known === pixels.length) return { data, filled: 0, rows: height, isSure: isFilled };
  const isPredicted = picture.transforms.some(({ kind }) => kind === 'predictor');
  for (let at = whole * width; at < pixels.length; at++) pixels[at] = isPredicted ? 0 : (pixels[at - width] ?? 0);
  const written = Buffer.from(writeLossless(data, picture, pixels));
  return { data: written, filled: height - whole, rows: height, isSure: false };
}
