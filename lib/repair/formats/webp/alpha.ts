import { Buffer } from '../../host/bytes';
import type { Size } from '../../report/facts/photo';
import { isReadToItsEnd } from './lossless';
import { losslessHead } from './losslesshead';

/** The byte before alpha values (RFC 9649, 2.7.1.2): how they are packed, the filter, whether levels were reduced, and two bits that are zero. */
const bits = { packed: 0x01, notPacked: 0x02, filter: 0x0c, oddLevels: 0x20, reserved: 0xc0 };

/** Alpha values packed as lossless data are those of a picture without a head of its own. */
const isPackedAlpha = (data: Buffer, size: Size): boolean =>
  isReadToItsEnd(Buffer.concat([losslessHead(size, false), data.subarray(1)]));

/** The byte before the alpha values of a picture of this size that fits them, its filter as it is; null where they are of no picture of that size. */
export function alphaByte(data: Buffer, size: Size): number | null {
  const byte = data[0] ?? 0;
  const isAll = data.length === 1 + size.width * size.height;
  if (!isAll && !isPackedAlpha(data, size)) return null;
  const other = byte & ~(bits.reserved | bits.notPacked | bits.packed | (byte & bits.oddLevels ? bits.oddLevels : 0));
  return other | (isAll ? 0 : bits.packed);
}

/** Whether the byte before alpha values can be one at all: otherwise its filter is wrong as likely as the rest of it. */
export const isAlphaByte = (byte: number): boolean => (byte & (bits.reserved | bits.notPacked | bits.oddLevels)) === 0;
