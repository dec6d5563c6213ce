import { Buffer } from '../../host/bytes';
import { passesOf } from './passes';

/** The image header (ISO/IEC 15948, 11.2.2). */
export type PngHeader = { width: number; height: number; depth: number; colour: number; interlaced: boolean };

export const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
export const depthsOf: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Bytes of one row without its filter byte, and of one pixel (at least one). */
export function rowSizes(header: PngHeader): { row: number; pixel: number } {
  const bits = (channelsOf[header.colour] ?? 1) * header.depth;
  return { row: Math.ceil((header.width * bits) / 8), pixel: Math.max(1, bits >> 3) };
}

/** Reads header data of 13 bytes; null when its values cannot be. */
export function readHeader(data: Buffer): PngHeader | null {
  if (data.length < 13) return null;
  const header = {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    depth: data[8] ?? 0,
    colour: data[9] ?? 0,
    interlaced: data[12] === 1,
  };
  const fits =
    depthsOf[header.colour]?.includes(header.depth) && data[10] === 0 && data[11] === 0 && (data[12] ?? 2) < 2;
  return fits && header.width > 0 && header.height > 0 && header.width < 1 << 24 && header.height < 1 << 24
    ? header
    : null;
}

export function writeHeader(header: PngHeader): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(header.width, 0);
  data.writeUInt32BE(header.height, 4);
  data.set([header.depth, header.colour, 0, 0, header.interlaced ? 1 : 0], 8);
  return data;
}

/** Inflated size of a picture in bytes, filter bytes included; an interlaced one has seven passes, each with its own rows (8.2). */
export function inflatedSize(header: PngHeader): number {
  return passesOf(header).reduce(
    (sum, { width, height }) => sum + (rowSizes({ ...header, width }).row + 1) * height,
    0,
  );
}
