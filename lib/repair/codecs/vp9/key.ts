import type { Buffer } from '../../host/bytes';
import { BitReader } from '../bits';
import { readColours, readProfile, syncCode } from './header';

/** What the head of a key frame of VP9 says, sides in pixels (VP9 bitstream specification, 6.2 and 6.2.2). */
export type Vp9Key = { profile: number; depth: number; width: number; height: number };

/** Reads the head of a key frame of VP9 of any profile; null for other data. */
export function readVp9Key(head: Buffer): Vp9Key | null {
  const bits = new BitReader(head);
  const profile = readProfile(bits);
  // show_existing_frame, and frame_type of a key frame.
  if (profile < 0 || bits.bit() !== 0 || bits.bit() !== 0) return null;
  bits.skip(2);
  if (bits.take(24) !== syncCode) return null;
  const colours = readColours(bits, profile);
  const width = bits.take(16) + 1;
  const height = bits.take(16) + 1;
  return !colours || bits.over ? null : { profile, depth: colours.depth, width, height };
}
