import { Buffer } from '../../host/bytes';
import { isWriting } from './docsearch';
import { decodeNarrow, type Fib, type Piece, readable } from './fib';

/** Bytes of a page of formatting, which begins at a multiple of them ([MS-DOC] 2.9.33 ChpxFkp, 2.9.175 PapxFkp). */
const pageBytes = 512;
/** Runs on a page at most: of characters, and of paragraphs (the same clauses). */
const mostRuns = { characters: 0x65, paragraphs: 0x1d } as const;
/** Where the header names the lists of both kinds of pages (2.5.6, fcPlcfBteChpx and fcPlcfBtePapx). */
const listPlace = { characters: 0xfa, paragraphs: 0x102 } as const;
/** Bits of an entry that are the number of a page (2.9.206 PnFkpChpx, 2.9.207 PnFkpPapx). */
const pageNumber = 0x3fffff;
/** Bytes of what a page says of one paragraph besides its end (2.9.23 BxPap). */
const paragraphBytes = 13;

/** Pages of formatting in a text that are put back; more were made to look so. */
const mostStrays = 500;

type Kind = keyof typeof mostRuns;
/** A page of formatting as the list names it: its number, and the bytes of the stream that it is for. */
type ListedPage = { kind: Kind; page: number; from: number; to: number };

/** All pages of formatting that a document has; null where a list is not in order. */
function listedPages(document: Buffer, table: Buffer): ListedPage[] | null {
  const pages: ListedPage[] = [];
  for (const kind of ['characters', 'paragraphs'] as const) {
    if (document.length < listPlace[kind] + 8) return null;
    const [offset, length] = [document.readUInt32LE(listPlace[kind]), document.readUInt32LE(listPlace[kind] + 4)];
    const count = (length - 4) / 8;
    if (!Number.isInteger(count) || count < 1 || offset + length > table.length) return null;
    for (let index = 0; index < count; index++) {
      const [from, to] = [table.readUInt32LE(offset + index * 4), table.readUInt32LE(offset + index * 4 + 4)];
      const page = table.readUInt32LE(offset + (count + 1) * 4 + index * 4) & pageNumber;
      if (to <= from || (page + 1) * pageBytes > document.length) return null;
      pages.push({ kind, page, from, to });
    }
  }
  return pages;
}

/** The bytes of the stream that a page of formatting is for; null where it is none. */
function coveredBy(page: Buffer): { runs: number; from: number; to: number } | null {
  const runs = page[pageBytes - 1] ?? 0;
  if (runs < 1 || runs > mostRuns.characters || page.length < pageBytes) return null;
  for (let index = 0; index < runs; index++)
    if (page.readUInt32LE(index * 4) >= page.readUInt32LE(index * 4 + 4)) return null;
  return { runs, from: page.readUInt32LE(0), to: page.readUInt32LE(runs * 4) };
}

const pageOf = (document: Buffer, page: number) => document.subarray(page * pageBytes, (page + 1) * pageBytes);

/** Whether a listed page is one of its kind, for the place that it is listed with. */
function isSound(document: Buffer, { kind, page, from, to }: ListedPage): boolean {
  const covered = coveredBy(pageOf(document, page));
  return covered !== null && covered.runs <= mostRuns[kind] && covered.from < to && covered.to > from;
}

/** Where in the stream paragraphs end, by the sound pages of formatting that the list names. */
export function paragraphEndsOf(document: Buffer, table: Buffer): number[] {
  const pages = (listedPages(document, table) ?? []).filter(
    (one) => one.kind === 'paragraphs' && isSound(document, one),
  );
  return pages.flatMap(({ page }) => {
    const bytes = pageOf(document, page);
    return Array.from({ length: bytes[pageBytes - 1] ?? 0 }, (_, index) => bytes.readUInt32LE((index + 1) * 4));
  });
}

/** What became of pages of formatting: exchanged with text whose place they had, and lost. */
export type MendedPages = { document: Buffer; exchanged: number; lost: number };

/**
 * Puts pages of formatting that lie in the place of others back, what stands in their place where they were found, and plain ones in the
 * stead of those that are lost, as what a program takes for one may lead it anywhere. Null where the lists of the pages are lost.
 */
export function mendPages(given: Buffer, table: Buffer, fib: Fib): MendedPages | null {
  const listed = listedPages(given, table);
  if (!listed) return null;
  const missing = listed.filter((page) => !isSound(given, page));
  if (missing.length === 0) return { document: given, exchanged: 0, lost: 0 };
  const document = Buffer.from(given);
  const strays = strayPages(given, listed, missing);
  const left = missing.filter((one) => {
    const place = strays.get(`${one.from} ${one.to}`);
    if (place === undefined || place < 0) return true;
    exchange(document, place, one.page);
    return !isSound(document, one);
  });
  for (const one of left) plainPage(document, one, fib).copy(document, one.page * pageBytes);
  return { document, exchanged: missing.length - left.length, lost: left.length };
}

