import type { Layout } from './layout';
import type { Rows, Wiped } from './wiped';

/** Bytes of a sector; what was exchanged or written over by another file begins and ends with one. */
const sector = 512;
/** Mean difference to the rows above and below, in levels, from which a sector fits neither, and how many times the usual it must be. */
const fitsNot = { levels: 16, times: 4 };
/** Bytes at the borders of what does not fit, just outside and just inside of it, and how many times the usual and levels more fit outside. */
const border = { bytes: 96, times: 2, levels: 8 };
/** Sectors that tell what is usual, and the median of their differences in levels, below which a picture has no noise and above which it has edges everywhere. */
const usualOf = { least: 64, calm: 1, rough: 16 };
/** Share of the sectors that must not fit, as single ones may be chance, and above which all of the picture is like that. */
const share = { least: 0.01, most: 0.4 };

/** Share of bytes that equal the pixel before from which on a picture is drawn: photos have up to a sixth, drawings and screens two thirds. */
const drawn = 0.5;

/**
 * Sectors of plain rows that belong to other places or files: they fit neither the row above nor the one below, and just outside of them
 * all fits. Empty where only few are, where that is how the picture is made, and of drawings, which have such pieces themselves.
 */
export function findStrewn(rows: Rows, layout: Layout): Wiped[] {
  const { data, row } = rows;
  if (row < sector || isDrawn(rows)) return [];
  const all = sectorsOf(rows, layout).map((from) => ({ from, misfit: misfitOf(rows, from, from + sector) }));
  const usual = all.map(({ misfit }) => misfit).sort((one, other) => one - other)[all.length >> 1] ?? 0;
  if (all.length < usualOf.least || usual < usualOf.calm || usual > usualOf.rough) return [];
  const runs: Wiped[] = [];
  for (const { from, misfit } of all) {
    if (misfit < Math.max(fitsNot.levels, usual * fitsNot.times)) continue;
    const last = runs.at(-1);
    if (last?.to === from) last.to += sector;
    else runs.push({ from, to: from + sector });
  }
  const found = runs.filter((run) => isBordered(rows, run, usual));
  const sum = found.reduce((total, { from, to }) => total + to - from, 0);
  return sum < data.length * share.least || sum > data.length * share.most ? [] : found;
}

function isDrawn({ data, pixel }: Rows): boolean {
  let same = 0;
  for (let at = pixel; at < data.length; at++) if (data[at] === data[at - pixel]) same++;
  return same > data.length * drawn;
}

/** Where sectors of the file begin in the rows; one may begin in one strip and end in the next one where that follows at once. */
export function sectorsOf({ data, row }: Rows, { segments, rowsPerStrip }: Layout): number[] {
  const all: number[] = [];
  const strip = rowsPerStrip * row;
  for (const [index, { at, count }] of segments.entries()) {
    const isJoined = (segments[index + 1]?.at ?? 0) === at + count && count === strip;
    const first = at + ((sector - (at % sector)) % sector);
    for (let place = first; place + (isJoined ? 1 : sector) <= at + Math.min(count, strip); place += sector) {
      const from = index * strip + place - at;
      if (from + sector <= data.length) all.push(from);
    }
  }
  return all;
}

/** How far bytes are from those above or from those below, whichever is nearer, in levels. */
function misfitOf({ data, row }: Rows, from: number, to: number): number {
  let [above, below] = [0, 0];
  for (let at = from; at < to; at++) {
    const byte = data[at] ?? 0;
    above += Math.abs(byte - (data[at - row] ?? byte + 255));
    below += Math.abs(byte - (data[at + row] ?? byte + 255));
  }
  return Math.min(above, below) / Math.max(1, to - from);
}

/** Whether all fits just outside of a run and nothing just inside of it. */
function isBordered(rows: Rows, { from, to }: Wiped, usual: number): boolean {
  const fits = (at: number) =>
    at < 0 ||
    at + border.bytes > rows.data.length ||
    misfitOf(rows, at, at + border.bytes) < usual * border.times + border.levels;
  const inside = [from, to - border.bytes].every((at) => !fits(at));
  return inside && fits(from - border.bytes) && fits(to);
}
