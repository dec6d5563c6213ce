import type { Buffer } from '../../host/bytes';
import { BitReader } from '../bits';
import type { Escapes } from '../mpeg4/bits';

/** The beginning of a picture (ITU-T H.263, 5.1); `body` is the place in bits of its first macroblock. */
export type PictureFields = {
  width: number;
  height: number;
  isIntra: boolean;
  /** Whether no other picture builds on it, as Flash video tells. */
  isDisposable: boolean;
  quantiser: number;
  escapes: Escapes;
  body: number;
};

/** Sizes by the source format (table 1), and by that of Flash video. */
const sizes: Readonly<Record<number, readonly [number, number]>> = {
  1: [128, 96],
  2: [176, 144],
  3: [352, 288],
  4: [704, 576],
  5: [1408, 1152],
};
const flashSizes: Readonly<Record<number, readonly [number, number]>> = {
  2: [352, 288],
  3: [176, 144],
  4: [128, 96],
  5: [320, 240],
  6: [160, 120],
};
/** The picture start code (5.1.1), and the shorter one of Flash video with its two versions behind it. */
const startCode = 0x20;
const [startBits, flashBits] = [22, 17];
/** Types of pictures in Flash video. */
const types = { intra: 0, predicted: 1, disposable: 2 } as const;

/** Extra insertion information (5.1.9, 5.1.10), up to its end. */
function skipExtra(bits: BitReader): void {
  while (bits.bit() === 1 && !bits.over) bits.skip(8);
}

/** Reads the beginning of a picture; null where it has what is not read here, such as optional modes. */
export function readPictureFields(picture: Buffer): PictureFields | null {
  const bits = new BitReader(picture);
  if (bits.take(startBits) !== startCode) return null;
  bits.skip(8);
  if (bits.take(2) !== 2) return null;
  bits.skip(3);
  // Beyond these five formats PTYPE is extended (5.1.4).
  const size = sizes[bits.take(3)];
  const isIntra = bits.bit() === 0;
  // Unrestricted vectors, arithmetic coding, advanced prediction, two pictures in one; and several streams in one (5.1.20).
  const modes = bits.take(4);
  const quantiser = bits.take(5);
  if (!size || modes !== 0 || quantiser === 0 || bits.bit() === 1) return null;
  skipExtra(bits);
  if (bits.over) return null;
  return {
    ...{ width: size[0], height: size[1], isIntra, isDisposable: false, quantiser },
    ...{ escapes: 'h263', body: bits.position },
  };
}

/** The same of Flash video (Adobe SWF 19, "Sorenson H.263"). */
export function readFlashFields(picture: Buffer): PictureFields | null {
  const bits = new BitReader(picture);
  if (bits.take(flashBits) !== 1) return null;
  const version = bits.take(5);
  if (version > 1) return null;
  bits.skip(8);
  const format = bits.take(3);
  const fieldBits = format === 0 ? 8 : 16;
  const size = format < 2 ? ([bits.take(fieldBits), bits.take(fieldBits)] as const) : flashSizes[format];
  const type = bits.take(2);
  bits.skip(1);
  const quantiser = bits.take(5);
  skipExtra(bits);
  if (!size || size[0] * size[1] === 0 || type > types.disposable || quantiser === 0 || bits.over) return null;
  return {
    ...{ width: size[0], height: size[1], quantiser, body: bits.position },
    isIntra: type === types.intra,
    isDisposable: type === types.disposable,
    escapes: version === 1 ? 'flash' : 'h263',
  };
}
