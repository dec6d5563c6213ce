import type { Buffer } from '../../host/bytes';

/** Bytes of a piece table with one piece (2.9.38): mark, length, two places and the piece. */
const leastPieceTable = 21;
/** Bytes of a header as far as it names the piece table (2.5.6, fcClx and lcbClx). */
const leastHeader = 0x1aa;

/** Among the pairs of places and lengths, the one that is a time instead (2.5.6, dwLowDateTime and dwHighDateTime). */
const timePair = 87;

/** The parts of a Word document's header ([MS-DOC] 2.5) that lead to its text. Offsets in bytes, text lengths in characters. */
export type Fib = {
  version: number;
  encrypted: boolean;
  /** Whether what was changed was put behind the rest when it was saved, so that pieces are in no order (fComplex). */
  complex: boolean;
  /** Which of the two table streams belongs to the text. */
  table: '0Table' | '1Table';
  textStart: number;
  textEnd: number;
  /** Bytes of the document stream that mean something (cbMac, 2.5.4; in Word 6 and 95 the field behind fcMac). */
  length: number;
  /** Characters of main text, footnotes, headers, comments, endnotes and text boxes. */
  counts: number[];
  pieceTable: { offset: number; length: number };
  /** End of the farthest structure in the table stream. */
  tableEnd: number;
};

/** One run of text (2.8.35): its place in the document stream, and whether it has one byte per character. */
export type Piece = { start: number; end: number; offset: number; narrow: boolean };

/** Where cbMac stands in the header. */
const lengthAt = { old: 0x20, tabled: 0x40 };

/** Versions of Word 6 and 95, whose text lies in the document stream itself. */
const oldVersions = [0x65, 0x66, 0x67, 0x68, 0x69];

/** First two bytes of a document stream: of Word 97 and later, of Word 6 and 95, and of their East Asian editions. */
const documentMarks = [0xa5ec, 0xa5dc, 0xa697, 0xa698, 0xa699];

/** Whether a sector is the beginning of a Word document stream. */
export function beginsDocument(sector: Buffer): boolean {
  return sector.length >= 32 && documentMarks.includes(sector.readUInt16LE(0)) && readFib(sector) !== null;
}

/** Where the first count of characters stands in the header: of Word 6 and 95, and of later versions ([MS-DOC] 2.5.5). */
const countsFrom = { old: 52, tabled: 76 };

/** Where the characters of the main text, of footnotes, headers, comments, endnotes, and text boxes of both are counted; macros, the fourth, are not text. */
export const countPlaces = (isOld: boolean): number[] =>
  [0, 1, 2, 4, 5, 6, 7].map((index) => (isOld ? countsFrom.old : countsFrom.tabled) + index * 4);

/** Reads the header of a Word document stream; null when it is none. Versions before Word 97 have no table stream. */
export function readFib(data: Buffer): Fib | null {
  if (data.length < leastHeader) return null;
  const version = data.readUInt16LE(2);
  const flags = data.readUInt16LE(10);
  const old = oldVersions.includes(version);
  if (!documentMarks.includes(data.readUInt16LE(0)) || (!old && (version < 0xc0 || version > 0x120))) return null;
  const counts = countPlaces(old).map((at) => Math.max(0, data.readInt32LE(at)));
  if (old) counts.splice(3, 4);
  let tableEnd = 0;
  if (!old) {
    const pairs = Math.min(data.readUInt16LE(152), 200);
    for (let index = 0; index < pairs; index++) {
      const at = 154 + index * 8;
      if (at + 8 > data.length) break;
      const length = data.readUInt32LE(at + 4);
      if (index !== timePair && length > 0 && length < 1 << 28)
        tableEnd = Math.max(tableEnd, data.readUInt32LE(at) + length);
    }
  }
  return {
    version,
    encrypted: (flags & 0x100) !== 0,
    complex: (flags & 4) !== 0,
    table: flags & 0x200 ? '1Table' : '0Table',
    textStart: data.readUInt32LE(24),
    textEnd: data.readUInt32LE(28),
    length: data.readUInt32LE(old ? lengthAt.old : lengthAt.tabled),
    counts,
    pieceTable: old ? { offset: 0, length: 0 } : { offset: data.readUInt32LE(0x1a2), length: data.readUInt32LE(0x1a6) },
    tableEnd,
  };
}

/**
 * The text of a document of Word 6 or 95 that was saved as a whole, which is one piece of one byte a character between the marks of its
 * header; null for all others, and where the stream of `length` bytes does not hold all that the header says.
 */
export function oldPieces(fib: Fib, length: number): Piece[] | null {
  const { version, encrypted, complex, textStart, textEnd } = fib;
  const isOld = oldVersions.includes(version) && !encrypted && !complex;
  if (!isOld || textStart < leastHeader || textEnd <= textStart || textEnd > length || fib.length > length) return null;
  return [{ start: 0, end: textEnd - textStart, offset: textStart, narrow: true }];
}

/** Reads the piece table (2.9.38) out of a table stream; null when it is damaged. */
export function readPieces(table: Buffer, fib: Fib): Piece[] | null {
  const end = fib.pieceTable.offset + fib.pieceTable.length;
  if (fib.pieceTable.length < leastPieceTable || end > table.length) return null;
  let at = fib.pieceTable.offset;
  while (at + 5 < end && table[at] === 1) at += 3 + table.readUInt16LE(at + 1);
  if (at + 5 > end || table[at] !== 2) return null;
  return parsePieces(table, at + 1, end);
}

