import { countWords } from '../../core/words';
import { type DocumentTold, find } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { OleFile } from './container';
import { topStream } from './container';
import { withoutBits, wrongBits } from './docbits';
import { countsFit, withCountsFitting } from './doccounts';
import { charactersIn, overwrittenStretches } from './docends';
import { lostMarks, withMarks } from './docfields';
import { mendPages, piecesByPages, withoutForeign, withPagesReturned } from './docpages';
import { searchText } from './docsearch';
import { wordClass, writePlainDocument } from './docwrite';
import {
  beginsDocument,
  type Fib,
  oldPieces,
  type Piece,
  piecesText,
  plainText,
  readable,
  readFib,
  readPieces,
  searchPieces,
} from './fib';
import { locateRun, locateStream, startsInside } from './locate';
import { otherStreams } from './others';
import type { Container, StreamToWrite, Unmade } from './write';

/** The text of a Word document's streams, control characters of fields and tables turned into spaces; null when it cannot be read. */
export function documentText(document: Buffer, table: Buffer | null): string | null {
  const fib = readFib(document);
  if (!fib) return null;
  const pieces = table ? readPieces(table, fib) : null;
  return pieces ? visible(piecesText(document, pieces).text) : visible(plainText(document, fib));
}

function visible(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]/gu, ' ');
}

/** Whether a document stream says it is encrypted. */
export function isEncryptedDocument(document: Buffer): boolean {
  return readFib(document)?.encrypted ?? false;
}

/** Notes what is wrong with a document's streams: a header that is none, a text whose places are lost or lie beyond the end. */
export function checkDocument(document: Buffer, table: Buffer | null, told: DocumentTold): void {
  const fib = readFib(document);
  if (!fib) {
    find(told, { kind: 'header.document' });
    return;
  }
  if (fib.version < 0xc0) {
    if (fib.textEnd > document.length) find(told, { kind: 'text.beyond' });
    return;
  }
  const pieces = table ? readPieces(table, fib) : null;
  if (!pieces) find(told, { kind: 'pieces' });
  else if (piecesText(document, pieces).lost > 0) find(told, { kind: 'text.beyond' });
  else if (!fib.encrypted && !countsFit(document, pieces)) find(told, { kind: 'header.document' });
}

/** Notes text that was overwritten, which no structure shows. */
export function checkText(document: Buffer, table: Buffer | null, told: DocumentTold): void {
  const fib = readFib(document);
  const old = fib && oldPieces(fib, document.length);
  if (old && foreignCharacters(piecesText(document, old).text) > 0) find(told, { kind: 'text.overwritten' });
  const pieces = fib && table && fib.version >= 0xc0 ? readPieces(table, fib) : null;
  if (!pieces || !table) return;
  const isOverwritten = foreignCharacters(piecesText(document, pieces).text) > 0;
  const isWrong = wrongBits(document, pieces).length > 0 || lostMarks(document, table, pieces).length > 0;
  if (isOverwritten || isWrong || overwrittenStretches(document, table, pieces).length > 0)
    find(told, { kind: 'text.overwritten' });
}

/** Control characters without a meaning in a document ([MS-DOC] 2.4.1). */
const foreign = new Set([0, 6, 0x0f, 0x10, 0x11, 0x12, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d]);

const unassigned = /[\p{Cs}\p{Cn}]/u;
/** For each character of one unit whether it stands in no document: 1 for no, 2 for yes, 0 where it was not looked at yet. */
const strange = new Uint8Array(1 << 16);

/** Characters that stand in no document, halves of pairs and code points given to nothing among them; 0 for a few, which may be anything. */
export function foreignCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0xd800 && code < 0xe000) {
      const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
      if (unassigned.test(letter)) count++;
      at += letter.length - 1;
      continue;
    }
    if (strange[code] === 0) strange[code] = foreign.has(code) || unassigned.test(String.fromCharCode(code)) ? 2 : 1;
    if (strange[code] === 2) count++;
  }
  return count >= 8 ? count : 0;
}

