import type { Buffer } from '../host/bytes';
import { BitReader } from './bits';

/** What the head of a key frame of VP9 says, sides in pixels (VP9 bitstream specification, 6.2 and 6.2.2). */
export type Vp9Key = { profile: number; depth: number; width: number; height: number };

/** frame_sync_code (6.2.1), and the colour space in which pictures are red, green and blue (7.2.2). */
const syncCode = 0x498342;
const colourSpaceRgb = 7;

/** The profile in the first bits of a frame (6.2), -1 where they are none. */
function readProfile(bits: BitReader): number {
  if (bits.take(2) !== 2) return -1;
  const profile = bits.bit() + 2 * bits.bit();
  return profile === 3 && bits.bit() !== 0 ? -1 : profile;
}

/** color_config (6.2.2): bits of a sample, or 0 where it is none. */
function readColours(bits: BitReader, profile: number): number {
  const depth = profile < 2 ? 8 : 10 + 2 * bits.bit();
  const isRgb = bits.take(3) === colourSpaceRgb;
  const isOdd = (profile & 1) === 1;
  if (isRgb && !isOdd) return 0;
  // color_range and, where the profile leaves it open, how colours are sampled; the last of these bits is reserved.
  if (!isRgb) bits.skip(isOdd ? 3 : 1);
  return isOdd && bits.bit() !== 0 ? 0 : depth;
}

/** Reads the head of a key frame of VP9 of any profile; null for other data. */
export function readVp9Key(head: Buffer): Vp9Key | null {
  const bits = new BitReader(head);
  const profile = readProfile(bits);
  // show_existing_frame, and frame_type of a key frame.
  if (profile < 0 || bits.bit() !== 0 || bits.bit() !== 0) return null;
  bits.skip(2);
  if (bits.take(24) !== syncCode) return null;
  const depth = readColours(bits, profile);
  const width = bits.take(16) + 1;
  const height = bits.take(16) + 1;
  return depth === 0 || bits.over ? null : { profile, depth, width, height };
}

/** The frames of a sample: several where an index of a superframe ends it (annex B), one elsewhere. */
function framesIn(sample: Buffer): Buffer[] {
  const marker = sample.at(-1) ?? 0;
  const width = ((marker >> 3) & 3) + 1;
  const count = (marker & 7) + 1;
  const index = sample.length - 2 - width * count;
  if ((marker & 0xe0) !== 0xc0 || index < 0 || sample[index] !== marker) return [sample];
  const frames: Buffer[] = [];
  for (let place = 0, from = 0; place < count; place++) {
    const size = sample.readUIntLE(index + 1 + place * width, width);
    if (from + size > index) return [sample];
    if (size > 0) frames.push(sample.subarray(from, from + size));
    from += size;
  }
  return frames;
}

/** Bits of each segmentation feature's value, and whether it has a sign (6.2.11). */
const features = [
  [8, 1],
  [6, 1],
  [2, 0],
  [0, 0],
] as const;

/** loop_filter_params, quantization_params and segmentation_params (6.2.8 to 6.2.11) are stepped over. */
function skipFilters(bits: BitReader): void {
  const optional = (count: number) => void (bits.bit() === 1 && bits.skip(count));
  bits.skip(9);
  if (bits.bit() === 1 && bits.bit() === 1) for (let delta = 0; delta < 6; delta++) optional(7);
  bits.skip(8);
  for (let delta = 0; delta < 3; delta++) optional(5);
  if (bits.bit() === 0) return;
  if (bits.bit() === 1) {
    for (let tree = 0; tree < 7; tree++) optional(8);
    if (bits.bit() === 1) for (let prediction = 0; prediction < 3; prediction++) optional(8);
  }
  if (bits.bit() === 0) return;
  bits.skip(1);
  for (let segment = 0; segment < 8; segment++)
    for (const [size, sign] of features) if (bits.bit() === 1) bits.skip(size + sign);
}

/** tile_info (6.2.13) of a picture so wide: tiles in all. */
function readTiles(bits: BitReader, width: number): number {
  const across = Math.ceil(width / 64);
  let least = 0;
  while (64 << least < across) least++;
  let most = 1;
  while (across >> most >= 4) most++;
  let columns = least;
  while (columns < most - 1 && bits.bit() === 1) columns++;
  const rows = bits.bit() === 1 ? 1 + bits.bit() : 0;
  return 1 << (columns + rows);
}

