import type { Buffer } from '../../host/bytes';
import { BitReader } from '../bits';

/** frame_sync_code (VP9 bitstream specification, 6.2.1), and the colour space in which pictures are red, green and blue (7.2.2). */
export const syncCode = 0x498342;
const colourSpaceRgb = 7;
/** Bytes of a frame at most that only shows an earlier one. */
const shownAgain = 2;

/** How samples are stored: bits of each, and whether colours have half as many across and down. */
export type Colours = { depth: number; halfAcross: 0 | 1; halfDown: 0 | 1 };

/** Sides of a picture in pixels. */
export type Size = { width: number; height: number };

/** Segments of a frame (6.2.11): what stays from one to the next, and what each says of itself. */
export type Segmentation = {
  isOn: boolean;
  updatesMap: boolean;
  isTemporal: boolean;
  tree: Uint8Array;
  prediction: Uint8Array;
  /** The reference of each segment, -1 where blocks tell theirs, and whether it has no coefficients. */
  references: Int8Array;
  skips: Uint8Array;
};

/** What stays from one header to the next. */
export type HeaderState = {
  profile: number;
  colours: Colours;
  /** Sizes of the frames that others may build on. */
  slots: (Size | null)[];
  segmentation: Segmentation;
};

/** What the uncompressed header of a frame says (6.2). */
export type Header = Size & {
  isKey: boolean;
  /** FrameIsIntra: it has no references. */
  isIntra: boolean;
  isShown: boolean;
  isResilient: boolean;
  /** reset_frame_context. */
  resets: number;
  refreshes: number;
  /** Signs of the references 1 to 3. */
  signs: readonly number[];
  isPrecise: boolean;
  isSwitchable: boolean;
  keepsContext: boolean;
  isParallel: boolean;
  context: number;
  isLossless: boolean;
  /** Binary logarithms of how many tiles there are. */
  tileColumns: number;
  tileRows: number;
  /** Where the compressed header begins and ends in the frame, in bytes. */
  at: number;
  end: number;
};

/** Segments of a stream that has none. */
export const noSegments = (): Segmentation => ({
  isOn: false,
  updatesMap: false,
  isTemporal: false,
  tree: new Uint8Array(7).fill(255),
  prediction: new Uint8Array(3).fill(255),
  references: new Int8Array(8).fill(-1),
  skips: new Uint8Array(8),
});

/** The profile in the first bits of a frame (6.2), -1 where they are none. */
export function readProfile(bits: BitReader): number {
  if (bits.take(2) !== 2) return -1;
  const profile = bits.bit() + 2 * bits.bit();
  return profile === 3 && bits.bit() !== 0 ? -1 : profile;
}

/** color_config (6.2.2), or null where it is none. */
export function readColours(bits: BitReader, profile: number): Colours | null {
  const depth = profile < 2 ? 8 : 10 + 2 * bits.bit();
  const isRgb = bits.take(3) === colourSpaceRgb;
  const isOdd = (profile & 1) === 1;
  if (isRgb && !isOdd) return null;
  if (!isRgb) bits.skip(1);
  const [halfAcross, halfDown] = isRgb ? [0, 0] : isOdd ? [bits.bit(), bits.bit()] : [1, 1];
  if (isOdd && bits.bit() !== 0) return null;
  return { depth, halfAcross: halfAcross === 0 ? 0 : 1, halfDown: halfDown === 0 ? 0 : 1 };
}

/**
 * Reads the uncompressed header of a frame; null where no encoder writes one such. `again`: it only shows an earlier frame. `unknown`: it
 * builds on frames that were not seen.
 */
export function readHeader(frame: Buffer, state: HeaderState): Header | null | 'again' | 'unknown' {
  const bits = new BitReader(frame);
  const profile = readProfile(bits);
  if (profile < 0) return null;
  if (bits.bit() === 1) return frame.length <= shownAgain ? 'again' : null;
  const isKey = bits.bit() === 0;
  if (state.profile < 0 && !isKey) return 'unknown';
  if (state.profile >= 0 && profile !== state.profile) return null;
  const isShown = bits.bit() === 1;
  const isResilient = bits.bit() === 1;
  const base = { isKey, isShown, isResilient, resets: 0, signs: [0, 0, 0, 0], isPrecise: false, isSwitchable: false };
  const start = isKey ? readKey(bits, profile, state) : readBetween(bits, profile, base, state);
  if (!start || start === 'unknown') return start;
  const contexts = isResilient
    ? { keepsContext: false, isParallel: true }
    : { keepsContext: bits.bit() === 1, isParallel: bits.bit() === 1 };
  const context = bits.take(2);
  if (start.isIntra || isResilient) Object.assign(state.segmentation, noSegments());
  skipLoopFilter(bits);
  const isLossless = readQuantisation(bits);
  readSegmentation(bits, state.segmentation);
  const tiles = readTiles(bits, start.width);
  const length = bits.take(16);
  // trailing_bits (6.1.1) are zero.
  if (length === 0 || !bits.align() || bits.over) return null;
  const at = bits.position >> 3;
  return { ...base, ...start, ...contexts, context, isLossless, ...tiles, at, end: at + length };
}

