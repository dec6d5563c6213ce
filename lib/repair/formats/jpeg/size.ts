import type { Frame } from '../../codecs/jpeg/frame';
import { layoutFor } from '../../codecs/jpeg/layout';
import type { ExifFacts } from './exif';
import { type Outline, rowMisfit } from './sampled';

/**
 * What is known of the amount of data: MCUs read, whether all of it is there and made sense, whether its end is there, whether its beginning
 * is not, and about how many MCUs are then missing; 0 where nothing tells. Of the MCUs read so many came from bytes that are no picture data,
 * and so many from before any of these.
 */
export type DataFacts = {
  count: number;
  sound: boolean;
  hasEnd: boolean;
  isBeginLost: boolean;
  missing: number;
  junk: number;
  before: number;
  plain: number;
};

/** The largest side a frame header can note (ISO/IEC 10918-1, B.2.2). */
const most = 65535;

/** Rows by which whole data may be short of its size, and the share of the best misfit below which another width is better. */
const mostShort = 1.5;
const clearlyBetter = 0.97;

/** Whether the size in the frame can be right for the data: data may be short where it is damaged, never much too long. */
export function sizeFits(frame: Frame, data: DataFacts): boolean {
  if (frame.width === 0 || frame.height === 0) return false;
  const { across, total } = layoutFor(frame);
  if (data.count > total + across) return false;
  if (!data.sound || !data.hasEnd) return true;
  return data.count > total - across * mostShort;
}

/** Rows before damage that tell whether a width is right, rows behind the noted end that tell of a longer picture, and how much better these fit than at other widths. */
const heldTo = { rows: 3, first: 1 / 3, behind: 4, share: 0.75, times: 2, levels: 2 };

/**
 * Whether the size noted is believed although the data has too many MCUs for it: something in it is damaged, what comes before that fits at
 * that width as well as at any, and it has no rows behind the noted end that hang together. What was written over data decodes to any number.
 * Zeroes may read without an error: data that is whole but ends inside of a row has some that are none of it.
 */
export function isSizeHeld(frame: Frame, data: DataFacts, outline: Outline): boolean {
  if (frame.width === 0 || frame.height === 0) return false;
  const { across, total } = layoutFor(frame);
  if (data.count <= total + across) return false;
  if (data.sound && data.hasEnd && (data.plain === 0 || data.count % across === 0)) return false;
  // What nothing tells of may be damaged as well, the less so the nearer to the beginning.
  const first = Math.max(across * heldTo.rows, Math.floor(total * heldTo.first));
  const before = { ...outline, count: Math.min(outline.count, data.before, first) };
  const fit = before.count >= across * heldTo.rows ? rowMisfit(before, across, judged) : null;
  const best = fit === null ? null : bestAcross(before, 0);
  const { times, levels } = nearlyBest.both;
  if (fit !== null && best && fit > best.misfit * times + levels) return false;
  return data.count - data.junk - data.plain <= total + across || !isLonger(outline, across, total, fit);
}

/**
 * Whether the width noted is believed rather than another one that data has the MCUs for, fewer than noted: its rows fit clearly better at that width,
 * so that data is missing, and the number of what is left is chance.
 */
export function isWidthHeld(frame: Frame, other: Frame, data: DataFacts, outline: Outline): boolean {
  if (frame.width === 0 || frame.height === 0) return false;
  const { across, total } = layoutFor(frame);
  const wide = layoutFor(other).across;
  if (wide === across || data.count >= total || data.count < across * heldTo.rows) return false;
  return rowMisfit(outline, across, judged) < rowMisfit(outline, wide, judged) * clearlyBetter;
}

/**
 * Whether the rows behind the last one of a picture hang together at its width, about as well as the first ones do, and clearly better than
 * they do at widths that nothing speaks for.
 */
function isLonger(outline: Outline, across: number, total: number, first: number | null): boolean {
  const to = Math.min(outline.count, total + across * heldTo.behind);
  const behind = sliceOf(outline, Math.max(0, total - across), to);
  const other = Math.max(...[2 / 3, 3 / 4].map((share) => rowMisfit(behind, Math.round(across * share), judged)));
  const own = rowMisfit(behind, across, judged);
  return own < other * heldTo.share && (first === null || own <= first * heldTo.times + heldTo.levels);
}

const sliceOf = ({ columns, top, bottom }: Outline, from: number, to: number): Outline => ({
  columns,
  count: to - from,
  top: top.subarray(from * columns, to * columns),
  bottom: bottom.subarray(from * columns, to * columns),
});

/** The most MCUs by which a width is judged, and how much worse than the best one it may fit: `times` and levels on top. */
const judged = 4000;
const nearlyBest = { half: { times: 1.1, levels: 0.3 }, both: { times: 1.05, levels: 0.2 } };
/** A strip so many times as long as it is wide is no picture but noise that fits nowhere. */
const longest = 12;

/** What a size is found from: the data, how its rows fit at each width, the best width, and the samples of an MCU. */
type Search = {
  frame: Frame;
  data: DataFacts;
  outline: Outline;
  unit: { x: number; y: number };
  best: Best;
  whole: boolean;
};
type Best = { across: number; misfit: number } | null;

/** Finds the size of a picture from its data: by EXIF, by the width its header still has, or by the width at which rows fit; null when nothing does. */
export function findSize(frame: Frame, data: DataFacts, outline: Outline, exif: ExifFacts): Frame | null {
  // Data that is whole has exactly as many MCUs as the picture.
  const whole = data.sound && data.hasEnd;
  const best = bestAcross(outline, whole ? data.count : 0);
  const search = { frame, data, outline, unit: unitsOf(frame), best, whole };
  const byHeight = whole ? sizeByHeight(search, exif) : null;
  return byHeight ?? sizeByKnown(search, exif) ?? sizeByRows(search);
}