/**
 * Whether what follows the heads of a frame fits into it (6.1, 6.4): heads and tiles have sizes, and each begins with a marker that is zero
 * (9.2.1). `at` is where the compressed head begins.
 */
function partsFit(frame: Buffer, at: number, head: number, tiles: number): boolean {
  const begins = (place: number) => (frame[place] ?? 0x80) < 0x80;
  if (head === 0 || !begins(at)) return false;
  let place = at + head;
  for (let tile = 0; tile < tiles - 1; tile++) {
    if (place + 4 >= frame.length || !begins(place + 4)) return false;
    place += 4 + frame.readUInt32BE(place);
  }
  return place < frame.length && begins(place);
}

/** Tells frames of a stream of VP9 whose heads cannot be what an encoder wrote from others; it has to see them in their order. */
export class Vp9Frames {
  #key: Vp9Key | null = null;
  /** Pictures are of another size than the last key frame, as in calls: how many tiles they have is not followed. */
  #isResized = false;

  /** Whether a sample can be what it should be; those before the first key frame are not judged. */
  isSound(sample: Buffer): boolean {
    return framesIn(sample).every((frame) => this.#isFrame(frame));
  }

  #isFrame(frame: Buffer): boolean {
    const key = readVp9Key(frame);
    // Of other profiles are only keys of another stream.
    if (key && (this.#key === null || key.profile === this.#key.profile)) {
      this.#key = key;
      this.#isResized = false;
    }
    if (!this.#key) return true;
    const bits = new BitReader(frame);
    if (readProfile(bits) !== this.#key.profile) return false;
    if (bits.bit() === 1) return frame.length <= shownAgain;
    const isInter = bits.bit() === 1;
    if (!isInter && !key) return false;
    const isShown = bits.bit() === 1;
    const isResilient = bits.bit() === 1;
    if (!(isInter ? this.#skipReferences(bits, isShown, isResilient) : skipKey(bits, this.#key.profile))) return false;
    if (this.#isResized) return true;
    if (!isResilient) bits.skip(2);
    bits.skip(2);
    skipFilters(bits);
    const tiles = readTiles(bits, this.#key.width);
    const head = bits.take(16);
    return bits.align() && !bits.over && partsFit(frame, bits.position >> 3, head, tiles);
  }

  /** What a frame that is no key frame says before its filters (6.2); false where it cannot be one. */
  #skipReferences(bits: BitReader, isShown: boolean, isResilient: boolean): boolean {
    const isIntra = !isShown && bits.bit() === 1;
    if (!isResilient) bits.skip(2);
    if (isIntra) {
      if (bits.take(24) !== syncCode) return false;
      const profile = this.#key?.profile ?? 0;
      if (profile > 0 && readColours(bits, profile) === 0) return false;
      bits.skip(8);
      this.#takeSize(bits);
      return true;
    }
    // refresh_frame_flags, three references with their signs.
    bits.skip(8 + 3 * 4);
    let found = false;
    for (let reference = 0; reference < 3 && !found; reference++) found = bits.bit() === 1;
    if (found) skipShownSize(bits);
    else this.#takeSize(bits);
    bits.skip(1);
    if (bits.bit() === 0) bits.skip(2);
    return true;
  }

  /** frame_size (6.2.3), and render_size (6.2.5) behind it. */
  #takeSize(bits: BitReader): void {
    if (bits.take(16) + 1 !== this.#key?.width) this.#isResized = true;
    bits.skip(16);
    skipShownSize(bits);
  }
}

/** Bytes of a frame at most that only shows an earlier one. */
const shownAgain = 2;

/** render_size (6.2.5). */
const skipShownSize = (bits: BitReader): void => void (bits.bit() === 1 && bits.skip(32));

/** What a key frame says before its filters. */
function skipKey(bits: BitReader, profile: number): boolean {
  bits.skip(24);
  if (readColours(bits, profile) === 0) return false;
  bits.skip(32);
  skipShownSize(bits);
  return true;
}
