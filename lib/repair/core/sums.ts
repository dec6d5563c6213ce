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

/** CRC-16 with the polynomial 0x8005, highest bits first, as FLAC (RFC 9639, 9.3) and AC-3 (ETSI TS 102 366, 6.1.7) use it; over data with its sum it is 0. */
export function crc16(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum = ((sum << 8) & 0xffff) ^ (table16[(sum >> 8) ^ byte] ?? 0);
  return sum;
}

const table16 = Uint16Array.from({ length: 256 }, (_, index) => {
  let sum = index << 8;
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum & 0x8000 ? 0x8005 : 0);
  return sum;
});
