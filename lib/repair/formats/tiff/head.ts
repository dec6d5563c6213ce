import type { Buffer } from '../../host/bytes';
import { bigTiffNumber, TiffBytes, tiffNumber } from './directory';

/** The bytes in their order, when a TIFF head stands at their beginning. */
export function readHead(bytes: Buffer): TiffBytes | null {
  const order = bytes.toString('latin1', 0, 2);
  const little = order === 'II';
  if (!little && order !== 'MM') return null;
  const number = new TiffBytes(bytes, little).u16(2);
  if (number !== tiffNumber && number !== bigTiffNumber) return null;
  return new TiffBytes(bytes, little, number === bigTiffNumber);
}