/** What the kinds of frames say before their contexts. */
type Start = Size & { isIntra: boolean; refreshes: number } & Partial<Header>;

/** What a key frame says before its contexts. */
function readKey(bits: BitReader, profile: number, state: HeaderState): Start | null {
  if (bits.take(24) !== syncCode) return null;
  const colours = readColours(bits, profile);
  if (!colours) return null;
  state.profile = profile;
  state.colours = colours;
  return { isIntra: true, refreshes: 255, ...readSize(bits) };
}

/** What other frames say before their contexts. */
function readBetween(
  bits: BitReader,
  profile: number,
  { isShown, isResilient }: Pick<Header, 'isShown' | 'isResilient'>,
  state: HeaderState,
): Start | null | 'unknown' {
  const isIntra = !isShown && bits.bit() === 1;
  const resets = isResilient ? 0 : bits.take(2);
  if (isIntra) {
    if (bits.take(24) !== syncCode) return null;
    const colours =
      profile > 0 ? readColours(bits, profile) : { depth: 8, halfAcross: 1 as const, halfDown: 1 as const };
    if (!colours) return null;
    state.colours = colours;
    return { isIntra, resets, refreshes: bits.take(8), ...readSize(bits) };
  }
  const refreshes = bits.take(8);
  const slots: number[] = [];
  const signs = [0];
  for (let reference = 0; reference < 3; reference++) {
    slots.push(bits.take(3));
    signs.push(bits.bit());
  }
  let size: Size | null | undefined;
  for (let reference = 0; reference < 3 && size === undefined; reference++)
    if (bits.bit() === 1) size = state.slots[slots[reference] ?? 0] ?? null;
  if (size === null) return 'unknown';
  if (size) skipShownSize(bits);
  else size = readSize(bits);
  const isPrecise = bits.bit() === 1;
  const isSwitchable = bits.bit() === 1;
  if (!isSwitchable) bits.skip(2);
  return { isIntra, resets, refreshes, signs, isPrecise, isSwitchable, ...size };
}

/** frame_size (6.2.3), and render_size (6.2.5) behind it. */
function readSize(bits: BitReader): Size {
  const width = bits.take(16) + 1;
  const height = bits.take(16) + 1;
  skipShownSize(bits);
  return { width, height };
}

const skipShownSize = (bits: BitReader): void => void (bits.bit() === 1 && bits.skip(32));

/** loop_filter_params (6.2.8). */
function skipLoopFilter(bits: BitReader): void {
  bits.skip(9);
  const optional = (count: number) => void (bits.bit() === 1 && bits.skip(count));
  const hasDeltas = bits.bit() === 1;
  if (hasDeltas && bits.bit() === 1) for (let delta = 0; delta < 6; delta++) optional(7);
}

/** quantization_params (6.2.9): whether the frame is Lossless (7.2.9). */
function readQuantisation(bits: BitReader): boolean {
  let sum = bits.take(8);
  for (let delta = 0; delta < 3; delta++) if (bits.bit() === 1) sum += bits.take(5) & 30 ? 1 : 0;
  return sum === 0;
}

/** Bits of each segmentation feature's value, and whether it has a sign (6.2.11). */
const features = [
  [8, 1],
  [6, 1],
  [2, 0],
  [0, 0],
] as const;

/** segmentation_params (6.2.11). */
function readSegmentation(bits: BitReader, segmentation: Segmentation): void {
  segmentation.isOn = bits.bit() === 1;
  segmentation.updatesMap = false;
  segmentation.isTemporal = false;
  if (!segmentation.isOn) return;
  const probability = () => (bits.bit() === 1 ? bits.take(8) : 255);
  if (bits.bit() === 1) {
    segmentation.updatesMap = true;
    for (let node = 0; node < 7; node++) segmentation.tree[node] = probability();
    segmentation.isTemporal = bits.bit() === 1;
    for (let context = 0; context < 3; context++)
      segmentation.prediction[context] = segmentation.isTemporal ? probability() : 255;
  }
  if (bits.bit() === 0) return;
  bits.skip(1);
  for (let segment = 0; segment < 8; segment++) {
    const values = features.map(([size, sign]) => {
      if (bits.bit() === 0) return -1;
      const value = bits.take(size);
      bits.skip(sign);
      return value;
    });
    segmentation.references[segment] = values[2] ?? -1;
    segmentation.skips[segment] = values[3] === 0 ? 1 : 0;
  }
}

/** tile_info (6.2.13) of a picture so wide. */
function readTiles(bits: BitReader, width: number): { tileColumns: number; tileRows: number } {
  const across = Math.ceil(width / 64);
  let tileColumns = 0;
  while (64 << tileColumns < across) tileColumns++;
  let most = 1;
  while (across >> most >= 4) most++;
  while (tileColumns < most - 1 && bits.bit() === 1) tileColumns++;
  const tileRows = bits.bit() === 1 ? 1 + bits.bit() : 0;
  return { tileColumns, tileRows };
}
