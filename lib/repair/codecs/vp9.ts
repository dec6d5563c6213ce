import type { Buffer } from '../host/bytes';
import { BitReader } from './bits';

/** What the head of a key frame of VP9 says, sides in pixels (VP9 bitstream specification, 6.2 and 6.2.2). */
export type Vp9Key = { profile: number; depth: number; width: number; height: number };

/** frame_sync_code (6.2.1), and the colour space in which pictures are red, green and blue (7.2.2). */
const syncCode = 0x498342;
const colourSpaceRgb = 7;

/** Reads the head of a key frame of VP9 of any profile; null for other data. */
export function readVp9Key(head: Buffer): Vp9Key | null {
  const bits = new BitReader(head);
  if (bits.take(2) !== 2) return null;
  const profile = bits.bit() + 2 * bits.bit();
  if (profile === 3 && bits.bit() !== 0) return null;
  // show_existing_frame, and frame_type of a key frame.
  if (bits.bit() !== 0 || bits.bit() !== 0) return null;
  bits.skip(2);
  if (bits.take(24) !== syncCode) return null;
  const depth = profile < 2 ? 8 : 10 + 2 * bits.bit();
  const isRgb = bits.take(3) === colourSpaceRgb;
  const isOdd = (profile & 1) === 1;
  if (isRgb && !isOdd) return null;
  // color_range and, where the profile leaves it open, how colours are sampled; the last of these bits is reserved.
  if (!isRgb) bits.skip(isOdd ? 3 : 1);
  if (isOdd && bits.bit() !== 0) return null;
  const width = bits.take(16) + 1;
  const height = bits.take(16) + 1;
  return bits.over ? null : { profile, depth, width, height };
}
