import { type Exchange, exchange, isPlain } from '../../core/exchange';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { readHead } from './head';
import { readLayout } from './layout';
import { pageDirectories } from './pages';
import { bitGaps, gapOf, mostGap } from './slip/crossing';
import { endOf, type Run, runsOf } from './slip/runs';

/** Sizes of the pieces that are looked for, in bytes: clusters, and the sector, which all are made of. */
const pieceSizes: readonly number[] = [65_536, 32_768, 16_384, 8192, 4096, 2048, 1024, 512];
/** Bytes of which the difference to those above is kept as one number. */
const step = 64;
/** How far a piece is from the rows above and below that it does not belong to, by what is usual around it and in levels. */
const misfits = { times: 1.4, levels: 2 };
/** The most that is usual, in levels: what is rougher has edges everywhere. */
const mostUsual = 24;
/** Pieces that fit worst of which each is tried in the place of each other. */
const mostTried = 64;
/** How far pieces are from the rows around them as they stand, by times and levels of what they are in each other's place. */
const fitsBetter = { times: 1.6, levels: 2 };
/** Bytes just outside of a piece, and how far they may be from the rows around them, by what is usual and in levels. */
const outside = { bytes: 96, times: 2, levels: 8 };
/**
 * Bytes on either side of the borders of a piece of which those inside have to fit better in its other place, and those outside worse, by what
 * is usual and in levels; and at how many of the four borders of two pieces, in photos and in drawings.
 */
const sharp = { bytes: 48, times: 0.5, levels: 2, photo: 3, drawing: 3 };
/** Rows around a piece that tell what is usual. */
const around = 4;

/** The file with pieces of plain rows put back that stand in each other's place, and which these were; null where there are none. */
export function undoExchanges(job: EngineJob): { bytes: Buffer; exchanges: Exchange[] } | null {
  const tiff = readHead(job.bytes);
  if (!tiff) return null;
  const layouts = pageDirectories(tiff, false).map((page) => readLayout(tiff, page));
  const runs = runsOf(job.bytes, layouts, tiff.little);
  const exchanges: Exchange[] = [];
  let bytes = job.bytes;
  let all = runs.map((run) => gapsAbove(job, bytes, run));
  for (const size of pieceSizes) {
    const pieces = all.flatMap((gaps) => misplaced(bytes, gaps, size));
    pieces.sort((one, other) => other.misfit - one.misfit);
    const pairs = pairsOf(job, bytes, pieces.slice(0, mostTried), size);
    if (pairs.length === 0) continue;
    if (exchanges.length === 0) bytes = Buffer.from(bytes);
    for (const pair of pairs) exchange(bytes, pair);
    exchanges.push(...pairs);
    all = runs.map((run) => gapsAbove(job, bytes, run));
  }
  return exchanges.length > 0 ? { bytes, exchanges } : null;
}

/** A piece that does not fit where it stands: its place, by how much, and what is usual there, in levels. */
type Piece = { at: number; run: Run; misfit: number; usual: number; isDrawn: boolean };

/** Pieces of a run that fit neither the row above nor the one below, where all just outside of them does. */
function misplaced(bytes: Buffer, gaps: Gaps, size: number): Piece[] {
  const { run, end, isDrawn } = gaps;
  const { row, at: start } = run;
  // Lines over all the width of a drawing are such pieces.
  if (isDrawn && isAboutRows(row, size)) return [];
  const across = Math.min(row, size);
  const found: Piece[] = [];
  const first = Math.ceil((start + row) / size) * size;
  for (let at = first; at + size + row + outside.bytes <= end; at += size) {
    const below = at + Math.max(row, size);
    const worst = Math.min(meanOf(gaps, at, at + across), meanOf(gaps, below, below + across));
    const before = meanOf(gaps, at - around * row, at);
    const usual = (before + meanOf(gaps, below + across, below + across + around * row)) / 2;
    const piece = { at, run, misfit: worst - usual, usual, isDrawn };
    if (usual > mostUsual) continue;
    if (worst >= usual * misfits.times + misfits.levels && isFitAround(bytes, piece, size)) found.push(piece);
  }
  return found;
}

/** Bytes by which they may differ. */
const aboutRow = 24;

/** Whether pieces are about as long as one or more rows, or rows as pieces, so that they begin about where rows do, or always at about the same column. */
function isAboutRows(row: number, size: number): boolean {
  const [more, less] = [Math.max(row, size), Math.min(row, size)];
  return Math.min(more % less, less - (more % less)) <= aboutRow;
}

/** How far bytes of a run are from those above, summed up from its beginning on, step by step, in levels; where it ends, and whether it is drawn. */
type Gaps = { run: Run; sums: Float64Array; end: number; isDrawn: boolean };

/** The share of bytes that equal the pixel before from which on a picture is drawn. */
const drawn = 0.5;