/** One side of the header may be right: with whole data the other follows from it. */
function sizeByHeight({ frame, data, outline, unit, best }: Search, exif: ExifFacts): Frame | null {
  const { times, levels } = nearlyBest.half;
  for (const height of [frame.height, exif.height]) {
    const down = Math.ceil(height / unit.y);
    if (down < 1 || data.count % down !== 0) continue;
    const across = data.count / down;
    if (best && rowMisfit(outline, across, judged) > best.misfit * times + levels) continue;
    const kept = [frame.width, exif.width].find((width) => width > 0 && Math.ceil(width / unit.x) === across);
    return { ...frame, width: Math.min(most, kept ?? across * unit.x), height };
  }
  return null;
}

/** The size that the header or EXIF tells, where rows of that width fit; its height where the data does not contradict it. */
function sizeByKnown({ frame, data, outline, unit, best, whole }: Search, exif: ExifFacts): Frame | null {
  const { times, levels } = nearlyBest.both;
  const known: [number, number][] = [
    [frame.width, frame.height],
    [exif.width, exif.height],
    [exif.height, exif.width],
  ];
  for (const [width, height] of known) {
    if (width === 0) continue;
    const across = Math.ceil(width / unit.x);
    const down = height > 0 ? Math.ceil(height / unit.y) : 0;
    const fits = best !== null && rowMisfit(outline, across, judged) <= best.misfit * times + levels;
    if (isAmountOf(data, across, down) && (fits || best === null || data.sound)) return { ...frame, width, height };
    if (!fits) continue;
    const rows = Math.max(1, Math.round((data.count - data.junk) / across));
    // Rows can be missing from damaged data, and only data that ends with a row is whole.
    const keep = down >= rows && !(whole && data.count % across === 0);
    return { ...frame, width, height: keep ? height : Math.min(most, rows * unit.y) };
  }
  return null;
}

/** Whether the data is that of a picture of so many MCUs across and down: to the MCU where it is sound, otherwise to a row. */
function isAmountOf({ count, sound }: DataFacts, across: number, down: number): boolean {
  if (down === 0) return false;
  return sound ? across * down === count : Math.abs(across * down - count) < across;
}

/** The width at which rows fit best, and as many rows as the data then has. */
function sizeByRows({ frame, data, unit, best }: Search): Frame | null {
  if (best === null) return null;
  const rows = Math.max(
    1,
    data.isBeginLost ? rowsBefore(data, best.across, unit) : Math.round(data.count / best.across),
  );
  const [width, height] = [best.across * unit.x, rows * unit.y];
  if (width > longest * height || height > longest * width) return null;
  return { ...frame, width: Math.min(most, width), height: Math.min(most, height) };
}

/** Shapes of pictures that cameras and programs make: the longer side by the shorter. */
const usualShapes = [1, 5 / 4, 4 / 3, 3 / 2, 16 / 10, 16 / 9];
/** The share of its rows that a picture without its beginning is taken to have lost at most, where nothing tells. */
const mostLost = 0.06;

/**
 * Rows of a picture whose beginning is lost, that of which a part is left among them: as many as make a usual shape of it, nearest to what is
 * known to be missing.
 */
function rowsBefore({ count, missing }: DataFacts, across: number, unit: { x: number; y: number }): number {
  const least = Math.ceil(count / across);
  const likely = Math.max(least, Math.round((count + missing) / across));
  const most = missing > 0 ? Math.ceil((count + missing) / across) + 1 : Math.ceil(least * (1 + mostLost));
  const shaped = Array.from({ length: most - least + 1 }, (_, more) => least + more).filter((rows) =>
    isUsualShape(
      { from: (across - 1) * unit.x + 1, to: across * unit.x },
      { from: (rows - 1) * unit.y + 1, to: rows * unit.y },
    ),
  );
  return shaped.sort((left, right) => Math.abs(left - likely) - Math.abs(right - likely))[0] ?? likely;
}

/** Whether sides within some bounds can be those of a picture of a usual shape. */
function isUsualShape(wide: { from: number; to: number }, high: { from: number; to: number }): boolean {
  return usualShapes.some(
    (shape) =>
      (wide.to >= high.from * shape && wide.from <= high.to * shape) ||
      (high.to >= wide.from * shape && high.from <= wide.to * shape),
  );
}

/** Samples across and down one MCU. */
function unitsOf(frame: Frame): { x: number; y: number } {
  const { widest, tallest } = layoutFor({ ...frame, width: 8, height: 8 });
  return { x: widest * 8, y: tallest * 8 };
}

/** The number of MCUs in a row for which each row fits best under the one before, and that divides `whole`, if that is above 0; null when the picture is too small to tell. */
function bestAcross(outline: Outline, whole: number): Best {
  if (outline.count < 64) return null;
  let best: Best = null;
  const widest = Math.min(Math.floor(outline.count / 3), 4096);
  for (let across = 4; across <= widest; across++) {
    if (whole > 0 && whole % across !== 0) continue;
    const misfit = rowMisfit(outline, across, 3000);
    // Twice the width fits nearly as well; only what is clearly better takes over.
    if (!best || misfit < best.misfit * clearlyBetter) best = { across, misfit };
  }
  return best;
}
