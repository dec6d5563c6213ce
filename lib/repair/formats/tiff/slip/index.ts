import { highest } from '../../../core/extent';
import { Buffer } from '../../../host/bytes';
import type { EngineJob } from '../../../report';
import { type Directory, placesOf, searchDirectories, type TiffBytes } from '../directory';
import { readHead } from '../head';
import { readLayout } from '../layout';
import { leadsNowhere, pageDirectories } from '../pages';
import { behindRows, isPutIn, surelyGoesOn } from './behind';
import { type Crossing, crossingIn, fitBehind, goesOnBetter } from './crossing';
import { rowMovedByPads } from './pads';
import { endOf, type Run, runsOf } from './runs';
import { changeOf, type Seam, seamsOf, standsOut, votes } from './seams';

/**
 * Where bytes were put into plain rows (`bytes` above 0) or taken out of them (below), so that all behind that place in the file stands too
 * late or too early; the bytes of a row there; and whether rows show that place. Where they do not, it is the end of the rows of that page.
 */
export type Slip = { at: number; bytes: number; row: number; isPlaced: boolean };

/** The most bytes that are looked for, and the least, as fewer hardly show. */
const most = 1 << 20;
/** Rows around a change of their borders in which the place is looked for, and those before and behind it that tell how borders are. */
const reach = 12;
const near = 48;
/** Standard deviations by which borders speak for a move behind a place, and against it before it. */
const surely = { behind: 4, before: 3 };
/** Those from which on they speak against it. */
const contrary = -1;
/**
 * The share of samples behind a place that fit better with the move undone: alone, and where borders change there as well; the most that fit
 * worse, for each that fits better; and the least share of a row that is asked.
 */
const fits = { alone: 0.15, withBorders: 0.05, worse: 0.4, share: 0.5 };
/** How far rows are from those above as told, and with the move undone, by what is usual and in levels on top. */
const shows = {
  alone: { times: 1.5, levels: 2 },
  withBorders: { times: 1.3, levels: 1 },
  back: { times: 1.5, levels: 3 },
};

/**
 * The slip of a file whose directory stands in front: what is behind it still begins where it is told, but ends where it is not. By how many
 * bytes, the end of the file tells, or the next directory that is not where it should be; where, how rows go on.
 */
export function findSlip(job: EngineJob): Slip | null {
  const tiff = readHead(job.bytes);
  if (!tiff) return null;
  const pages = pageDirectories(tiff, false);
  const layouts = pages.map((page) => readLayout(tiff, page));
  const runs = runsOf(job.bytes, layouts, tiff.little);
  const [first] = pages;
  if (!first || runs.length === 0 || first.offset > (runs[0]?.at ?? 0)) return null;
  const lost = movedDirectory(tiff, pages);
  if (lost !== 0) {
    // The last page stands where it is led to, so that the move is behind its directory.
    const behind = runs.filter(({ at }) => at > (pages.at(-1)?.offset ?? 0));
    return slipBy(job, behind, lost, true) ?? slipBehind(runs, pages, lost);
  }
  const told = highest([
    ...layouts.flatMap(({ segments }) => segments.map(({ at, count }) => at + count)),
    ...pages.flatMap(placesOf).map(({ to }) => to),
  ]);
  const moves = movesOf(job.bytes, told);
  for (const moved of moves) {
    const found = slipBy(job, runs, moved, false);
    if (found) return found;
  }
  // What was put in shows by what stands behind the last rows, but nothing says where.
  const sure = moves.find((moved) => surelyGoesOn(job.bytes, runs, moved));
  const last = runs.at(-1);
  return sure && last ? { at: endOf(last), bytes: sure, row: last.row, isPlaced: false } : null;
}

/** A move between the rows of the last page that is led to and the next one, that leaves the rows of all pages as they are told. */
function slipBehind(runs: readonly Run[], pages: readonly Directory[], moved: number): Slip | null {
  const next = pages.at(-1)?.next ?? 0;
  const last = runs.findLast((run) => run.at < next);
  // Bytes that are missing are those of the last rows then, where the next page stands as far as it is told.
  return last ? { at: next + Math.min(0, moved), bytes: moved, row: last.row, isPlaced: false } : null;
}

/** By how many bytes the directory moved that the last one leads to; 0 where it leads to one, to none, or none is found. */
function movedDirectory(tiff: TiffBytes, pages: readonly Directory[]): number {
  if (!leadsNowhere(tiff, pages)) return 0;
  const next = pages.at(-1)?.next ?? 0;
  const others = searchDirectories(tiff.bytes).filter(
    // What a directory leads to may lie beyond the end of a file that lost bytes.
    ({ directory: { sound, offset } }) => (sound || offset < next) && pages.every((page) => page.offset !== offset),
  );
  const moves = others.map(({ directory }) => directory.offset - next).filter((by) => by !== 0 && Math.abs(by) < most);
  return moves.sort((one, other) => Math.abs(one) - Math.abs(other))[0] ?? 0;
}

/** By how many bytes what stands at the end of a file may have moved that is told to end at a place: some programs fill it up with zeroes. */
function movesOf(bytes: Buffer, told: number): number[] {
  const moved = bytes.length - told;
  let end = bytes.length;
  while (end > told && bytes[end - 1] === 0) end--;
  return [...new Set([moved, end - told])].filter((by) => by !== 0 && Math.abs(by) < most);
}