function gapsAbove(job: EngineJob, bytes: Buffer, run: Run): Gaps {
  const { at: start, row, size, pixel, high, isBits } = run;
  const end = Math.min(endOf(run), bytes.length);
  job.deadline.effort.spend('comparedByte', end - start);
  const sums = new Float64Array(Math.ceil((end - start) / step) + 1);
  let same = 0;
  for (let from = start + row - (row % step); from < end; from += step) {
    const first = Math.max(start + row, from) + high;
    let sum = 0;
    for (let at = first; at < Math.min(end, from + step); at += size) {
      const byte = bytes[at] ?? 0;
      const above = bytes[at - row] ?? 0;
      sum += isBits ? (bitGaps[byte ^ above] ?? 0) : Math.min(mostGap, Math.abs(byte - above));
      if (byte === bytes[at - pixel]) same++;
    }
    sums[(from - start) / step + 1] = sum * size;
  }
  for (let index = 1; index < sums.length; index++) sums[index] = (sums[index] ?? 0) + (sums[index - 1] ?? 0);
  return { run, sums, end, isDrawn: isBits === true || same * size > (end - start) * drawn };
}

/** The mean difference to the bytes above between two places, in levels, of rows that have one above. */
function meanOf({ run: { at: start, row }, sums }: Gaps, from: number, to: number): number {
  const first = Math.max(Math.ceil(row / step), Math.floor((from - start) / step));
  const last = Math.min(sums.length - 1, Math.ceil((to - start) / step));
  return ((sums[last] ?? 0) - (sums[first] ?? 0)) / Math.max(1, last - first) / step;
}

/** Whether what stands just before a piece fits the row above, and what stands just behind it the row below: a line that was drawn goes on there. */
function isFitAround(bytes: Buffer, { at, run, usual }: Piece, size: number): boolean {
  const most = usual * outside.times + outside.levels;
  const gap = (from: number, by: number) => {
    let sum = 0;
    for (let place = from; place < from + outside.bytes; place += run.size) sum += gapOf(bytes, run, place, place + by);
    return (sum * run.size) / outside.bytes;
  };
  return gap(at - outside.bytes, -run.row) <= most && gap(at + size, run.row) <= most;
}

/** Pairs of pieces that fit far better in each other's place, the best first, each piece in one of them. */
function pairsOf(job: EngineJob, bytes: Buffer, pieces: readonly Piece[], size: number): Exchange[] {
  const across = Math.max(0, ...pieces.map(({ run }) => Math.min(run.row, size)));
  job.deadline.effort.spend('comparedByte', 2 * across * pieces.length ** 2);
  const own = pieces.map((piece) => costOf(bytes, piece, piece.at, size));
  const pairs: (Exchange & { gain: number })[] = [];
  for (const [index, one] of pieces.entries())
    for (const [place, other] of pieces.entries()) {
      if (place <= index || isSame(bytes, one.at, other.at, size)) continue;
      const [here, there] = [costOf(bytes, one, other.at, size), costOf(bytes, other, one.at, size)];
      const isBetter = (as: number, back: number) => as >= back * fitsBetter.times + fitsBetter.levels;
      const [asOne, asOther] = [own[index] ?? 0, own[place] ?? 0];
      if (!isBetter(asOne, here) || !isBetter(asOther, there)) continue;
      if (!isSharp(bytes, one, other, size)) continue;
      const [first, second] = [Math.min(one.at, other.at), Math.max(one.at, other.at)];
      pairs.push({ first, second, size, gain: asOne + asOther - here - there });
    }
  pairs.sort((one, other) => other.gain - one.gain);
  const used = new Set<number>();
  return pairs.flatMap(({ first, second }) => {
    if (used.has(first) || used.has(second)) return [];
    used.add(first).add(second);
    return [{ first, second, size }];
  });
}

/**
 * Whether two pieces begin and end where pieces of the file do: just inside of their borders all fits better in their other place, and just
 * outside worse. What is drawn begins and ends anywhere.
 */
function isSharp(bytes: Buffer, one: Piece, other: Piece, size: number): boolean {
  const borders = [
    [one, other],
    [other, one],
  ].flatMap(([piece, from]) => {
    if (!piece || !from) return [];
    const { run, usual, at } = piece;
    const least = usual * sharp.times + sharp.levels;
    const gain = (offset: number, by: number) => {
      let sum = 0;
      for (let place = offset; place < offset + sharp.bytes; place += run.size) {
        const beside = at + place + by;
        sum += gapOf(bytes, run, at + place, beside) - gapOf(bytes, run, from.at + place, beside);
      }
      return (sum * run.size) / sharp.bytes;
    };
    return [
      gain(0, -run.row) >= least && gain(-sharp.bytes, -run.row) <= -least,
      gain(size - sharp.bytes, run.row) >= least && gain(size, run.row) <= -least,
    ];
  });
  return borders.filter(Boolean).length >= (one.isDrawn || other.isDrawn ? sharp.drawing : sharp.photo);
}

const isSame = (bytes: Buffer, one: number, other: number, size: number): boolean =>
  (isPlain(bytes, one, size) && isPlain(bytes, other, size)) ||
  bytes.compare(bytes, one, one + size, other, other + size) === 0;

/** How far the piece that stands at `from` is from the rows around a place, in levels. */
function costOf(bytes: Buffer, { at, run }: Piece, from: number, size: number): number {
  const { row, size: sample } = run;
  const across = Math.min(row, size) - (Math.min(row, size) % sample);
  const inner = size - across;
  let sum = 0;
  for (let by = 0; by < across; by += sample)
    sum += gapOf(bytes, run, from + by, at + by - row) + gapOf(bytes, run, from + inner + by, at + inner + by + row);
  return (sum * sample) / (2 * across);
}
