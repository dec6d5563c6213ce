import { Buffer } from '../../host/bytes';

/**
 * The bytes before each above 7f was written as a character of its own in UTF-8 (RFC 3629, 3: C2 and C3 begin those below 100 hex); null
 * when anything else is among them, or nothing needed two bytes.
 */
export function fromUtf8(bytes: Buffer): Buffer | null {
  const result = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) {
      result[length++] = byte;
      continue;
    }
    const next = bytes[at + 1] ?? 0;
    // The last character may be cut in two.
    if (at + 1 === bytes.length && (byte === 0xc2 || byte === 0xc3)) break;
    if ((byte !== 0xc2 && byte !== 0xc3) || (next & 0xc0) !== 0x80) return null;
    result[length++] = ((byte & 3) << 6) | (next & 0x3f);
    at++;
  }
  return length < bytes.length ? result.subarray(0, length) : null;
}
