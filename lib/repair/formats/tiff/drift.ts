import { Buffer } from '../../host/bytes';

/** Bytes up to which places may have moved one by one, as where line ends lost or got a byte each; beyond, they moved at once. */
const mostOneByOne = 64;
/** What each further place where rows move costs, and how much more than as they are told, or as they are at the end, they stand out: in mean steps. */
const price = { move: 6, least: 8 };
/** The share of all rows that stand out of which a picture tells enough. */
const leastSteps = 1;
/** Rows around a place where they move in which the exact byte is looked for. */
const reach = 4;

/** Whether a move is so small that it may be that of many single bytes. */
export const movesOneByOne = (shift: number): boolean => shift !== 0 && Math.abs(shift) <= mostOneByOne;

/** Plain rows of a file: where the first is told to begin, the bytes of a row and of a pixel, and how many rows there are. */
export type PlainRows = { start: number; row: number; pixel: number; rows: number };

/**
 * The plain rows of a file in which everything behind some place moved by `shift` bytes, put back where they are told to be: at once, or
 * byte by byte. The step from the end of each row to the beginning of the next moves with the rows. Null where that shows nowhere, or where
 * all rows moved or none.
 */
export function putBack(bytes: Buffer, plain: PlainRows, shift: number): Buffer | null {
  const { row, rows } = plain;
  if (shift === 0 || rows < 6 || shift % row === 0) return null;
  const away = Math.abs(shift);
  const states = movesOneByOne(shift) ? Array.from({ length: away + 1 }, (_, by) => by) : [0, away];
  const moves = states.map((by) => by * Math.sign(shift));
  const steps = moves.map((by) => stepsAt(bytes, plain, by));
  const path = bestPath(steps, rows);
  if (!path) return null;
  const data = Buffer.alloc(row * rows);
  for (const [line, state] of path.entries()) copyRow(bytes, data, plain, line, moves[state] ?? 0);
  for (let line = 1; line < rows; line++) {
    const [before, behind] = [moves[path[line - 1] ?? 0] ?? 0, moves[path[line] ?? 0] ?? 0];
    if (before !== behind && Math.abs(behind - before) > mostOneByOne)
      settleBorder(bytes, data, plain, line, before, behind);
  }
  return data;
}

/** The step at the beginning of each row moved by so many bytes, above the mean of all of them. */
function stepsAt(bytes: Buffer, { start, row, pixel, rows }: PlainRows, by: number): Float64Array {
  const steps = new Float64Array(rows);
  for (let line = 1; line < rows; line++) {
    const at = start + line * row + by;
    if (at < pixel || at + pixel > bytes.length) continue;
    for (let byte = at; byte < at + pixel; byte++)
      steps[line] = (steps[line] ?? 0) + Math.abs((bytes[byte] ?? 0) - (bytes[byte - pixel] ?? 0)) / pixel;
  }
  return steps;
}

/**
 * By row, which of the moves it has: the first at the beginning, later ones further on, so that steps stand out most. Null where they hardly
 * stand out more than with one move for all.
 */
function bestPath(steps: readonly Float64Array[], rows: number): Uint16Array | null {
  const all = steps.reduce((sum, one) => sum + one.reduce((total, step) => total + step, 0), 0);
  const mean = all / steps.length / rows;
  if (mean < leastSteps) return null;
  const from = steps.map(() => new Uint16Array(rows));
  let sums = steps.map(() => 0);
  for (let line = 1; line < rows; line++) {
    let [best, state] = [Number.NEGATIVE_INFINITY, 0];
    sums = sums.map((sum, own) => {
      const stay = sum;
      const move = best - mean * price.move;
      const isMoved = move > stay;
      const origins = from[own];
      if (origins) origins[line] = isMoved ? state : own;
      if (stay > best) [best, state] = [stay, own];
      return (isMoved ? move : stay) + (steps[own]?.[line] ?? 0);
    });
  }
  const end = sums.indexOf(Math.max(...sums));
  const alone = Math.max(...steps.map((one) => one.reduce((sum, step) => sum + step, 0)));
  if ((sums[end] ?? 0) < alone + mean * price.least) return null;
  const path = new Uint16Array(rows);
  let state = end;
  for (let line = rows - 1; line >= 0; line--) {
    path[line] = state;
    state = from[state]?.[line] ?? state;
  }
  return path;
}

function copyRow(bytes: Buffer, data: Buffer, { start, row }: PlainRows, line: number, by: number): void {
  const at = start + line * row + by;
  bytes.copy(data, line * row, Math.max(0, at), Math.min(bytes.length, Math.max(0, at) + row));
}

/** The exact byte from which on the moved rows continue the row above better than the told ones, near the row from which on they do. */
function settleBorder(
  bytes: Buffer,
  data: Buffer,
  plain: PlainRows,
  line: number,
  before: number,
  behind: number,
): void {
  const { start, row, rows } = plain;
  const first = Math.max(1, line - reach);
  const above = (first - 1) * row;
  const to = Math.min(rows, line + reach) * row;
  const at = (place: number, by: number) => bytes[start + place + by] ?? 0;
  let [sum, least, border] = [0, 0, first * row];
  for (let place = first * row; place < to; place++) {
    const value = at(above + ((place - first * row) % row), before);
    sum += Math.abs(at(place, before) - value) - Math.abs(at(place, behind) - value);
    if (sum < least) [least, border] = [sum, place + 1];
  }
  for (let place = first * row; place < to; place++) data[place] = at(place, place < border ? before : behind);
}