/** The place of a slip of so many bytes that rows prove, where the next page says that there is one or not; null where none does. */
function slipBy(job: EngineJob, runs: readonly Run[], moved: number, isSure: boolean): Slip | null {
  const { bytes } = job;
  const seams = seamsOf(bytes, runs, moved);
  const change = changeOf(seams)?.at ?? -1;
  const read = runs.reduce((sum, run) => sum + run.rows * run.row, 0);
  job.deadline.effort.spend('comparedByte', read);
  const anywhere = best(runs.map((run) => inRun(bytes, run, moved, run.at, endOf(run))));
  const beside = best(
    runs.map((run) => {
      const by = reach * run.row + Math.abs(moved);
      return inRun(bytes, run, moved, Math.max(run.at, change - by), Math.min(endOf(run), change + by));
    }),
  );
  const placed = moved > 0 ? byPads(bytes, runs, moved) : null;
  if (placed) return placed;
  const behind = isSure ? 'picture' : behindRows(bytes, runs, moved);
  for (const found of [anywhere, beside]) {
    if (!found) continue;
    // Borders of bits tell nothing.
    const isShown = !found.run.isBits && moved % found.run.row !== 0 && isProven(bytes, found, seams, moved, isSure);
    if (isShown || (moved > 0 && behind && isPutIn(bytes, found, moved, behind)))
      return { at: found.at, bytes: moved, row: found.run.row, isPlaced: true };
  }
  return null;
}

/** The place of bytes that were put into rows of bits, where the bits that fill rows up say so: in the row before the first that moved, or in that. */
function byPads(bytes: Buffer, runs: readonly Run[], moved: number): Slip | null {
  for (const run of runs) {
    const line = rowMovedByPads(bytes, run, moved);
    if (line === null) continue;
    const from = run.at + Math.max(1, line - 1) * run.row;
    const at = inRun(bytes, run, moved, from, from + 2 * run.row)?.at ?? from;
    return { at, bytes: moved, row: run.row, isPlaced: true };
  }
  return null;
}

type Found = Crossing & { run: Run };

function inRun(bytes: Buffer, run: Run, moved: number, from: number, to: number): Found | null {
  // A run that is shorter than what was put in or is missing tells nothing of it, and many such would take long.
  if (Math.abs(moved) >= run.rows * run.row) return null;
  if (to - from < run.row || (moved < 0 && (moved % run.row === 0 || run.isBits))) return null;
  const crossing = crossingIn(bytes, run, moved, from, to);
  return crossing && { ...crossing, run };
}

const best = (found: readonly (Found | null)[]): Found | null =>
  found.reduce((one, other) => (one && other ? (other.mass > one.mass ? other : one) : (one ?? other)), null);

/** Whether the borders of rows, or how they go on where the move begins, are those of rows that moved and of no others. */
function isProven(bytes: Buffer, found: Found, seams: readonly Seam[], moved: number, isSure: boolean): boolean {
  const { at, run, told, back } = found;
  const from = at + Math.max(0, moved);
  const [before, behind] = [seams.filter((seam) => seam.at < at), seams.filter((seam) => seam.at >= from)];
  const isAgreed = votes(behind) >= surely.behind && votes(before) <= -surely.before;
  // Borders may be alike at several moves: rows that do not go on better with one undone were not moved by it, or not from there on.
  const isBetter = goesOnBetter(found);
  if (isSure) return isBetter || (isAgreed && told > back);
  const closeBefore = before.filter((seam) => seam.at >= at - near * run.row);
  const closeBehind = behind.filter((seam) => seam.at < from + near * run.row);
  const isChanged = standsOut(closeBefore, 'told') && standsOut(closeBehind, 'moved');
  // What lost its end is no longer than it is told, so that borders count for more where bytes were put in.
  if ((isBetter || (moved > 0 && told > back)) && isChanged && isAgreed) return true;
  const { better, worse, share } = fitBehind(bytes, run, at, moved);
  if (share < fits.share || worse > better * fits.worse) return false;
  // In a frame of one colour the borders of rows are where nothing stands out.
  const isFramed = standsOut(closeBefore, 'moved') && standsOut(closeBehind, 'told');
  // A file that lost its end is too short as well, and an upright line and one across stand out in it like borders and rows that moved.
  const isBordered = moved > 0 ? isChanged || isAgreed || isFramed : isAgreed || (isFramed && isUpheld(before, behind));
  if (isBordered && better >= fits.withBorders && isClear(found, shows.withBorders)) return true;
  // Where rows are lost the next ones cannot be foretold, so that the edge of a drawing may look like that.
  return moved > 0 && better >= fits.alone && isClear(found, shows.alone) && votes(behind) > contrary;
}

/** Whether borders in a frame of one colour change as often as they have to. */
const isUpheld = (before: readonly Seam[], behind: readonly Seam[]): boolean =>
  votes(behind) <= -surely.behind && votes(before) >= surely.before;

/** Whether rows go on as they usually do with the move undone, and not as they are told. */
const isClear = ({ told, back, usual }: Crossing, least: { times: number; levels: number }): boolean =>
  told >= usual * least.times + least.levels && back <= usual * shows.back.times + shows.back.levels;

/** A file without the bytes that were put in, or with as many of the row above where some were taken out. */
export function undoSlip(bytes: Buffer, { at, bytes: count, row }: Slip): Buffer {
  if (count > 0) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);
  const room = Buffer.alloc(-count);
  for (let index = 0; index < room.length; index++)
    room[index] = index < row ? (bytes[at - row + index] ?? 0) : (room[index - row] ?? 0);
  return Buffer.concat([bytes.subarray(0, at), room, bytes.subarray(at)]);
}