/** Pages of formatting that no list names, by what they are for; below zero where there are several for the same. */
function strayPages(
  document: Buffer,
  listed: readonly ListedPage[],
  missing: readonly ListedPage[],
): Map<string, number> {
  const wanted = new Set(missing.map(({ from, to }) => `${from} ${to}`));
  const sound = new Set(listed.filter((one) => !missing.includes(one)).map(({ page }) => page));
  const found = new Map<string, number>();
  for (let page = 0; (page + 1) * pageBytes <= document.length; page++) {
    if (sound.has(page)) continue;
    const covered = coveredBy(pageOf(document, page));
    const key = covered ? `${covered.from} ${covered.to}` : '';
    if (wanted.has(key)) found.set(key, found.has(key) ? -1 : page);
  }
  return found;
}

/** A page that gives its characters, or its paragraphs as far as they find room, the formatting that the document has without it. */
function plainPage(document: Buffer, { kind, from, to }: ListedPage, fib: Fib): Buffer {
  const page = Buffer.alloc(pageBytes);
  const ends = kind === 'characters' ? [to] : paragraphEnds(document, from, to, fib);
  page.writeUInt32LE(from, 0);
  for (const [index, end] of ends.entries()) page.writeUInt32LE(end, (index + 1) * 4);
  page[pageBytes - 1] = ends.length;
  if (kind === 'characters') return page;
  // All share one description, of style 0 and no further properties (2.9.174 PapxInFkp), in two bytes before the last.
  const place = pageBytes - 6;
  for (let index = 0; index < ends.length; index++) page[(ends.length + 1) * 4 + index * paragraphBytes] = place / 2;
  page[place + 1] = 1;
  return page;
}

/** Where paragraphs end between two bytes of the stream, at most as many as a page has room for; the last ends with the page's part. */
function paragraphEnds(document: Buffer, from: number, to: number, { textStart }: Fib): number[] {
  const ends: number[] = [];
  const isWide = (at: number) => (at - textStart) % 2 === 0 && document[at + 1] === 0;
  for (let at = from; at < Math.min(to, document.length) && ends.length < mostRuns.paragraphs - 1; at++) {
    const end = at + (isWide(at) ? 2 : 1);
    if (document[at] === 0x0d && end < to) ends.push(end);
  }
  return [...ends, to];
}

/** A stretch of a text's bytes. */
type Stretch = { from: number; to: number; narrow: boolean };

/** The text of the pieces in stretches of a page at most, each within a page of the stream. */
function* stretchesOf(pieces: readonly Piece[], length: number): Generator<Stretch> {
  for (const { start, end, offset, narrow } of pieces) {
    const stop = Math.min(length, offset + (end - start) * (narrow ? 1 : 2));
    for (let from = offset; from < stop; ) {
      const to = Math.min(stop, (Math.floor(from / pageBytes) + 1) * pageBytes);
      yield { from, to, narrow };
      from = to;
    }
  }
}

/** Whether a stretch of text is a whole page of formatting that came into it. */
const isFormatting = (document: Buffer, { from, to }: Omit<Stretch, 'narrow'>): boolean =>
  from % pageBytes === 0 && to - from === pageBytes && coveredBy(document.subarray(from, to)) !== null;

/**
 * A document whose pages of formatting that lie in its text are where the others are, which follow each other by what they are for; what
 * stands there comes into their place. With how many these were.
 */
export function withPagesReturned(given: Buffer, pieces: readonly Piece[]): { document: Buffer; exchanged: number } {
  const text = new Set([...stretchesOf(pieces, given.length)].map(({ from }) => Math.floor(from / pageBytes)));
  let strays = [...text].filter((page) => coveredBy(pageOf(given, page)) !== null);
  if (strays.length === 0 || strays.length > mostStrays) return { document: given, exchanged: 0 };
  const document = Buffer.from(given);
  const free = new FreePages(document, text);
  let exchanged = 0;
  for (let turn = strays.length; turn > 0; turn--) {
    const left = strays.filter((stray) => !bringBack(document, stray, free));
    if (left.length === strays.length) break;
    exchanged += strays.length - left.length;
    strays = left;
  }
  return { document, exchanged };
}

/** Pages of a stream that are neither text nor formatting, by what the formatting beside them says would come there. */
class FreePages {
  readonly #behind = new Map<number, number>();
  readonly #before = new Map<number, number>();
  readonly #free = new Set<number>();

  constructor(document: Buffer, text: ReadonlySet<number>) {
    for (let page = 0; (page + 1) * pageBytes <= document.length; page++) {
      const covered = coveredBy(pageOf(document, page));
      if (covered) this.add(page, covered);
      else if (!text.has(page)) this.#free.add(page);
    }
  }

