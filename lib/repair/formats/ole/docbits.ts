import { Buffer } from '../../host/bytes';
import type { Piece } from './fib';

/**
 * Upper bytes of a character of two that one wrong bit makes of a zero, but for those of letters and marks that stand among Latin ones: of
 * 0100 to 02ff (extended Latin) and 2000 (punctuation).
 */
const upper = new Set([0x04, 0x08, 0x10, 0x40, 0x80]);
/** So many characters with at least so many of the bits show that bits are wrong all over the text. */
const enough = { characters: 3, bits: 2 };

const isLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

/** Where in a stream a letter or mark between two Latin letters has one wrong bit in its upper byte: places of these bytes; none where they may be meant. */
export function wrongBits(document: Buffer, pieces: readonly Piece[]): number[] {
  const places: number[] = [];
  const bits = new Set<number>();
  for (const { start, end, offset, narrow } of pieces) {
    const stop = narrow ? 0 : Math.min(document.length - 1, offset + (end - start) * 2) - 2;
    for (let at = offset + 2; at < stop; at += 2) {
      const high = document[at + 1] ?? 0;
      if (!upper.has(high) || !isLetter(document[at] ?? 0)) continue;
      if (!isLetter(document.readUInt16LE(at - 2)) || !isLetter(document.readUInt16LE(at + 2))) continue;
      places.push(at + 1);
      bits.add(high);
    }
  }
  return places.length >= enough.characters && bits.size >= enough.bits ? places : [];
}

/** The stream with zeroes in these places. */
export function withoutBits(document: Buffer, places: readonly number[]): Buffer {
  const copy = Buffer.from(document);
  for (const at of places) copy[at] = 0;
  return copy;
}
