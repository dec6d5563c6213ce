import { BitReader } from '../../codecs/vp8l/bits';
import { type Place, readPixels } from '../../codecs/vp8l/image';
import { type Lossless, readLossless } from '../../codecs/vp8l/picture';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import type { Size } from '../../report/facts/photo';
import type { Headed } from './keyframe';
import { isAlphaUsed, isFlushed, isReadToItsEnd } from './lossless';

/** The signature and the bits of a side less one (RFC 9649, 3.4), behind which stand whether alpha is used and the version, which is 0. */
const signature = 0x2f;
const sideBits = 14;
const most = 1 << sideBits;
const losslessHeadBytes = 5;
/** Bits of the side of the smallest blocks into which a picture is divided (4.1 and 6.2.2): sizes of as many blocks are described alike. */
const leastBlock = 2;
/** Bytes of data from which on it is no chance that a size that was searched for ends where they do. */
const leastSearched = 64;
/** Pixels of a picture whose size is searched for, and how many times as long as the other one the side is, at the most. */
const mostSearched = 4_000_000;
const longest = 8;
/** What such a search may take, in units of effort. */
const mostEffort = 1000;
/** Pixels for which a byte is held, at the most, to read how they were changed. */
const roomOfBlocks = 4;
/** What a pixel costs, as bits of H.264. */
const costOfPixel = 2;

const sizeOf = (data: Buffer): Size => {
  const word = data.readUInt32LE(1);
  return { width: (word & (most - 1)) + 1, height: ((word >>> sideBits) & (most - 1)) + 1 };
};

const hasAlpha = (data: Buffer): boolean => ((data[losslessHeadBytes - 1] ?? 0) & 0x10) !== 0;

/** The head of a lossless picture of this size. */
export function losslessHead({ width, height }: Size, isAlphaUsed: boolean): Buffer {
  const head = Buffer.alloc(losslessHeadBytes);
  head[0] = signature;
  head.writeUInt32LE(width - 1 + (height - 1) * most + (isAlphaUsed ? most * most : 0), 1);
  return head;
}

/** Whether a lossless picture has alpha values that its head does not tell of. */
export const isAlphaUntold = (data: Buffer): boolean => !hasAlpha(data) && isAlphaUsed(data);

function withSize(data: Buffer, size: Size): Buffer {
  const result = Buffer.concat([losslessHead(size, hasAlpha(data)), data.subarray(losslessHeadBytes)]);
  if (isAlphaUntold(result)) losslessHead(size, true).copy(result);
  return result;
}

/**
 * The heads with which a lossless picture ends where its data does: with the sides that it tells, or those that others tell of it (`told`); if there
 * is none, with another width or height, if that is one only.
 */
export function losslessFramesOf(data: Buffer, told: readonly Size[], effort: Effort): Headed[] {
  if (data.length <= losslessHeadBytes) return [];
  const own = sizeOf(data);
  const isRead = (size: Size) => {
    effort.spend('sliceBit', size.width * size.height * costOfPixel);
    return (
      !effort.isSpent && isReadToItsEnd(Buffer.concat([losslessHead(size, false), data.subarray(losslessHeadBytes)]))
    );
  };
  const framesOf = (sizes: readonly Size[], how: Headed['how']) =>
    sizes.map((size) => ({ data: withSize(data, size), size, how }));
  const known = [own, ...told].filter(({ width, height }) => width <= most && height <= most).filter(isRead);
  if (known.length > 0) return framesOf(known.slice(0, 1), 'told');
  const isSure = told.some(({ width, height }) => width === own.width && height === own.height);
  if (isSure || data.length < leastSearched) return [];
  const tried: Tried = {
    data: Buffer.from(data),
    pixels: new Int32Array(mostSearched),
    effort: effort.share(mostEffort),
  };
  const heights = heightsOf(tried, own.width);
  const found = heights.length > 0 ? heights : widthsOf(tried, own.height);
  return found.length === 1 ? framesOf(found, 'found') : [];
}

/** A picture that is told one size after another, and room for its pixels. */
type Tried = { data: Buffer; pixels: Int32Array; effort: Effort };

/** What is read of a picture of some size before its pixels; null where it makes no sense with that. */
function begun({ data, effort }: Tried, size: Size): { picture: Lossless; place: Place } | null {
  effort.spend('sliceReading');
  effort.spend('copiedByte', (size.width * size.height) / roomOfBlocks);
  losslessHead(size, false).copy(data);
  const picture = readLossless(data);
  return picture && { picture, place: { ...picture.first } };
}

const mostBeside = (side: number): number => Math.min(most, side * longest, Math.floor(mostSearched / side));

/** Sizes of this width with which the data ends. All heights of as many blocks are read as one. */
function heightsOf(tried: Tried, width: number): Size[] {
  const found: Size[] = [];
  const last = mostBeside(width);
  for (
    let height = 1 << leastBlock;
    height <= last && found.length === 0 && !tried.effort.isSpent;
    height += 1 << leastBlock
  ) {
    const one = begun(tried, { width, height });
    if (!one) continue;
    const side = Math.max(leastBlock, leastOf(one.picture));
    const until = Math.min(most, Math.ceil(height / (1 << side)) << side);
    const from = until - (1 << side);
    for (const rows of endsOf(tried, { ...one, height: until })) if (rows > from) found.push({ width, height: rows });
    height = until;
  }
  return found;
}

/** Bits of the side of the smallest blocks of a picture; those of the whole where it has none. */
function leastOf({ transforms, coded }: Lossless): number {
  const sides = transforms.flatMap((one) => (one.kind === 'predictor' || one.kind === 'colour' ? [one.bits] : []));
  return Math.min(sideBits, ...sides, ...(coded.blocks ? [coded.blocks.bits] : []));
}

/** Numbers of rows with which the data of a picture can end. */
function endsOf(
  { data, pixels, effort }: Tried,
  { picture, place, height }: { picture: Lossless; place: Place; height: number },
): number[] {
  const { width } = picture.coded;
  const down = Math.min(height, Math.floor(mostSearched / width));
  // What earlier pictures left in it is never read: copies lead to what stands before them.
  const room = pixels.subarray(0, width * down);
  const bits = new BitReader(data);
  const found: number[] = [];
  for (let rows = 1; rows <= down && !effort.isSpent; rows++) {
    effort.spend('sliceBit', width * costOfPixel);
    if (!readPixels(picture.coded, bits, place, room, rows * width)) break;
    if (place.pixel === rows * width && isFlushed(data, place.bit)) found.push(rows);
  }
  return found;
}

/** Sizes of this height with which the data ends. */
function widthsOf(tried: Tried, height: number): Size[] {
  const found: Size[] = [];
  const last = mostBeside(height);
  for (let width = 1; width <= last && found.length === 0 && !tried.effort.isSpent; width++) {
    const one = begun(tried, { width, height });
    if (one && endsOf(tried, { ...one, height }).includes(height)) found.push({ width, height });
  }
  return found;
}
