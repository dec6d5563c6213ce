import { Buffer } from '../../host/bytes';
import { byteOf } from './codepage';

/** Letters of two and three bytes (RFC 3629, 3), by their first byte: how many bits of it belong to the letter. */
const leads = { two: { from: 0xc0, bits: 0x1f }, three: { from: 0xe0, bits: 0x0f }, end: 0xf0 } as const;

/**
 * Takes bytes, one stretch after another, back to what they were before each above 7f was written as a letter of its own in UTF-8, as a program
 * does that reads them as Latin-1 or Windows-1252.
 */
export class Narrower {
  /** The letter that was begun, and how many of its bytes are still to come. */
  #code = 0;
  #missing = 0;
  /** Whether anything needed more than one byte. */
  isNeeded = false;

  /** The next stretch; null when anything else is among its bytes. A letter that is cut in two is left out. */
  narrow(bytes: Buffer): Buffer | null {
    const result = Buffer.allocUnsafe(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      if (this.#missing > 0) {
        if ((byte & 0xc0) !== 0x80) return null;
        this.#code = (this.#code << 6) | (byte & 0x3f);
        this.#missing--;
        if (this.#missing > 0) continue;
        const narrow = byteOf(this.#code);
        if (narrow === null || narrow < 0x80) return null;
        result[length++] = narrow;
      } else if (byte < 0x80) result[length++] = byte;
      else if (!this.#begin(byte)) return null;
    }
    return result.subarray(0, length);
  }

  #begin(byte: number): boolean {
    if (byte < leads.two.from || byte >= leads.end) return false;
    const isTwo = byte < leads.three.from;
    this.#code = byte & (isTwo ? leads.two.bits : leads.three.bits);
    this.#missing = isTwo ? 1 : 2;
    this.isNeeded = true;
    return true;
  }
}

/** The bytes of a whole file before that; null where it was not so, or nothing needed two bytes. */
export function fromUtf8(bytes: Buffer): Buffer | null {
  const narrower = new Narrower();
  const narrow = narrower.narrow(bytes);
  return narrower.isNeeded ? narrow : null;
}
