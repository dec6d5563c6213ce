import { Buffer } from '../../host/bytes';

/**
 * Takes bytes, one stretch after another, back to what they were before each above 7f was written as a character of its own in UTF-8
 * (RFC 3629, 3: C2 and C3 begin those below 100 hex).
 */
export class Narrower {
  /** The first byte of a character whose second is in the next stretch; 0 for none. */
  #lead = 0;
  /** Whether anything needed two bytes. */
  isNeeded = false;

  /** The next stretch; null when anything else is among its bytes. A character that is cut in two is left out. */
  narrow(bytes: Buffer): Buffer | null {
    const result = Buffer.allocUnsafe(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      if (this.#lead !== 0) {
        if ((byte & 0xc0) !== 0x80) return null;
        result[length++] = ((this.#lead & 3) << 6) | (byte & 0x3f);
        this.#lead = 0;
      } else if (byte < 0x80) result[length++] = byte;
      else if (byte === 0xc2 || byte === 0xc3) {
        this.#lead = byte;
        this.isNeeded = true;
      } else return null;
    }
    return result.subarray(0, length);
  }
}

/** The bytes of a whole file before that; null where it was not so, or nothing needed two bytes. */
export function fromUtf8(bytes: Buffer): Buffer | null {
  const narrower = new Narrower();
  const narrow = narrower.narrow(bytes);
  return narrower.isNeeded ? narrow : null;
}
