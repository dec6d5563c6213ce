import type { Buffer } from '../../host/bytes';
import type { CrxPlane, CrxTile } from './headers';
import { readCrx } from './read';
import { writeCrx } from './write';

/** The planes of a tile that are green, of both rows; red comes before them, blue behind. */
const [green, otherGreen] = [1, 2];

/** How far the planes of a tile stand: rows of each, and whether all of them read to the end of their data. */
export type TileReading = { rows: number[]; isSound: boolean };

/** Takes a line of values, which begin at 1; what it holds is overwritten by the next one. */
type TakeLine = (line: Int32Array, row: number) => void;

/** Reads all planes of a tile. */
export function readTile(bytes: Buffer, tile: CrxTile, bits: number, check: () => void): TileReading {
  const read = tile.planes.map((plane) => readPlane(bytes, tile, plane, { bits, slip: 0 }, check));
  return { rows: read.map(({ rows }) => rows), isSound: read.every(({ isSound }) => isSound) };
}

/** Reads a plane `slip` bytes behind its place: the rows that stand, and whether its data ends with the last one. */
function readPlane(
  bytes: Buffer,
  { width, height }: CrxTile,
  { bands: [band] }: CrxPlane,
  { bits, slip }: { bits: number; slip: number },
  check: () => void,
  take?: TakeLine,
): { rows: number; isSound: boolean } {
  const [start, end] = [(band?.start ?? 0) + slip, (band?.end ?? 0) + slip];
  if (start < 0) return { rows: 0, isSound: false };
  const rough = new Roughness(width);
  const { fault } = readCrx(bytes.subarray(start, end), width, height, bits, check, (line, row) => {
    rough.add(line);
    take?.(line, row);
  });
  return { rows: fault === null ? height : rough.begin(), isSound: fault === null };
}

/**
 * The share of a tile that is the camera's. A pixel stands where red, blue and a green do; the other green is made of the first one where it
 * is lost, and counts as the quarter of the values that it is.
 */
export function shareOf({ rows }: TileReading, height: number): number {
  const [red = 0, first = red, second = first, blue = red] = rows;
  const most = Math.min(red, blue, Math.max(first, second));
  return Math.max(0, most - Math.abs(first - second) / 4) / height;
}

/** How much lines differ from the ones above, by which it is told where damage begins that shows in values only later. */
class Roughness {
  readonly #width: number;
  readonly #lines: number[] = [];
  readonly #above: Int32Array;

  constructor(width: number) {
    this.#width = width;
    this.#above = new Int32Array(width + 2);
  }

  add(line: Int32Array): void {
    let sum = 0;
    for (let at = 1; at <= this.#width; at++) sum += Math.abs((line[at] ?? 0) - (this.#above[at] ?? 0));
    this.#above.set(line);
    this.#lines.push(sum);
  }

  /** The first of the lines at the end that are all far rougher than lines were before. */
  begin(): number {
    let row = this.#lines.length;
    const before = this.#lines.slice(1, Math.max(2, row - looked)).sort((left, right) => left - right);
    const usual = (before[before.length >> 1] ?? 0) * muchRougher + this.#width;
    while (row > 0 && (this.#lines[row - 1] ?? 0) > usual) row--;
    // The line before the first rough one holds the place of the damage as often as not.
    return Math.max(0, row - 1);
  }
}

/** Lines at the end that do not say what is usual, and times that a line is rougher where values are no picture. */
const looked = 64;
const muchRougher = 4;

/** Columns and rows around a place by which colours are told from each other. */
const around = 16;

/** Packs a tile whose damaged planes are made of the others from where they do not stand; null where none has a line that does. */
export function mendTile(
  bytes: Buffer,
  tile: CrxTile,
  how: { bits: number; slip: number },
  check: () => void,
): { planes: { data: Buffer; unused: number }[]; share: number; isSound: boolean } | null {
  const { width, height } = tile;
  const values = tile.planes.map(() => new Int16Array(width * height));
  const reading: TileReading = { rows: [], isSound: true };
  for (const [index, plane] of tile.planes.entries()) {
    const take: TakeLine = (line, row) => values[index]?.set(line.subarray(1, width + 1), row * width);
    let read = readPlane(bytes, tile, plane, { ...how, slip: 0 }, check, take);
    reading.isSound &&= read.isSound;
    const moved = read.isSound || how.slip === 0 ? null : readPlane(bytes, tile, plane, how, check);
    if (moved && moved.rows > read.rows) read = readPlane(bytes, tile, plane, how, check, take);
    reading.rows.push(read.rows);
  }
  if (reading.rows.every((rows) => rows === 0)) return null;
  // The plane that stands longest comes first, so that the others can follow it.
  const order = reading.rows.map((_, plane) => plane).sort((a, b) => (reading.rows[b] ?? 0) - (reading.rows[a] ?? 0));
  for (const [index, plane] of order.entries()) {
    const from = reading.rows[plane] ?? 0;
    const by = guideOf(plane, order.slice(0, index));
    if (from < height) fill(values, { plane, by, from, width, height, bits: how.bits });
  }
  const planes = values.map((plane) => writeCrx(plane, width, check));
  return { planes, share: shareOf(reading, height), isSound: reading.isSound };
}

/** The plane that another one is made of: a green for a green, and for the others too where one goes on longer. */
function guideOf(plane: number, longer: readonly number[]): number | null {
  const twin = plane === green ? otherGreen : plane === otherGreen ? green : null;
  if (twin !== null && longer.includes(twin)) return twin;
  return longer.find((other) => other === green || other === otherGreen) ?? longer[0] ?? null;
}

type Filling = { plane: number; by: number | null; from: number; width: number; height: number; bits: number };

/** Fills a plane from a row on: as its guide goes on, by the share of both in the rows before, or as the last row that stands. */
function fill(values: readonly Int16Array[], { plane, by, from, width, height, bits }: Filling): void {
  const [own, guide] = [values[plane], by === null ? null : values[by]];
  if (!own) return;
  const middle = 1 << (bits - 1);
  const most = middle - 1;
  for (let column = 0; column < width; column++) {
    const [ownSum, guideSum] = [sumOf(own, column, from, width, middle), sumOf(guide, column, from, width, middle)];
    const share = guideSum > 0 ? ownSum / guideSum : 0;
    const last = from > 0 ? (own[(from - 1) * width + column] ?? 0) : 0;
    for (let at = from * width + column; at < height * width; at += width) {
      // Without a row of its own there is nothing to tell the colour by.
      const followed =
        guide && share > 0 ? Math.round(((guide[at] ?? 0) + middle) * share) - middle : (guide?.[at] ?? last);
      own[at] = Math.min(most, followed);
    }
  }
}

/** The sum of the values, from zero on, around a column in the rows before one. */
function sumOf(
  plane: Int16Array | null | undefined,
  column: number,
  before: number,
  width: number,
  middle: number,
): number {
  let sum = 0;
  if (!plane) return sum;
  for (let row = Math.max(0, before - around); row < before; row++)
    for (let at = Math.max(0, column - around); at <= Math.min(width - 1, column + around); at++)
      sum += (plane[row * width + at] ?? 0) + middle;
  return sum;
}
