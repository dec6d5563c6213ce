import { mendNikon, type NikonPacking, nikonPacking, readNikon, writeNikon } from '../../../../codecs/nikon';
import type { Buffer } from '../../../../host/bytes';
import type { Deadline } from '../../../../report';
import { TiffBytes, tiffNumber } from '../../../tiff/directory';
import { directoriesOf, type Image, rawTag } from './directories';
import { longestSide } from './image';
import type { PieceReader } from './sensor';

/** Nikon's notes: a mark, a version, and a TIFF of their own from its head on. */
const notes = { mark: 'Nikon\0', head: 10 } as const;
/** The table of linearisation in them, and the one of older cameras. */
const tables = [0x96, 0x8c] as const;

/** How a photo's values are packed, from the notes that its directories lead to; null where they are lost. */
function packingOf(bytes: Buffer, image: Image): NikonPacking | null {
  const directories = directoriesOf(bytes);
  if (!directories) return null;
  for (const { fields } of directories.found) {
    const note = fields.get(rawTag.makerNote);
    const at = note && bytes.toString('latin1', note.at, note.at + notes.mark.length) === notes.mark ? note.at : -1;
    if (at >= 0) return packingIn(bytes.subarray(at + notes.head), image.bits);
  }
  return null;
}

/** The packing that notes tell, whose places count from their own head on. */
function packingIn(own: Buffer, bits: number): NikonPacking | null {
  if (own.length < 8) return null;
  const tiff = new TiffBytes(own, own.toString('latin1', 0, 2) === 'II');
  const directory = tiff.u16(2) === tiffNumber ? tiff.directory(tiff.u32(4), true) : null;
  for (const number of tables) {
    const table = directory?.fields.get(number);
    const packing = table && nikonPacking(own.subarray(table.at, table.at + table.count), bits, tiff.little);
    if (packing) return packing;
  }
  return null;
}

/**
 * The values of a photo put together again and packed anew, with how many of them are made up; `slipped` bytes were added to them, or lost
 * below zero; null where nothing is wrong, or could be done.
 */
export function mendedNikon(
  bytes: Buffer,
  image: Image,
  slipped: number,
  deadline: Deadline,
): { data: Buffer; madeUp: number } | null {
  const packing = packingOf(bytes, image);
  const [piece] = image.pieces;
  if (!packing || !piece || image.pieces.length !== 1) return null;
  const { at, count, width, height } = piece;
  const data = bytes.subarray(at, at + count + slipped);
  if (data.length * 8 >= width * height * image.bits || Math.max(width, height) > longestSide) return null;
  const { rows, fault } = readNikon(data, width, height, packing);
  const picture = fault ? mendNikon(data, width, height, packing, rows, deadline) : null;
  const packed = picture && writeNikon(picture.samples, width, packing);
  return packed && { data: packed, madeUp: picture.madeUp };
}

/** What reads Nikon's packed values; null where the notes that tell how they are packed are lost. */
export function nikonReader(bytes: Buffer, image: Image): PieceReader | null {
  const packing = packingOf(bytes, image);
  if (!packing) return null;
  return (data, { bits }, { at, count, width, height }) => {
    // Some cameras name this packing and leave values as they are, or write colours in their stead.
    if (count * 8 >= width * height * bits) return { intact: 1, how: 'unread', isDamaged: false };
    const { rows, fault } = readNikon(data.subarray(at, at + count), width, height, packing);
    return { intact: height > 0 ? rows / height : 0, how: 'read', isDamaged: fault !== null };
  };
}
