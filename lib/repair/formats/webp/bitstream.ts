import type { Buffer } from '../../host/bytes';
import type { Size } from '../../report/facts/photo';

/** A picture by how its data begins. */
export type Begin = Size & { type: 'VP8 ' | 'VP8L'; hasAlpha: boolean };

/** The start code of a key frame (RFC 6386, 9.1), behind its frame tag of three bytes. */
const startCode = [0x9d, 0x01, 0x2a] as const;
const tagBytes = 3;
/** The signature of lossless data (RFC 9649, 3.4), and the bits of a side less one. */
const losslessSignature = 0x2f;
const sideBits = 14;

/** What kind of picture begins at a place, and its size; null when none does. */
export function pictureAt(bytes: Buffer, at: number): Begin | null {
  return lossyAt(bytes, at) ?? losslessAt(bytes, at);
}

function lossyAt(bytes: Buffer, at: number): Begin | null {
  const code = at + tagBytes;
  if (code + 7 > bytes.length || startCode.some((byte, index) => bytes[code + index] !== byte)) return null;
  // The lowest bit of the tag is 0 for key frames; the upper two bits of sides scale the picture for display (9.1).
  if (((bytes[at] ?? 1) & 1) === 1) return null;
  const width = bytes.readUInt16LE(code + 3) & 0x3fff;
  const height = bytes.readUInt16LE(code + 5) & 0x3fff;
  return width > 0 && height > 0 ? { type: 'VP8 ', width, height, hasAlpha: false } : null;
}

function losslessAt(bytes: Buffer, at: number): Begin | null {
  if (at + 5 > bytes.length || bytes[at] !== losslessSignature) return null;
  const word = bytes.readUInt32LE(at + 1);
  // Sides less one, whether alpha is used, and the version, which is 0.
  if (word >>> 29 !== 0) return null;
  const side = (shift: number) => ((word >>> shift) & ((1 << sideBits) - 1)) + 1;
  return { type: 'VP8L', width: side(0), height: side(sideBits), hasAlpha: ((word >>> (2 * sideBits)) & 1) === 1 };
}
