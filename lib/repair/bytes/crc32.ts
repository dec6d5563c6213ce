const table = new Int32Array(256);
for (let index = 0; index < 256; index++) {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  table[index] = value;
}

/** CRC-32 as ZIP (APPNOTE 4.4.7) and PNG (ISO/IEC 15948, annex D) use it, as an unsigned number; `seed` continues an earlier sum. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  let crc = ~seed;
  for (let index = 0; index < bytes.length; index++) {
    crc = (crc >>> 8) ^ (table[(crc ^ (bytes[index] ?? 0)) & 255] ?? 0);
  }
  return ~crc >>> 0;
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
