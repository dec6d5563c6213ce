import { crc32 as crc32OfHost } from '../host/packing';

/** CRC-32 as ZIP (APPNOTE 4.4.7) and PNG (ISO/IEC 15948, annex D) use it, as an unsigned number; `seed` continues an earlier sum. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  return crc32OfHost(bytes, seed);
}

/** Adler-32 (RFC 1950), as an unsigned number. */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let index = 0; index < bytes.length; ) {
    const end = Math.min(index + 3800, bytes.length);
    for (; index < end; index++) {
      low += bytes[index] ?? 0;
      high += low;
    }
    low %= 65521;
    high %= 65521;
  }
  return ((high << 16) | low) >>> 0;
}
