import type { Buffer } from '../../../host/bytes';

/** A part of sensor data that is not the camera's, in bytes from its beginning. */
export type Part = { start: number; end: number };

/** The bytes of parts that do not overlap. */
export const bytesOf = (parts: readonly Part[]): number => parts.reduce((sum, { start, end }) => sum + end - start, 0);

/** Parts one after another, those that overlap or touch as one. */
export function joinedParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of [...parts].sort((left, right) => left.start - right.start)) {
    const last = joined.at(-1);
    if (last && part.start <= last.end) last.end = Math.max(last.end, part.end);
    else joined.push({ ...part });
  }
  return joined;
}

/** Bytes of which parts are made: those that disks keep together. */
export const sector = 512;
/** Rows that are filled in one stretch at most: what fills more is no picture any more. */
const mostRows = 64;

/**
 * Fills parts of rows in place, each half from the nearest rows of the same filters that stand, above and below; `apart` rows have the same
 * filters. Parts begin and end with sectors. Gives those that were filled: larger ones are left as they are, and so is what no row stands
 * beside.
 */
export function fillParts(data: Buffer, rowBytes: number, apart: number, parts: readonly Part[]): Part[] {
  const step = rowBytes * apart;
  const lost = new Uint8Array(Math.ceil(data.length / sector));
  for (const { start, end } of parts) lost.fill(1, start / sector, end / sector);
  const near = (at: number, way: number) => {
    // A made file may have lost the same columns of all rows.
    for (let place = at + way, rows = 0; place >= 0 && place < data.length && rows < mostRows; place += way, rows++)
      if (lost[Math.floor(place / sector)] === 0) return place;
    return null;
  };
  const filled = parts.filter(({ start, end }) => end - start <= rowBytes * mostRows);
  for (const { start, end } of filled) {
    const middle = (start + end) / 2;
    for (let at = start; at < end; at++) {
      const way = at < middle ? -step : step;
      const from = near(at, way) ?? near(at, -way);
      if (from !== null) data[at] = data[from] ?? 0;
    }
  }
  return filled;
}
