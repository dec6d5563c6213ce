import type { Buffer } from '../../../../host/bytes';
import { scheme, type TiffBytes } from '../../../tiff/directory';
import type { Image, Piece } from './directories';
import { rawScheme } from './image';

/** Values of a row that are compared, about. */
const compared = 240;
/** Pixels whose packed values end with a byte, for every number of bits. */
const pixelsApart = 8;
/** Bits of a sensor's values. */
const usualBits = { least: 8, most: 16 };
/** The least value of all light that is believed. */
const leastWhite = (1 << usualBits.least) - 1;
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
  /** From which value on no sensor of its kind gives any. */
  beyond: number;
  value: (bytes: Buffer, place: number) => number;
  /** The upper eight bits of the pixels that stand in `group` bytes at a place. */
  group: number;
  coarse: (bytes: Buffer, place: number) => readonly number[];
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

/** Strips that stand one behind the other, as one piece of all rows; null where they do not, or are tiles. */
export function wholePiece({ pieces, width, height }: Image): Piece | null {
  const [first] = pieces;
  if (!first) return null;
  let count = 0;
  let rows = 0;
  for (const piece of pieces) {
    if (piece.at !== first.at + count || piece.width !== width) return null;
    count += piece.count;
    rows += piece.height;
  }
  return rows === height ? { at: first.at, count, width, height } : null;
}

/** The rows of a picture in one piece; null where they are packed otherwise. */
export function rowsOf({ little }: TiffBytes, image: Image): Rows | null {
  const { pieces, width, height, bits, samples, compression, white } = image;
  const piece = pieces.length === 1 ? pieces[0] : wholePiece(image);
  if (!piece || samples !== 1) return null;
  const { at, count } = piece;
  if (compression === rawScheme.sony && count === width * height)
    return {
      at,
      row: width,
      count: height,
      apart: block,
      range: 0x800,
      beyond: 0x800,
      value: (bytes, place) => bytes.readUInt32LE(place) & 0x7ff,
      group: block,
      coarse: () => [],
      isBlocks: true,
    };
  if (compression !== scheme.none || bits < usualBits.least || bits > usualBits.most) return null;
  if (count >= width * height * 2) {
    const range = Math.min(1 << bits, white >= leastWhite ? 2 ** Math.ceil(Math.log2(white + 1)) : 1 << bits);
    const value = (bytes: Buffer, place: number) => (little ? bytes.readUInt16LE(place) : bytes.readUInt16BE(place));
    return {
      at,
      row: width * 2,
      count: height,
      apart: 2,
      range,
      // Highlights may exceed the white that a program names, but not twice.
      beyond: Math.min(1 << bits, range * 2),
      value,
      group: 2,
      coarse: (bytes, place) => [Math.min(levels - 1, Math.floor((value(bytes, place) * levels) / range))],
      isBlocks: false,
    };
  }
  return {
    at,
    row: Math.ceil((width * bits) / 8),
    count: height,
    apart: bits * (pixelsApart / 8),
    range: 0x100,
    beyond: 0x100,
    value: (bytes, place) => bytes[place] ?? 0,
    group: bits * (pixelsApart / 8),
    coarse: (bytes, place) => upperBits(bytes, place, bits),
    isBlocks: false,
  };
}

/** Levels that eight bits tell apart. */
const levels = 256;

/** The upper eight bits of eight packed pixels, the first in the highest bits of the first byte (TIFF 6.0, section 8). */
function upperBits(bytes: Buffer, place: number, bits: number): number[] {
  const values: number[] = [];
  for (let from = 0; from < bits * pixelsApart; from += bits) {
    const at = place + (from >> 3);
    values.push(((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) >> (8 - (from & 7))) & (levels - 1));
  }
  return values;
}
