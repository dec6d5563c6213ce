import type { Buffer } from '../../host/bytes';
import { paragraphEndsOf } from './docpages';
import type { Piece } from './fib';

/** Ends of paragraphs that show that something was written over a text: of the strangers' documents that are sound none has a single one wrong. */
const leastWrong = 2;

/** Characters that end a paragraph: its own mark, that of a cell, and that of a page or section ([MS-DOC] 2.4.2). */
export const endsParagraph = (code: number): boolean => code === 0x0d || code === 0x07 || code === 0x0c;

/** The last character of a paragraph, by where it stands in the stream and how many bytes it has. */
type LastCharacter = { at: number; width: 1 | 2 };

/** Where in the stream, by its pages of formatting, the last character of each paragraph stands ([MS-DOC] 2.9.175), in order. */
export function lastCharacters(document: Buffer, table: Buffer, pieces: readonly Piece[]): LastCharacter[] {
  const places: LastCharacter[] = [];
  const inOrder = pieces.toSorted((left, right) => left.offset - right.offset);
  let next = 0;
  for (const end of paragraphEndsOf(document, table).toSorted((left, right) => left - right)) {
    while ((inOrder[next]?.offset ?? end) < end) next++;
    const piece = inOrder[next - 1];
    const width = piece?.narrow ? 1 : 2;
    if (piece && end <= piece.offset + (piece.end - piece.start) * width) places.push({ at: end - width, width });
  }
  return places;
}

/** Bytes of a stream of text in which paragraphs do not end where they should, up to the ends before and behind that are right. */
type Stretch = { from: number; to: number };

/** Stretches of a text over which other text was written: it may read as well, but its paragraphs end elsewhere. */
export function overwrittenStretches(document: Buffer, table: Buffer, pieces: readonly Piece[]): Stretch[] {
  const places = lastCharacters(document, table, pieces);
  const isWrong = ({ at }: LastCharacter) => !endsParagraph(document[at] ?? 0);
  if (places.filter(isWrong).length < leastWrong) return [];
  const stretches: Stretch[] = [];
  let from = 0;
  let isOpen = false;
  for (const place of places) {
    if (isWrong(place)) isOpen = true;
    else {
      if (isOpen) stretches.push({ from, to: place.at });
      from = place.at + place.width;
      isOpen = false;
    }
  }
  if (isOpen) stretches.push({ from, to: document.length });
  return stretches;
}

/** Characters of a text in these stretches: what stands there may be other text, or its own in another place, so that it stays and is told. */
export function charactersIn(pieces: readonly Piece[], stretches: readonly Stretch[]): number {
  let count = 0;
  for (const { start, end, offset, narrow } of pieces) {
    const width = narrow ? 1 : 2;
    for (const { from, to } of stretches) {
      const bytes = Math.min(offset + (end - start) * width, to) - Math.max(offset, from);
      count += Math.max(0, Math.floor(bytes / width));
    }
  }
  return count;
}
