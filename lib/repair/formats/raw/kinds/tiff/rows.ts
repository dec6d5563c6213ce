import type { Buffer } from '../../../../host/bytes';
import { scheme, type TiffBytes } from '../../../tiff/directory';
import type { Image } from './directories';
import { rawScheme } from './image';

/** Values of a row that are compared, about. */
const compared = 240;
/** Pixels whose packed values end with a byte, for every number of bits. */
const pixelsApart = 8;
/** Bits of a sensor's values. */
const usualBits = { least: 8, most: 16 };
/** Bytes of one of Sony's blocks. */
const block = 16;

/** Rows of sensor data that are not packed, or in blocks of one length. */
export type Rows = {
  /** Where they begin, and the bytes of one, of `count`. */
  at: number;
  row: number;
  count: number;
  /** A coarse value at each so many bytes, below `range`. */
  apart: number;
  range: number;
  value: (bytes: Buffer, place: number) => number;
  isBlocks: boolean;
};

/** The mean step between two rows. */
export function stepBetween(bytes: Buffer, { row, apart, value }: Rows, above: number, below: number): number {
  let sum = 0;
  let count = 0;
  const each = apart * Math.max(1, Math.floor(row / apart / compared));
  for (let at = 0; at + apart <= row; at += each) {
    sum += Math.abs(value(bytes, above + at) - value(bytes, below + at));
    count++;
  }
  return count > 0 ? sum / count : 0;
}

/** The rows of a picture in one piece; null where they are packed otherwise. */
export function rowsOf(
  { little }: TiffBytes,
  { pieces, width, height, bits, samples, compression }: Image,
): Rows | null {
  const [piece] = pieces;
  if (pieces.length !== 1 || !piece || samples !== 1) return null;
  const { at, count } = piece;
  if (compression === rawScheme.sony && count === width * height)
    return {
      at,
      row: width,
      count: height,
      apart: block,
      range: 0x800,
      value: (bytes, place) => bytes.readUInt32LE(place) & 0x7ff,
      isBlocks: true,
    };
  if (compression !== scheme.none || bits < usualBits.least || bits > usualBits.most) return null;
  if (count >= width * height * 2)
    return {
      at,
      row: width * 2,
      count: height,
      apart: 2,
      range: 1 << bits,
      value: (bytes, place) => (little ? bytes.readUInt16LE(place) : bytes.readUInt16BE(place)),
      isBlocks: false,
    };
  return {
    at,
    row: Math.ceil((width * bits) / 8),
    count: height,
    apart: bits * (pixelsApart / 8),
    range: 0x100,
    value: (bytes, place) => bytes[place] ?? 0,
    isBlocks: false,
  };
}
