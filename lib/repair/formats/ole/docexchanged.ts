import type { Buffer } from '../../host/bytes';
import { endsParagraph, lastCharacters } from './docends';
import { readFib, readPieces } from './fib';

/** Sizes of pieces that change places, in bytes: clusters of usual file systems, and sectors. */
const sizes = [4096, 512, 1024, 2048, 8192];
/** Ends of paragraphs that must come right, so that it is no chance: one character in sixty ends a paragraph. */
const leastProven = 4;
/** Larger texts are not looked through, in bytes, and no more pairs of pieces are tried, and no more ends of paragraphs looked up for them, than this. */
const largest = 1 << 24;
const mostTried = 20_000;
const mostCompared = 20_000_000;

/** Two stretches of a stream that stand in each other's place; unless `isSure` others fit as well. */
export type ExchangedText = Stretches & { isSure: boolean };
type Stretches = { first: number; second: number; size: number };

/**
 * Two pieces of a Word text that changed places: its pages of formatting say where paragraphs end ([MS-DOC] 2.9.175), and at none of these
 * places something else stands once both are back. Of several that do, it is the one across whose edges words go on that stand elsewhere in
 * the text. Null where all is in its place, or no such exchange is proven.
 */
export function exchangedText(document: Buffer, table: Buffer): ExchangedText | null {
  const fib = readFib(document);
  const pieces = fib && fib.version >= 0xc0 && document.length <= largest ? readPieces(table, fib) : null;
  if (!pieces) return null;
  const places = lastCharacters(document, table, pieces).map(({ at }) => at);
  const wrong = places.filter((at) => !endsParagraph(document[at] ?? 0));
  if (wrong.length < leastProven) return null;
  const proven: Stretches[] = [];
  let [tried, compared] = [0, 0];
  for (const size of sizes) {
    for (const { first, second } of candidates(wrong, size, document.length)) {
      const found = { first, second, size };
      compared += wrong.length;
      if (++tried > mostTried || compared > mostCompared) return likeliest(document, proven);
      if (!isProven(document, wrong, found)) continue;
      compared += places.length;
      if (isProven(document, places, found)) proven.push(found);
      if (proven.length >= mostProven) return likeliest(document, proven);
    }
  }
  return likeliest(document, proven);
}

/** More exchanges than these are not held against each other. */
const mostProven = 64;
/** Bytes beside an edge in which a word ends. */
const longestWord = 48;

const letters = /[A-Za-z\u00c0-\u00ff]{2,}/g;
/** Text of one or two bytes a character: Latin letters are the same without the zeroes between them. */
const latin = (bytes: Buffer): string => bytes.toString('latin1').replaceAll('\0', '').toLowerCase();

/** The exchange across whose edges most words go on; one of several alike is not sure. */
function likeliest(document: Buffer, [only, ...others]: readonly Stretches[]): ExchangedText | null {
  if (!only) return null;
  if (others.length === 0) return { ...only, isSure: true };
  const known = new Set(latin(document).match(letters));
  const rated = [only, ...others].map((one) => ({ one, unknown: unknownAcross(document, one, known) }));
  rated.sort((left, right) => left.unknown - right.unknown);
  const [best, second] = rated;
  return { ...(best?.one ?? only), isSure: best?.unknown === 0 && (second?.unknown ?? 0) > 0 };
}

/** How many words across the edges of two pieces, once these are exchanged, stand nowhere else. */
function unknownAcross(document: Buffer, { first, second, size }: Stretches, known: ReadonlySet<string>): number {
  const edges: [number, number][] = [
    [first, second],
    [first + size, second + size],
    [second, first],
    [second + size, first + size],
  ];
  // Before the first edge of each piece stands what stood there, and behind it the other piece.
  const across = edges.map(([here, there], index) => {
    const [before, behind] = index % 2 === 0 ? [here, there] : [there, here];
    const head = /[a-z\u00e0-\u00ff]*$/.exec(latin(document.subarray(Math.max(0, before - longestWord), before)))?.[0];
    const tail = /^[a-z\u00e0-\u00ff]*/.exec(latin(document.subarray(behind, behind + longestWord)))?.[0];
    return head && tail ? head + tail : '';
  });
  return across.filter((word) => word !== '' && !known.has(word)).length;
}

/** Pairs of pieces of a size that hold all places: one for each of two clusters, neighbours, or one with any other. */
function* candidates(
  places: readonly number[],
  size: number,
  length: number,
): Generator<{ first: number; second: number }> {
  const isInside = (at: number) => at >= 0 && at + size <= length;
  const [one, other] = clusters(places, size);
  const sorted = places.toSorted((left, right) => left - right);
  const beside = startsOf({ from: sorted[0] ?? 0, to: sorted.at(-1) ?? 0 }, size * 2);
  for (let first = beside.from; first <= beside.to; first += sectorBytes)
    if (isInside(first) && isInside(first + size)) yield { first, second: first + size };
  if (!one) return;
  const firsts = startsOf(one, size);
  const seconds = other ? startsOf(other, size) : { from: 0, to: length - size };
  for (let first = firsts.from; first <= firsts.to; first += sectorBytes)
    for (let second = seconds.from; second <= seconds.to; second += sectorBytes)
      if (Math.abs(first - second) >= size && isInside(first) && isInside(second)) yield { first, second };
}

/** Pieces begin at multiples of these many bytes. */
const sectorBytes = 512;

type Range = { from: number; to: number };

/** Places in one or two ranges of a size at most: parted where most lies between two; none where that does not do. */
function clusters(places: readonly number[], size: number): Range[] {
  const sorted = places.toSorted((left, right) => left - right);
  const rangeOf = (part: readonly number[]): Range => ({ from: part[0] ?? 0, to: part.at(-1) ?? 0 });
  const fits = ({ from, to }: Range) => to - from < size;
  const whole = rangeOf(sorted);
  if (fits(whole)) return [whole];
  let [cut, most] = [0, 0];
  for (let index = 1; index < sorted.length; index++) {
    const gap = (sorted[index] ?? 0) - (sorted[index - 1] ?? 0);
    if (gap > most) [cut, most] = [index, gap];
  }
  const parts = [rangeOf(sorted.slice(0, cut)), rangeOf(sorted.slice(cut))];
  return parts.every(fits) ? parts : [];
}

/** Where a piece of a size that holds all of a range may begin. */
const startsOf = ({ from, to }: Range, size: number): Range => ({
  from: Math.max(0, Math.ceil((to - size + 1) / sectorBytes) * sectorBytes),
  to: Math.floor(from / sectorBytes) * sectorBytes,
});

/** Whether each of these paragraphs ends where it should once two pieces are exchanged. */
function isProven(document: Buffer, places: readonly number[], { first, second, size }: Stretches): boolean {
  const isIn = (at: number, from: number) => at >= from && at < from + size;
  return places.every((at) => {
    const from = isIn(at, first) ? at - first + second : isIn(at, second) ? at - second + first : at;
    return endsParagraph(document[from] ?? 0);
  });
}
