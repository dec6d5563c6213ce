import type { Buffer } from '../../../../host/bytes';
import type { Size } from '../../../../report/facts/photo';
import { TiffBytes, tiffNumber } from '../../../tiff/directory';

/** Bytes of the head of a RAF file up to the places of JPEG, header of the sensor data and sensor data. */
export const headBytes = 112;
export const signature = 'FUJIFILMCCD-RAW ';
/** Where the head keeps these places, each an offset and a length. */
export const placeOf = { jpeg: 84, header: 92, sensor: 100 } as const;

/** Most records of a header that dcraw's `parse_fuji` takes. */
const mostRecords = 255;
/** Records with the height and width of the sensor: of all of it, and of what is stored. */
const sizeRecords = [0x0100, 0x0121];
/** Fields of the directory before the sensor data of newer cameras (ExifTool's table of `FujiIFD`). */
export const field = {
  directory: 0xf000,
  width: 0xf001,
  height: 0xf002,
  bits: 0xf003,
  strip: 0xf007,
  stripBytes: 0xf008,
} as const;
/** Places at which a directory is looked for. */
const mostTried = 1000;

/** A part of the file, in bytes. */
export type Place = { start: number; length: number };

export const placeAt = (bytes: Buffer, at: number): Place => ({
  start: bytes.readUInt32BE(at),
  length: bytes.readUInt32BE(at + 4),
});

/** Places of a second picture of the sensor, which cameras with two kinds of pixels name behind the first one's (dcraw's `parse_fuji`). */
export function secondPlaces(bytes: Buffer): Place[] {
  const isLong = bytes.readUInt32BE(placeOf.jpeg) > secondAt.sensor + 8 && bytes.length > secondAt.sensor + 8;
  if (!isLong || bytes.readUInt32BE(secondAt.header) === 0) return [];
  return [placeAt(bytes, secondAt.header), placeAt(bytes, secondAt.sensor)];
}

const secondAt = { header: 120, sensor: 128 } as const;

/** The header of the sensor data: a count of records, and each record's number, length and value. */
export function headerAt(bytes: Buffer, start: number): (Size & { end: number }) | null {
  if (start + 4 > bytes.length) return null;
  const count = bytes.readUInt32BE(start);
  if (count === 0 || count > mostRecords) return null;
  let at = start + 4;
  let size: Size | null = null;
  for (let index = 0; index < count; index++) {
    if (at + 4 > bytes.length) return null;
    const [number, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)];
    if (at + 4 + length > bytes.length) return null;
    if (!size && sizeRecords.includes(number) && length === 4)
      size = { height: bytes.readUInt16BE(at + 4), width: bytes.readUInt16BE(at + 6) };
    at += 4 + length;
  }
  return size && size.width > 0 && size.height > 0 ? { ...size, end: at } : null;
}

/** The strip that a directory before the sensor data names, and the size that it tells; null where no such directory stands. */
export function stripAt(bytes: Buffer, start: number): (Place & { size: Size | null }) | null {
  const order = bytes.toString('latin1', start, start + 2);
  const tiff = new TiffBytes(bytes.subarray(start), order === 'II');
  if ((order !== 'II' && order !== 'MM') || tiff.u16(2) !== tiffNumber) return null;
  const first = tiff.directory(tiff.u32(4));
  const own = first && tiff.directory(tiff.value(first, field.directory, 0));
  if (!own) return null;
  const [strip, length] = [tiff.value(own, field.strip, 0), tiff.value(own, field.stripBytes, 0)];
  const [width, height] = [tiff.value(own, field.width, 0), tiff.value(own, field.height, 0)];
  if (strip === 0 || length === 0) return null;
  return { start: start + strip, length, size: width > 0 && height > 0 ? { width, height } : null };
}

/** Where the directory before the sensor data stands, from a place on; null where none is found. */
export function findStrip(bytes: Buffer, from: number): number | null {
  for (const order of ['II\x2a\0', 'MM\0\x2a']) {
    let at = bytes.indexOf(order, from, 'latin1');
    for (let tries = 0; at >= 0 && tries < mostTried; tries++) {
      if (stripAt(bytes, at)) return at;
      at = bytes.indexOf(order, at + 1, 'latin1');
    }
  }
  return null;
}
