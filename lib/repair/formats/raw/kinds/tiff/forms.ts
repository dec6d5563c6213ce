import { type LosslessFrame, losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { readLossless } from '../../../../codecs/ljpeg/read';
import { TableStore } from '../../../../codecs/ljpeg/tables';
import type { TiffField } from '../../../../report/facts/photo';
import { scheme, tag } from '../../../tiff/directory';
import { rawTag, sensorSpace } from './directories';
import { setCount } from './entries';
import { rawScheme } from './image';
import { type Sheet, sensorTag } from './sheet';
import { foreignBlocks } from './sony';
import { overwrite, type } from './write';

/** Bits in which a value of the sensor is stored where it is not packed. */
const depths = [16, 14, 12, 10, 8] as const;
/** Bits of samples of colours, from which on two bytes hold one. */
const byteBits = 8;
/** The longest side of a sensor, as in lossless JPEG (ISO/IEC 10918-1, B.2.2). */
const longest = 0xffff;
/** The share of the step between rows as told below which that of other rows must be. */
const clearly = 0.75;
/** Rows, and values of one, that are compared. */
const compared = { rows: 64, values: 200 };

/** Bits of the kind of a picture that make it a smaller one, or a page (TIFF 6.0, section 8). */
const lesser = 3;

/** The names of fields that were set. */
export type Named = Set<TiffField>;

/** Sets the numbers that say what kind of samples there are: all colours (three), or a filter for each pixel, where a pattern of filters stands. */
export function withKind(sheet: Sheet, named: Named): void {
  const isFiltered = sheet.find(sensorTag.pattern) !== undefined;
  const depth = sheet.find(tag.depth);
  const isColour = !isFiltered && depth?.count === colours && sheet.find(rawTag.whiteLevel) !== undefined;
  if (!isFiltered && !isColour) return;
  if (sheet.set(tag.photometric, isFiltered ? sensorSpace.filters : sensorSpace.linear)) named.add('photometric');
  if ((depth?.count === 1 || isColour) && sheet.set(tag.samples, isFiltered ? 1 : colours)) named.add('samples');
  const kind = sheet.one(rawTag.subfile);
  if (((kind & lesser) !== 0 || kind > mostKind) && sheet.set(rawTag.subfile, 0)) named.add('photometric');
  if (isColour) return;
  // One value of two bytes tells the bits of the one sample.
  if (depth && (depth.type !== type.short || depth.count !== 1) && sheet.samples === 1) {
    overwrite(sheet.tiff, depth.place + 2, type.short, 2);
    setCount(sheet.tiff, depth, 1);
    named.add('depth');
  }
}

/** The largest number that a kind of picture has (DNG Specification 1.6, chapter 4: 0x10004). */
const mostKind = 0x1ffff;

/** Sets the size and the packing of lossless JPEG by its own headers; whether there is any. */
export function isLosslessForm(sheet: Sheet, isCr2: boolean, named: Named): boolean {
  const { bytes } = sheet.tiff;
  const store = new TableStore();
  const frames = sheet.places.map((at) => losslessFrameAt(bytes, at, store));
  const [frame] = frames;
  if (!frame || frames.some((one) => !one) || frame.components.some(({ across, down }) => across !== 1 || down !== 1))
    return false;
  const packing = sheet.one(tag.compression);
  if (
    packing !== scheme.jpeg &&
    packing !== scheme.oldJpeg &&
    sheet.set(tag.compression, isCr2 ? scheme.oldJpeg : scheme.jpeg)
  )
    named.add('compression');
  if (isCr2) return true;
  const line = frame.width * frame.components.length;
  if (
    sheet.one(tag.photometric) === sensorSpace.linear &&
    sheet.samples !== frame.components.length &&
    frame.components.length === colours &&
    sheet.set(tag.samples, colours)
  )
    named.add('samples');
  const { samples } = sheet;
  const isAlike = frames.every((one) => one?.width === frame.width && one.height === frame.height);
  const bits = sheet.one(tag.depth);
  if (
    (bits < frame.precision || bits > depths[0]) &&
    sheet.find(tag.depth)?.count === 1 &&
    sheet.set(tag.depth, frame.precision > byteBits ? depths[0] : byteBits)
  )
    named.add('depth');
  if (!isAlike || line % samples !== 0 || !hasAll(sheet, frame)) return true;
  const [across, down] = [line / samples, frame.height];
  const [wide, high] = sheet.isTiled
    ? ([rawTag.tileWidth, rawTag.tileHeight] as const)
    : ([tag.width, tag.height] as const);
  if (!sheet.isTiled && sheet.places.length > 1) return true;
  if (sheet.one(wide) * sheet.one(high) === across * down) return true;
  if (sheet.set(wide, across)) named.add('width');
  if (sheet.set(high, down)) named.add('height');
  return true;
}

const colours = 3;

/** Whether the first piece ends with as many values as its header names. */
function hasAll(sheet: Sheet, frame: LosslessFrame): boolean {
  const [at = 0] = sheet.places;
  const [count = 0] = sheet.counts;
  const isKnown = sheet.isTiled
    ? sheet.one(rawTag.tileWidth) * sheet.one(rawTag.tileHeight) ===
      (frame.width * frame.height * frame.components.length) / sheet.samples
    : sheet.width * sheet.height * sheet.samples === frame.width * frame.height * frame.components.length;
  return isKnown || readLossless(sheet.tiff.bytes, frame, at + count).fault === null;
}

/** Sets the size, bits and length of rows that are not packed, or in Sony's blocks, by how many bytes they take; whether that fits then. */
export function isRowForm(sheet: Sheet, isDng: boolean, named: Named): boolean {
  const { width, height, samples, places, counts } = sheet;
  const packing = sheet.one(tag.compression, scheme.none);
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (places.length !== counts.length || samples < 1 || !sheet.find(tag.depth)) return false;
  if (sheet.isTiled) return packing === scheme.none;
  const bits = sheet.one(tag.depth, byteBits);
  const isBlocks = !isDng && packing === rawScheme.sony;
  const told: Room = { width, height, bits: isBlocks ? byteBits : bits, samples };
  const fits = (room: Room) =>
    bytesOf(room) === all ||
    (!isDng && room.bits > byteBits && room.bits < depths[0] && bytesOf({ ...room, bits: depths[0] }) === all);
  if (fits(told) && (packing === scheme.none || isBlocks)) return true;
  // No packed data takes as many bytes as it has without; some of Nikon's cameras name a packing and use none.
  if (fits(told) && !isBlocks && sheet.find(sensorTag.pattern) && packing !== rawScheme.nikon) {
    if (sheet.set(tag.compression, scheme.none)) named.add('compression');
    return true;
  }
  const [at = 0] = places;
  const isBlockSized = !isDng && all === width * height && bits > byteBits && packing !== rawScheme.nikon;
  if (isBlockSized && foreignBlocks(sheet.tiff.bytes.subarray(at, at + all)).length === 0) {
    if (sheet.set(tag.compression, rawScheme.sony)) named.add('compression');
    return true;
  }
  if (packing !== scheme.none && !isBlocks) return false;
  return isSizeSet(sheet, told, all, fits, named);
}

type Room = { width: number; height: number; bits: number; samples: number };

const bytesOf = ({ width, height, bits, samples }: Room): number =>
  Math.ceil((width * bits * samples) / byteBits) * height;

/** Sets the one number by which rows do not fill their bytes, where another field, or the rows themselves, say the same. */
function isSizeSet(sheet: Sheet, told: Room, all: number, fits: (room: Room) => boolean, named: Named): boolean {
  const { heights, counts } = sheet;
  const isBlocks = sheet.one(tag.compression) === rawScheme.sony;
  const isHeight = heights.includes(told.height) || counts.length > 1;
  const length = lengthOf(sheet, told, all);
  if (counts.length === 1 && isHeight && length !== null) {
    sheet.setAt(sheet.countTag, 0, length);
    named.add('places');
    return true;
  }
  const bits = isBlocks ? undefined : depths.find((one) => fits({ ...told, bits: one }) && isHeight);
  if (bits !== undefined && sheet.find(tag.depth)?.count === 1 && sheet.set(tag.depth, bits)) {
    named.add('depth');
    return true;
  }
  const height = heights.find((one) => one !== told.height && one <= longest && fits({ ...told, height: one }));
  if (height !== undefined && sheet.set(tag.height, height)) {
    named.add('height');
    return true;
  }
  const width = widthOf(sheet, told, all);
  if (!isHeight || width === null || !fits({ ...told, width }) || !sheet.set(tag.width, width)) return false;
  named.add('width');
  return true;
}

/** The bytes that rows take as told, packed or in two bytes for each value, where they end with the file or the next data; null where they do not. */
function lengthOf(sheet: Sheet, told: Room, all: number): number | null {
  const ways = [bytesOf(told), ...(told.bits > byteBits ? [bytesOf({ ...told, bits: depths[0] })] : [])];
  return ways.find((length) => length !== all && isFree(sheet, length, all)) ?? null;
}

/** The width with which rows fill all bytes, where rows go on from those above so much better than as told; null where they do not. */
function widthOf(sheet: Sheet, { width, height, bits, samples }: Room, all: number): number | null {
  const row = all / height;
  if (!Number.isInteger(row) || row < 2) return null;
  const told = Math.ceil((width * bits * samples) / byteBits);
  const ways = new Set(sheet.one(tag.compression) === rawScheme.sony ? [bits] : [bits, depths[0]]);
  const widths = [...ways]
    .map((one) => (row * byteBits) / (one * samples))
    .filter((one) => Number.isInteger(one) && one % 2 === 0 && one <= longest);
  const wanted =
    widths.length === 1 ? widths[0] : widths.find((one) => Math.abs(one - width) <= 2 || sheet.widths.includes(one));
  if (wanted === undefined) return null;
  // Rows may be filled up to a round number of bytes, but have no odd number of filters, nor bytes for half as many again.
  const isLikely = sheet.widths.includes(wanted) || width % 2 === 1 || wanted < width || wanted >= width * leastMore;
  const [at = 0] = sheet.places;
  // Filters stand by twos, so that an odd width is none.
  const share = width % 2 === 1 ? 1 : clearly;
  const isBetter = [0, 1].some((half) => stepOf(sheet, at, row, half) < stepOf(sheet, at, told, half) * share);
  return isLikely && isBetter ? wanted : null;
}

const leastMore = 1.25;

/** The mean step between bytes two rows apart, of the upper or the lower ones of values of two bytes; infinite for rows of no length. */
function stepOf({ tiff: { bytes } }: Sheet, at: number, row: number, half: number): number {
  if (row < 2) return Number.POSITIVE_INFINITY;
  let [sum, count] = [0, 0];
  for (let index = 0; index < compared.rows; index++) {
    const above = at + index * row * 2;
    const each = 2 * Math.max(1, Math.floor(row / compared.values / 2));
    for (let place = half; place < row && above + row * 2 + place < bytes.length; place += each) {
      sum += Math.abs((bytes[above + place] ?? 0) - (bytes[above + row * 2 + place] ?? 0));
      count++;
    }
  }
  return count > 0 ? sum / count : Number.POSITIVE_INFINITY;
}

/** Bytes that may fill a file up behind its data. */
const mostFilled = 16;

/** Whether data of another length ends where the file or the next data does, and as told it does not. */
function isFree(sheet: Sheet, wanted: number, told: number): boolean {
  const [at = 0] = sheet.places;
  const left = (length: number) => sheet.tiff.bytes.length - at - length;
  if (left(wanted) < 0) return false;
  const isEnd = left(wanted) <= mostFilled && left(told) !== 0;
  const { bytes } = sheet.tiff;
  const place = at + wanted;
  return isEnd || (bytes[place] === 0xff && bytes[place + 1] === 0xd8 && bytes[place + 2] === 0xff);
}