  /** A page of formatting, of which the next one begins where it ends. */
  add(page: number, { from, to }: { from: number; to: number }): void {
    this.#behind.set(to, page + 1);
    this.#before.set(from, page - 1);
  }

  /** The free page for formatting of these bytes, which is taken by that; null where none is. */
  take({ from, to }: { from: number; to: number }): number | null {
    const place = [this.#behind.get(from), this.#before.get(to)].find(
      (page) => page !== undefined && this.#free.has(page),
    );
    if (place === undefined) return null;
    this.#free.delete(place);
    this.add(place, { from, to });
    return place;
  }
}

/** Exchanges a page with the free one behind the page that ends where it begins, or before the one that begins where it ends. */
function bringBack(document: Buffer, stray: number, free: FreePages): boolean {
  const covered = coveredBy(pageOf(document, stray));
  const place = covered && free.take(covered);
  if (!covered || place === null) return false;
  exchange(document, stray, place);
  return true;
}

function exchange(document: Buffer, one: number, other: number): void {
  const kept = Buffer.from(pageOf(document, one));
  pageOf(document, other).copy(pageOf(document, one));
  kept.copy(pageOf(document, other));
}

/** A document in whose text spaces stand where it was overwritten, and how many characters that are. */
export function withoutForeign(document: Buffer, pieces: readonly Piece[]): { document: Buffer; overwritten: number } {
  const own = Buffer.from(document);
  let overwritten = 0;
  for (const stretch of stretchesOf(pieces, document.length)) {
    const { from, to, narrow } = stretch;
    if (!isFormatting(document, stretch) && isWriting(textOf(document.subarray(from, to), narrow))) continue;
    own.fill(narrow ? ' ' : ' \0', from, to, 'latin1');
    overwritten += (to - from) / (narrow ? 1 : 2);
  }
  return { document: own, overwritten };
}

/** Characters that the pages of a text may hold beyond those that the header counts. */
const mostUncounted = 2;

/**
 * The pieces of a text whose table is lost: Word writes one that was saved as a whole in pages, each in one width, and pages of formatting
 * between them. Null where that makes more characters than the header counts, or a text was not saved so.
 */
export function piecesByPages(document: Buffer, { version, complex, textStart, textEnd, counts }: Fib): Piece[] | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (version < leastPaged || complex || total === 0 || textEnd > document.length) return null;
  const edges = runEdges(document);
  const pieces: Piece[] = [];
  let start = 0;
  for (let at = textStart; at < textEnd; ) {
    const next = Math.min(textEnd, (Math.floor(at / pageBytes) + 1) * pageBytes);
    const page = isFormatting(document, { from: at, to: next }) ? null : writingFrom(document, at, next, edges);
    if (page) {
      const end = start + (page.narrow ? page.length : page.length >> 1);
      pieces.push({ start, end, offset: at, narrow: page.narrow });
      start = end;
    }
    at = next;
  }
  return start > 0 && start <= total + mostUncounted ? pieces : null;
}

/** Where runs of formatting begin and end, in descending order. */
function runEdges(document: Buffer): number[] {
  const edges = new Set<number>();
  for (let at = 0; at + pageBytes <= document.length; at += pageBytes) {
    const page = document.subarray(at, at + pageBytes);
    const covered = coveredBy(page);
    for (let index = 0; covered && index <= covered.runs; index++) edges.add(page.readUInt32LE(index * 4));
  }
  return [...edges].sort((left, right) => right - left);
}

/** The writing at the beginning of a page: all of it, or up to where a run of formatting ends, behind which older data lies. */
function writingFrom(
  document: Buffer,
  at: number,
  next: number,
  edges: readonly number[],
): { length: number; narrow: boolean } | null {
  const upTo = (end: number) => {
    const narrow = isNarrow(document.subarray(at, end));
    return narrow === null ? null : { length: end - at, narrow };
  };
  const whole = upTo(next);
  if (whole) return whole;
  for (const end of edges) {
    const part = end > at && end < next ? upTo(end) : null;
    if (part) return part;
  }
  return null;
}

/** The version of Word 97, the first whose text has a width for each page. */
const leastPaged = 0xc0;

/** Whether a page of text has one byte for each character; null where it is no writing in either width. */
function isNarrow(page: Buffer): boolean | null {
  const [narrow, wide] = [textOf(page, true), textOf(page, false)].map((text) =>
    isWriting(text) ? readable(text) : 0,
  );
  if (!narrow && !wide) return null;
  return (narrow ?? 0) >= (wide ?? 0);
}

const textOf = (bytes: Buffer, narrow: boolean) => (narrow ? decodeNarrow(bytes) : bytes.toString('utf16le'));
