import type { Buffer } from '../../host/bytes';
import { TiffBytes, tiffNumber } from './directory';

/** The bytes in their order, when a TIFF head stands at their beginning. */
export function readHead(bytes: Buffer): TiffBytes | null {
  const order = bytes.toString('latin1', 0, 2);
  const tiff = new TiffBytes(bytes, order === 'II');
  return (order === 'II' || order === 'MM') && tiff.u16(2) === tiffNumber ? tiff : null;
}
