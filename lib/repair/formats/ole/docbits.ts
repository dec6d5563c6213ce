import { Buffer } from '../../host/bytes';
import type { Piece } from './fib';

/**
 * Upper bytes of a character of two that one wrong bit makes of a zero, but for those of letters and marks that stand among Latin ones: of
 * 0100 to 02ff (extended Latin) and 2000 (punctuation).
 */
const upper = new Set([0x04, 0x08, 0x10, 0x40, 0x80]);
/** So many characters with at least so many of the bits show that bits are wrong all over the text. */
const enough = { characters: 3, bits: 2 };

/**
 * Of these a single one shows it, where the text has no other character of their scripts (Samaritan and Arabic, Myanmar and Georgian, Han):
 * nobody writes one alone inside a Latin word, while letters of Cyrillic are put there for their looks.
 */
const alone = new Set([0x08, 0x10, 0x40, 0x80]);
/** Scripts of East Asia (The Unicode Standard, 18): who writes one of their signs has others. */
const [firstEastern, lastEastern] = [0x2e, 0xd7];
/** Invisible operators and marks that are not to be used any more (23.2, 23.3): of each what a bit of 2000 makes of a small letter. */
const [firstInvisible, lastInvisible] = [0x2061, 0x206f];

const isSmall = (code: number): boolean => code >= 0x61 && code <= 0x7a;
const isLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || isSmall(code);
/** What stands beside a word: a space, the end of a paragraph or cell ([MS-DOC] 2.4.1), or a mark of a sentence. */
const outside = new Set([0x20, 0x0d, 0x07, ...Buffer.from(',.;:!?')]);
const isOutside = (code: number): boolean => outside.has(code);

const isEastern = (high: number): boolean => high >= firstEastern && high <= lastEastern;

/** Characters by where they stand in the stream, and how many there are of each upper byte. */
type Doubted = { places: number[]; bits: Set<number>; single: number[]; certain: number[]; counts: Uint32Array };

/** Takes in one character of two bytes with its neighbours. */
function doubt(document: Buffer, at: number, found: Doubted): void {
  const [low, high] = [document[at] ?? 0, document[at + 1] ?? 0];
  found.counts[high] = (found.counts[high] ?? 0) + 1;
  if (high === 0 || at < 2 || at + 4 > document.length) return;
  const [before, behind] = [document.readUInt16LE(at - 2), document.readUInt16LE(at + 2)];
  const isInside = isLetter(before) && isLetter(behind);
  const code = (high << 8) | low;
  if (isInside && code >= firstInvisible && code <= lastInvisible) found.certain.push(at + 1);
  if (!upper.has(high)) return;
  if (isInside && isLetter(low)) {
    found.places.push(at + 1);
    found.bits.add(high);
  }
  const isEnd = isSmall(low) && isSmall(before) && isOutside(behind);
  const isBegin = isLetter(low) && isOutside(before) && isSmall(behind);
  const isWithin = isInside && (isLetter(low) || low === 0x20);
  if (alone.has(high) && (isWithin || isEnd || isBegin)) found.single.push(at + 1);
}

/** Where in a stream a letter or mark between two Latin letters has one wrong bit in its upper byte: places of these bytes; none where they may be meant. */
export function wrongBits(document: Buffer, pieces: readonly Piece[]): number[] {
  const found: Doubted = { places: [], bits: new Set(), single: [], certain: [], counts: new Uint32Array(1 << 8) };
  for (const { start, end, offset, narrow } of pieces) {
    const stop = narrow ? 0 : Math.min(document.length - 1, offset + (end - start) * 2);
    for (let at = offset; at < stop; at += 2) doubt(document, at, found);
  }
  const { places, bits, single, certain, counts } = found;
  const isAllOver = places.length >= enough.characters && bits.size >= enough.bits;
  const eastern = counts.reduce((sum, count, high) => sum + (isEastern(high) ? count : 0), 0);
  const highs = single.map((at) => document[at] ?? 0);
  const isAlone = (high: number): boolean =>
    isEastern(high)
      ? eastern === highs.filter(isEastern).length
      : counts[high] === highs.filter((one) => one === high).length;
  const own = single.filter((_, index) => isAlone(highs[index] ?? 0));
  return [...new Set([...(isAllOver ? places : []), ...own, ...certain])].sort((left, right) => left - right);
}

/** The stream with zeroes in these places. */
export function withoutBits(document: Buffer, places: readonly number[]): Buffer {
  const copy = Buffer.from(document);
  for (const at of places) copy[at] = 0;
  return copy;
}
