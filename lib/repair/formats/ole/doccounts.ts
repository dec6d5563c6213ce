import { Buffer } from '../../host/bytes';
import { countPlaces, type Piece } from './fib';

/** Where the header of Word 97 and later counts characters ([MS-DOC] 2.5.5). */
const places = countPlaces(false);
/** The mark that ends each of these texts (2.4.1). */
const paragraphMark = '\r';

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** Characters of all pieces, by the counts: behind texts beside the main one stands one mark more (2.8.35). */
function lengthBy(counts: readonly number[]): number {
  const sum = sumOf(counts);
  return sum + (sum > (counts[0] ?? 0) ? 1 : 0);
}

const countsOf = (document: Buffer): number[] => places.map((at) => document.readInt32LE(at));
const lengthOf = (pieces: readonly Piece[]): number => pieces.at(-1)?.end ?? 0;

/** Whether the header of a document of Word 97 or later counts as many characters as its pieces have. */
export function countsFit(document: Buffer, pieces: readonly Piece[]): boolean {
  const counts = countsOf(document);
  return counts.every((count) => count >= 0) && lengthBy(counts) === lengthOf(pieces);
}

/** Whether each text that is counted ends with its mark. */
function endWithMarks(counts: readonly number[], text: string): boolean {
  let end = 0;
  return counts.every((count) => {
    end += count;
    return count === 0 || text[end - 1] === paragraphMark;
  });
}

/**
 * The document with the one count changed that makes all of them fit the pieces, of which `text` is the text: the one with which each text
 * ends as it must, else that of the main text; where even that does not fit, all of it is main text.
 */
export function withCountsFitting(document: Buffer, pieces: readonly Piece[], text: string): Buffer {
  if (countsFit(document, pieces)) return document;
  const length = lengthOf(pieces);
  const counts = countsOf(document).map((count) => (count > length ? 0 : Math.max(0, count)));
  // With one mark behind all texts, or without, as that hangs on the count.
  const changed = counts
    .flatMap((_, at) => {
      const rest = length - sumOf(counts.with(at, 0));
      return [rest - 1, rest].map((needed) => counts.with(at, needed));
    })
    .filter((one) => one.every((count) => count >= 0) && lengthBy(one) === length);
  const right =
    changed.find((one) => endWithMarks(one, text)) ?? changed[0] ?? counts.map((_, at) => (at === 0 ? length : 0));
  const mended = Buffer.from(document);
  for (const [at, count] of right.entries()) mended.writeInt32LE(count, places[at] ?? 0);
  return mended;
}