function parsePieces(table: Buffer, at: number, end: number): Piece[] | null {
  const length = table.readUInt32LE(at);
  const count = (length - 4) / 12;
  if (!Number.isInteger(count) || count < 1 || at + 4 + length > end) return null;
  const pieces: Piece[] = [];
  for (let index = 0; index < count; index++) {
    const start = table.readUInt32LE(at + 4 + index * 4);
    const stop = table.readUInt32LE(at + 8 + index * 4);
    const place = table.readUInt32LE(at + 4 + (count + 1) * 4 + index * 8 + 2);
    const narrow = (place & 0x40000000) !== 0;
    if (stop <= start || (index === 0 && start !== 0)) return null;
    pieces.push({ start, end: stop, offset: narrow ? (place & 0x3fffffff) >>> 1 : place & 0x3fffffff, narrow });
  }
  return pieces;
}

/** A piece table and where it begins. */
type PlacedPieces = { at: number; pieces: Piece[] };

/** Everything in `bytes` that reads as a piece table ([MS-DOC] 2.9.38) whose last place passes. */
function* pieceTables(bytes: Buffer, isLast: (end: number) => boolean): Generator<PlacedPieces> {
  for (let at = bytes.indexOf(2); at >= 0 && at + leastPieceTable <= bytes.length; at = bytes.indexOf(2, at + 1)) {
    const length = bytes.readUInt32LE(at + 1);
    if (length < 16 || length > 1 << 20 || (length - 4) % 12 !== 0 || at + 5 + length > bytes.length) continue;
    if (bytes.readUInt32LE(at + 5) !== 0) continue;
    if (!isLast(bytes.readUInt32LE(at + 5 + ((length - 4) / 12) * 4))) continue;
    const pieces = parsePieces(bytes, at + 1, bytes.length);
    if (pieces) yield { at, pieces };
  }
}

/** Where in `bytes` the piece table of a document lies when the table stream is lost: found by its length and its first and last place. */
export function searchPieces(bytes: Buffer, fib: Fib): PlacedPieces | null {
  const total = fib.counts.reduce((sum, count) => sum + count, 0);
  const [found] = pieceTables(bytes, (end) => end >= total && end <= total + 2);
  return found ?? null;
}

/** Piece tables that are read where no header says which is the document's. */
const mostPieceTables = 8;

/** Piece tables in `bytes` all of whose pieces lie in a document stream of this length, behind its header. */
export function possiblePieces(bytes: Buffer, length: number): Piece[][] {
  const found: Piece[][] = [];
  const isInside = ({ start, end, offset, narrow }: Piece) =>
    offset >= leastHeader && offset + (end - start) * (narrow ? 1 : 2) <= length;
  for (const { pieces } of pieceTables(bytes, (end) => end > 1 && end <= length)) {
    if (pieces.every(isInside)) found.push(pieces);
    if (found.length === mostPieceTables) break;
  }
  return found;
}

/** Bytes 80 to 9f of the Windows code page 1252. */
const windowsHigh = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Text of one-byte characters. */
export function decodeNarrow(data: Buffer): string {
  return data
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (letter) => windowsHigh[letter.charCodeAt(0) - 0x80] ?? letter);
}

/** The text of the pieces, as far as the stream reaches; `lost` counts characters beyond its end. */
export function piecesText(data: Buffer, pieces: readonly Piece[]): { text: string; lost: number } {
  let text = '';
  let lost = 0;
  for (const piece of pieces) {
    const count = piece.end - piece.start;
    const bytes = data.subarray(piece.offset, piece.offset + count * (piece.narrow ? 1 : 2));
    const part = piece.narrow ? decodeNarrow(bytes) : bytes.toString('utf16le', 0, bytes.length & ~1);
    text += part;
    lost += count - part.length;
  }
  return { text, lost };
}

/** Without any piece table: the text between the marks of the header, in the width that reads as writing. */
export function plainText(data: Buffer, fib: Fib): string {
  const total = fib.counts.reduce((sum, count) => sum + count, 0) || data.length;
  const start = fib.textStart >= 32 && fib.textStart < data.length ? fib.textStart : 0x400;
  const wide = data
    .subarray(start, start + Math.min(total * 2, data.length))
    .toString('utf16le', 0, Math.min(total * 2, data.length - start) & ~1);
  const narrow = decodeNarrow(data.subarray(start, start + total));
  return readable(wide) > readable(narrow) ? wide : narrow;
}

/** The share of characters that writing is made of. */
export function readable(text: string): number {
  if (text.length === 0) return 0;
  const length = Math.min(text.length, 20_000);
  let sum = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const isPair = code >= 0xd800 && code < 0xdc00 && at + 1 < length;
    if (isPair && (text.codePointAt(at) ?? 0) > 0xffff)
      sum += weightOf(String.fromCodePoint(text.codePointAt(at++) ?? 0));
    else {
      // A weight that was looked up is noted with one more, as zero stands for none.
      if (weights[code] === 0) weights[code] = weightOf(String.fromCharCode(code)) + 1;
      sum += (weights[code] ?? 1) - 1;
    }
  }
  return sum / (2 * length);
}

const weights = new Uint8Array(1 << 16);

/** One for a character that writing is made of, and one more for those of most documents. */
function weightOf(letter: string): number {
  return (
    (/[\p{L}\p{N}\p{P}\s]/u.test(letter) ? 1 : 0) + (/^[\x20-\x7e\r\u00c0-\u017f\u0400-\u04ff]$/.test(letter) ? 1 : 0)
  );
}
