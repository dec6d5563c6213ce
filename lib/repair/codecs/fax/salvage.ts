import type { Effort } from '../../report';
import { blank, FaxReader } from './reader';
import { type FaxStrip, isEnd, nextRow } from './strip';

type Row = readonly number[];

/** Rows that follow each other in a strip, the bits from and up to which they stand, and whether the strip ends with them. */
type Piece = { rows: Row[]; from: number; to: number; isLast: boolean };

/** Bits of data that may be read again and again behind damage, in units of effort (`report/effort.ts`). */
const patience = 600;
/** Rows before the one at which damage is noticed from which on it is looked for where rows go on: a wrong code mostly makes a wrong row at once. */
const before = 8;
/** Rows of a piece that proves itself by ending where the strip does, and bits of any other: what is read out of step breaks off within some 500. */
const least = { last: 8, bits: 1500 };
/** Bits of the marks behind the last row, with what fills bytes up. */
const endBits = 96;

/**
 * The rows of a damaged strip where they belong, null for those that are lost. Rows by T.4 begin behind marks of their own. Rows by T.6 are read by
 * the one above, so that behind damage reading begins anew where that is known all the same: at empty paper, as between lines of text. What is
 * read from there is right where it comes to the end of the strip, or goes on for long. The last piece stands at the end; those before it have as many
 * lost rows between them as the bits between them tell.
 */
export function salvageRows(data: Uint8Array, strip: FaxStrip, effort: Effort): (Row | null)[] {
  const marked = strip.kind === 'oneWay' || strip.kind === 'twoWay';
  const pieces = marked ? markedPieces(data, strip, effort) : pairedPieces(data, strip, effort.share(patience));
  return laid(pieces, strip);
}

/** One row of a piece, by the row above it. */
const rowBehind = (reader: FaxReader, { kind }: FaxStrip, rows: readonly Row[], above: Row = blank) =>
  nextRow(reader, kind, rows.at(-1) ?? above);

/** Reads from a bit on up to the first row that makes no sense; also gives the bits at which each row begins. */
function pieceFrom(
  data: Uint8Array,
  from: number,
  strip: FaxStrip,
  effort: Effort,
  above: Row,
): Piece & { starts: number[] } {
  const reader = new FaxReader(data, strip.width);
  reader.position = from;
  const piece = { rows: [] as Row[], from, to: from, isLast: false, starts: [] as number[] };
  while (piece.rows.length < strip.rows) {
    const row = rowBehind(reader, strip, piece.rows, above);
    if (!row) break;
    piece.rows.push(row);
    piece.starts.push(piece.to);
    piece.to = reader.position;
  }
  effort.spend('symbol', reader.position - from + 1);
  reader.position = piece.to;
  piece.isLast = reader.end - piece.to < endBits && isEnd(reader, strip.kind);
  return piece;
}

/** Pieces of a strip whose rows are read by the one above, or begin with bytes. */
function pairedPieces(data: Uint8Array, strip: FaxStrip, effort: Effort): Piece[] {
  const step = strip.kind === 'plain' ? 8 : 1;
  let last = pieceFrom(data, 0, strip, effort, blank);
  const pieces: Piece[] = [last];
  const end = data.length * 8;
  const paper = strip.isPaperBlack ? black : blank;
  while (!last.isLast) {
    const noticed = Math.max(last.from + 1, last.starts[Math.max(1, last.rows.length - before)] ?? last.to);
    let next: typeof last | null = null;
    for (let at = Math.ceil(noticed / step) * step; at < end && !next && !effort.isSpent; at += step) {
      const tried = mayBegin(data, at, strip) ? pieceFrom(data, at, strip, effort, paper) : null;
      if (tried && isProven(tried)) next = tried;
    }
    if (!next) break;
    pieces.push(next);
    last = next;
  }
  return pieces;
}

/** A row that is black all over. */
const black: Row = [0];

/** Whether a row may begin at a bit without one above: one of runs alone, or by paper one that is paper as well, each of whose changes takes a bit. */
const mayBegin = (data: Uint8Array, at: number, { kind, isPaperBlack }: FaxStrip): boolean => {
  const bits = (((data[at >> 3] ?? 0) << 8) | (data[(at >> 3) + 1] ?? 0)) >> (14 - (at & 7));
  return kind === 'plain' || ((bits & 2) === 2 && (!isPaperBlack || (bits & 1) === 1));
};

const isProven = ({ rows, from, to, isLast }: Piece): boolean =>
  isLast ? rows.length >= least.last : to - from >= least.bits;

/** Pieces of a strip by T.4: rows that end where the next mark begins. */
function markedPieces(data: Uint8Array, strip: FaxStrip, effort: Effort): Piece[] {
  const reader = new FaxReader(data, strip.width);
  const pieces: Piece[] = [];
  let piece: Piece | null = null;
  let count = 0;
  while (reader.position < reader.end && count < strip.rows) {
    const from = reader.position;
    const isKnown = strip.kind === 'oneWay' || piece !== null || isOneWay(reader);
    const row = isKnown ? rowBehind(reader, strip, piece?.rows ?? []) : null;
    const isRight = row !== null && (reader.isAtMark() || reader.end - reader.position < 8);
    effort.spend('symbol', reader.position - from + 1);
    if (row && isRight) {
      piece ??= { rows: [], from, to: from, isLast: false };
      if (piece.rows.length === 0) pieces.push(piece);
      piece.rows.push(row);
      piece.to = reader.position;
      count++;
      continue;
    }
    piece = null;
    reader.position = Math.max(from + 1, reader.position - 1);
    while (reader.position < reader.end && !reader.isAtMark()) reader.position++;
  }
  const last = pieces.at(-1);
  if (last) last.isLast = pieces.length > 1 && reader.end - last.to < endBits;
  return pieces;
}

/** Whether the row behind the next mark is one of runs alone. */
function isOneWay(reader: FaxReader): boolean {
  const from = reader.position;
  reader.mark();
  const is = reader.peek(1) === 1;
  reader.position = from;
  return is;
}

/** Lays pieces out over the rows of a strip. */
function laid(pieces: readonly Piece[], { rows: wanted }: FaxStrip): (Row | null)[] {
  const all = new Array<Row | null>(wanted).fill(null);
  const isEnded = pieces.length > 1 && pieces.at(-1)?.isLast === true;
  const sum = (of: (piece: Piece, index: number) => number) =>
    pieces.reduce((total, piece, index) => total + of(piece, index), 0);
  const gap = (piece: Piece, index: number) => (index > 0 ? Math.max(0, piece.from - (pieces[index - 1]?.to ?? 0)) : 0);
  const [read, bits, gaps] = [sum(({ rows }) => rows.length), sum(({ from, to }) => to - from), sum(gap)];
  const each = isEnded ? Math.max(0, wanted - read) / Math.max(1, gaps) : read / Math.max(1, bits);
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    at += Math.round(gap(piece, index) * each);
    if (isEnded && index === pieces.length - 1) at = wanted - piece.rows.length;
    for (const [line, row] of piece.rows.entries()) if (at + line >= 0 && at + line < wanted) all[at + line] = row;
    at += piece.rows.length;
  }
  return all;
}