/**
 * The stream of a text without what is no text in it, and with formatting that programs can follow; how many pages of that were put back, and
 * how many are lost, null where all are.
 */
function ownText({ document, table, fib }: Found, pieces: readonly Piece[]) {
  const returned = withPagesReturned(document, pieces);
  const mended = table ? mendPages(returned.document, table, fib) : null;
  const exchanged = returned.exchanged + (mended?.exchanged ?? 0);
  const lost = mended?.lost ?? null;
  const text = mended?.document ?? returned.document;
  const isForeign = exchanged > 0 || lost !== 0 || foreignCharacters(piecesText(text, pieces).text) > 0;
  const own = isForeign ? withoutForeign(text, pieces) : { document: text, overwritten: 0 };
  const stretches = table && lost === 0 ? overwrittenStretches(own.document, table, pieces) : [];
  const fields = table ? lostMarks(own.document, table, pieces) : [];
  const marked = fields.length > 0 ? withMarks(own.document, fields) : own.document;
  // As many bits are wrong in the lower bytes, where nothing shows them.
  const bits = wrongBits(marked, pieces);
  const overwritten = Math.max(own.overwritten, charactersIn(pieces, stretches)) + fields.length + bits.length;
  return { exchanged, lost, overwritten, document: bits.length > 0 ? withoutBits(marked, bits) : marked };
}

/** Characters that the header may count more than there are: the last marks of paragraphs, which some programs leave out. */
const mostUncounted = 2;

type Found = { document: Buffer; table: Buffer | null; fib: Fib; pieces: Piece[] | null };

/** Puts a Word document together again; or says why not. */
export function assembleDocument(file: OleFile, told: DocumentTold): Container | Unmade {
  const found = gather(file);
  if (!found) return rescueText(file, told) ?? 'noText';
  if (found.fib.encrypted) return 'passwordDamaged';
  const old = oldPieces(found.fib, found.document.length);
  if (old) return assembleOld(file, found.document, old, told);
  const { table, fib, pieces } = found;
  const own = pieces ? ownText(found, pieces) : { document: found.document, exchanged: 0, lost: 0, overwritten: 0 };
  if (own.exchanged > 0) told.steps.push({ kind: 'container.pages', count: own.exchanged });
  if (own.overwritten > 0) told.lost.push({ how: 'characters.overwritten', count: own.overwritten });
  const { document } = own;
  if (pieces && table && own.lost !== null && isWhole(document, pieces)) {
    if (own.lost > 0) told.lost.push({ how: 'formatting.part', count: own.lost });
    tellBeyondText(file, { document, fib }, pieces, told);
    told.steps.push({ kind: 'container.streams' });
    const streams: StreamToWrite[] = [
      { path: ['WordDocument'], data: withCountsFitting(document, pieces, piecesText(document, pieces).text) },
      { path: [fib.table], data: table },
      ...otherStreams(file, ['WordDocument', '0Table', '1Table'], told),
    ];
    return { streams, rootClass: file.rootClass ?? wordClass };
  }
  const read = pieces ? piecesText(document, pieces) : { text: plainText(document, fib), lost: 0 };
  const total = fib.counts.reduce((sum, count) => sum + count, 0);
  const text = cleanText(read.text);
  if (readable(text) < 0.6 || countWords(visible(text)) === 0) return 'noText';
  const missing = Math.max(read.lost, total - read.text.length);
  if (missing > mostUncounted) told.lost.push({ how: 'characters.beyond', count: missing });
  told.lost.push({ how: 'formatting.plain', count: 1 });
  told.steps.push({ kind: 'text.saved', count: countWords(visible(text)) });
  return { streams: writePlainDocument(text), rootClass: wordClass };
}

/** A document of Word 6 or 95, whose one stream holds all but what is embedded, without what is no text in it. */
function assembleOld(file: OleFile, document: Buffer, pieces: readonly Piece[], told: DocumentTold): Container {
  const own = withoutForeign(document, pieces);
  if (own.overwritten > 0) told.lost.push({ how: 'characters.overwritten', count: own.overwritten });
  told.steps.push({ kind: 'container.streams' });
  const streams = [{ path: ['WordDocument'], data: own.document }, ...otherStreams(file, ['WordDocument'], told)];
  return { streams, rootClass: file.rootClass ?? wordClass };
}

