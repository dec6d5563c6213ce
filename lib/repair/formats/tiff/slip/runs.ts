import type { Buffer } from '../../../host/bytes';
import { scheme } from '../directory';
import { type Layout, rowBytes, segmentSize, segmentsWanted } from '../layout';

/**
 * Plain rows that follow each other in a file: where the first begins, how many there are, the bytes of a row and of a pixel, those of a
 * sample, which of these says most, and, where each bit is a pixel, how many bits fill up a row.
 */
export type Run = {
  at: number;
  rows: number;
  row: number;
  pixel: number;
  size: number;
  high: number;
  isBits?: boolean;
  pad?: number;
};

/** Strips or tiles of all pages that are looked at. */
const mostSegments = 20_000;
/** Rows of a run from which on it tells something. */
const leastRows = 2;

/** The plain rows that pages are told to have, in the order of the file, as far as they stand inside of it; none where two lie over each other. */
export function runsOf(bytes: Buffer, layouts: readonly Layout[], little: boolean): Run[] {
  const runs: Run[] = [];
  for (const layout of layouts) {
    const { samples, planes, segments } = layout;
    const count = segmentsWanted(layout);
    const kind = segments.length < count || count > mostSegments ? null : kindOf(layout, little);
    if (!kind) continue;
    const { row } = kind;
    const each = planes ? count / samples : count;
    for (let index = 0; index < count; index++) {
      const { at = 0 } = segments[index] ?? {};
      const rows = segmentSize(layout, index) / row;
      const last = runs.at(-1);
      const isNext = index % each > 0 && !layout.tile && last && last.at + last.rows * row === at;
      if (isNext) last.rows += rows;
      else runs.push({ at, rows, ...kind });
    }
  }
  runs.sort((one, other) => one.at - other.at);
  const isOver = runs.some((run, index) => index > 0 && run.at < endOf(runs[index - 1]));
  return isOver ? [] : runs.flatMap((run) => within(run, bytes.length)).filter(({ rows }) => rows >= leastRows);
}

/** What the rows of a run are like; null where they are packed, or of samples that are not looked at. */
function kindOf(layout: Layout, little: boolean): Omit<Run, 'at' | 'rows'> | null {
  const { compression, depth, samples, planes, tile, width } = layout;
  const isBits = depth === 1 && samples === 1;
  if (compression !== scheme.none || (depth !== 8 && depth !== 16 && !isBits)) return null;
  const size = Math.max(1, depth >> 3);
  const row = rowBytes(layout);
  const pad = isBits ? row * 8 - (tile?.width ?? width) : 0;
  return { row, pixel: (planes ? 1 : samples) * size, size, high: size === 2 && little ? 1 : 0, isBits, pad };
}

export const endOf = (run: Run | undefined): number => (run ? run.at + run.rows * run.row : 0);

/** As much of a run as stands in a file of so many bytes. */
function within(run: Run, size: number): Run[] {
  const rows = Math.min(run.rows, Math.floor((size - run.at) / run.row));
  return run.at >= 8 && rows > 0 ? [{ ...run, rows }] : [];
}