/** The mark in a text of a picture or an object, of which the rest is in a stream of its own ([MS-DOC] 2.4.1, 2.6.1 sprmCPicLocation). */
const pictureMark = '\u0001';

/** Tells what is gone of a document whose text is whole: the end of its stream, where drawings lie, and the stream of its pictures. */
function tellBeyondText(
  file: OleFile,
  { document, fib }: Pick<Found, 'document' | 'fib'>,
  pieces: readonly Piece[],
  told: DocumentTold,
): void {
  const missing = fib.length - document.length;
  if (missing > 0) told.lost.push({ how: 'bytes.missing', count: missing });
  const hasPictures = piecesText(document, pieces).text.includes(pictureMark);
  if (hasPictures && !topStream(file, 'Data')) told.lost.push({ how: 'parts.streams', count: 1, names: ['Data'] });
}

function gather(file: OleFile): Found | null {
  const named = topStream(file, 'WordDocument');
  const isTree = named !== undefined;
  const called = isTree ? [named] : file.streams.filter((stream) => stream.path.at(-1) === 'WordDocument');
  const starts = new Set(file.streams.map((stream) => stream.entry?.start ?? -1));
  const inside = isTree ? startsInside(file) : undefined;
  const candidates = [
    ...called.slice(0, mostCandidates).map((stream) => stream.data),
    locateStream(file, beginsDocument, starts, inside),
    locateRun(file, beginsDocument, inside),
  ];
  let best: Found | null = null;
  for (const document of candidates) {
    const fib = document ? readFib(document) : null;
    if (!document || !fib) continue;
    const table = tableFor(file, fib, isTree);
    const pieces = table ? readPieces(table, fib) : null;
    const recovered = pieces ? { table, pieces } : recoverTable(file, fib);
    const found: Found = {
      document,
      fib,
      table: recovered.table,
      pieces: recovered.pieces ?? piecesByPages(document, fib),
    };
    if (!best || quality(found) > quality(best) * 1.02) best = found;
  }
  return best;
}

/** Documents that may lie in one file, each placed inside another, and are looked at. */
const mostCandidates = 8;

/** The table stream that belongs to a document: where the tree of names is lost, the one whose pieces are as long as its text. */
function tableFor(file: OleFile, fib: Fib, isTree: boolean): Buffer | null {
  const tables = file.streams.filter((stream) =>
    /^[01]Table$/.test((isTree ? stream.path[0] : stream.path.at(-1)) ?? ''),
  );
  const total = fib.counts.reduce((sum, count) => sum + count, 0);
  const fits = tables.find(({ data }) => {
    const end = readPieces(data, fib)?.at(-1)?.end ?? -1;
    return end >= total && end <= total + 2;
  });
  const named = tables.find((stream) => stream.path.at(-1) === fib.table) ?? tables[0];
  return (isTree ? (named ?? fits) : (fits ?? named))?.data ?? null;
}

/** The table stream by the place of its piece table: it is as far before it as the header says. */
function recoverTable(file: OleFile, fib: Fib): { table: Buffer | null; pieces: Piece[] | null } {
  for (const bytes of [file.miniStream, file.sectors.bytes]) {
    const hit = searchPieces(bytes, fib);
    if (!hit) continue;
    const base = hit.at - fib.pieceTable.offset;
    const end = base + fib.tableEnd;
    if (base >= 0 && base % 64 === 0 && end <= bytes.length) {
      const table = Buffer.from(bytes.subarray(base, end));
      if (readPieces(table, fib)) return { table, pieces: hit.pieces };
    }
    return { table: null, pieces: hit.pieces };
  }
  return { table: null, pieces: null };
}

function quality(found: Found): number {
  const text = found.pieces ? piecesText(found.document, found.pieces).text : plainText(found.document, found.fib);
  return countWords(visible(cleanText(text))) * readable(text);
}

/** Characters that are looked at together. */
const window = 256;

/** Words in the stretches of a text whose characters are not read across their middle: then the lower bytes vary more than the upper. */
export function writingIn(text: string): number {
  let words = 0;
  // The stretch in which each value was last met, counted from one.
  const low = new Uint32Array(256);
  const high = new Uint32Array(256);
  for (let at = 0, turn = 1; at < text.length; at += window, turn++) {
    const stretch = text.slice(at, at + window);
    let apart = 0;
    for (let index = 0; index < stretch.length; index++) {
      const code = stretch.charCodeAt(index);
      if (low[code & 255] !== turn) apart++;
      if (high[code >> 8] !== turn) apart--;
      low[code & 255] = turn;
      high[code >> 8] = turn;
    }
    if (apart >= 0) words += countWords(stretch) * readable(stretch);
  }
  return words;
}

function isWhole(document: Buffer, pieces: readonly Piece[]): boolean {
  const { text, lost } = piecesText(document, pieces);
  return lost === 0 && readable(text) > 0.6;
}

/** Marks of paragraphs, cells, tabs, lines, pages and columns, which a plain document may keep ([MS-DOC] 2.4.1). */
const keptMarks = new Set([7, 9, 10, 11, 12, 13, 14]);

/** Whether a character that is no half of a pair stays. */
const isKept = (code: number): boolean =>
  code >= 32 ? code < 0xd800 || (code >= 0xe000 && code < 0xfffd) : keptMarks.has(code);

/** Marks of a field ([MS-DOC] 2.8.25): its instruction begins, its result begins, it ends. */
const field = { begins: 0x13, separates: 0x14, ends: 0x15 } as const;
/** Characters behind a field's beginning that are no instruction any more: its end was lost. Chosen on the bench. */
const longestInstruction = 500;

/** Text with the instructions of fields left out, as far as they end. */
class FieldlessText {
  readonly #kept: string[] = [];
  #skipped: string[] | null = null;

  get isInside(): boolean {
    return this.#skipped !== null;
  }

  take(text: string): void {
    this.#kept.push(text);
  }

  begin(): void {
    this.#skipped = [];
  }

  end(): void {
    this.#skipped = null;
  }

  /** One character: a field without a result, or one whose end was lost, must not swallow the text behind it. */
  add(letter: string): void {
    if (!this.#skipped) this.#kept.push(letter);
    else if (this.#skipped.push(letter) > longestInstruction) {
      for (const one of this.#skipped) this.#kept.push(one);
      this.#skipped = null;
    }
  }

  toString(): string {
    return this.#kept.join('');
  }
}

/** Takes out marks of pictures and notes, which point to what is gone, and the instructions of fields, whose results stay. */
function cleanText(text: string): string {
  const clean = new FieldlessText();
  for (let at = 0; at < text.length; ) {
    if (!clean.isInside) {
      const from = at;
      while (at < text.length && isKept(text.charCodeAt(at))) at++;
      if (at > from) clean.take(text.slice(from, at));
      if (at === text.length) break;
    }
    const code = text.codePointAt(at) ?? 0;
    const letter = String.fromCodePoint(code);
    at += letter.length;
    if (code === field.begins) clean.begin();
    else if (code === field.separates || code === field.ends) clean.end();
    else if (code >= 32 ? code < 0xfffd : keptMarks.has(code)) clean.add(letter);
  }
  return clean.toString();
}

/** Fewer words of a document whose header is lost may be anything. */
const leastWriting = 20;

/** Without a header of the document: its text by a piece table that fits it, or the writing in the file. */
function rescueText(file: OleFile, told: DocumentTold): Container | null {
  const text = cleanText(searchText(file));
  const words = countWords(visible(text));
  if (words < leastWriting) return null;
  told.lost.push({ how: 'formatting.plain', count: 1 });
  told.remarks.push({ kind: 'writing' });
  told.steps.push({ kind: 'text.searched', count: words });
  return { streams: writePlainDocument(text), rootClass: wordClass };
}
