import type { Layout } from './layout';

/** The bytes that media give where nothing was written (zeroes), and where a block of flash memory was erased or is not read any more (ones). */
const blanks = [0x00, 0xff] as const;
/** Blank bytes in a row from which on plain picture data may have been wiped: half a sector, as one may begin or end inside of a piece. */
const leastRun = 256;
/** Bytes of a sector; files lose and keep whole ones. */
const sector = 512;
/** Bytes of the picture itself of the same value that may stand beside a wiped sector. */
const chance = 3;
/** Least mean of the bytes above and below in levels away from the blank, their most blanks, and the most that equal the pixel before: what photos have and drawings do not. */
const lively = { mean: 12, blanks: 0.02, same: 0.6 };
/** The most zeroes where each bit is a pixel: fewer are black than not. */
const mostBlack = 0.5;
/** Bytes above or below that tell whether they are lively. */
const leastTold = 128;
/** Share of a picture above which zeroes are no damage to it but most of it. */
const mostWiped = 0.8;

/** Rows of plain samples: their bytes, those of a row and of a pixel, and whether each bit is one. */
export type Rows = { data: Uint8Array; row: number; pixel: number; isBits?: boolean };
/** Bytes of the rows that are wiped, from `from` to before `to`. */
export type Wiped = { from: number; to: number };

/**
 * Stretches of zeroes in the plain rows of a photo that are none of it: among the noise of a sensor they begin and end at once, where
 * neither rows above nor below are dark, and not as black lines, bars and borders do, at pixels or at the ends of rows. Those of ones have to
 * be sectors of the file besides, as lights are white from the middle of a pixel on, too.
 */
export function findWiped(rows: Rows, layout: Layout): Wiped[] {
  const { data } = rows;
  const found: Wiped[] = [];
  for (let at = leastRun >> 1; at < data.length; at += leastRun >> 1) {
    const blank = blanks.find((byte) => byte === data[at]);
    if (blank === undefined) continue;
    const run = runAround(data, at);
    if (run.to - run.from >= leastRun && isDamage(rows, run, layout)) found.push(run);
    at = Math.max(at, run.to);
  }
  const sum = found.reduce((total, { from, to }) => total + to - from, 0);
  return sum > data.length * mostWiped ? [] : found;
}

function runAround(data: Uint8Array, at: number): Wiped {
  let [from, to] = [at, at];
  const blank = data[at];
  while (from > 0 && data[from - 1] === blank) from--;
  while (to < data.length && data[to] === blank) to++;
  return { from, to };
}

function isDamage(rows: Rows, run: Wiped, layout: Layout): boolean {
  const { row, pixel, data } = rows;
  const near = (at: number) => Math.min(at % row, row - (at % row)) <= chance * pixel;
  const isShort = run.to - run.from < row;
  const isOfFile = isPiece(run, rows, layout);
  // No drawing has a bar over all its width that begins in the middle of one row and ends in that of another.
  const isRagged = !isShort && !near(run.from) && (!near(run.to) || run.to === data.length);
  // White is what bits are without ink, and what lights are.
  if (data[run.from] !== 0 && (rows.isBits || !areSectors(run, rows, layout))) return false;
  // Of bits, of which many rows are alike, nothing else tells.
  if (rows.isBits && !(isRagged && isSectors(run, rows, layout))) return false;
  if (isShort ? !isOfFile : near(run.from) && near(run.to) && !isSectors(run, rows, layout)) return false;
  // Rows of bits are short.
  const reach = rows.isBits ? Math.max(row, leastTold) : row;
  const above = { from: Math.max(0, run.from - reach), to: isShort ? Math.max(0, run.to - row) : run.from };
  const below = { from: isShort ? run.from + row : run.to, to: Math.min(data.length, run.to + reach) };
  const sides = [above, below].filter(({ from, to }) => to - from >= leastTold);
  const mostSame = isRagged && isOfFile ? 1 : lively.same;
  return sides.length > 0 && sides.every((side) => isLively(rows, side, mostSame, data[run.from]));
}

/** Whether a run is a piece of a file rather than a line or bar that was drawn: it begins or ends inside of a pixel, or is made of sectors. */
const isPiece = (run: Wiped, rows: Rows, layout: Layout): boolean =>
  (run.from % rows.row) % rows.pixel !== 0 || (run.to % rows.row) % rows.pixel !== 0 || isSectors(run, rows, layout);

/** Whether a run begins and ends where sectors of the file do, but for zeroes beside it, or is as long as some. */
const isSectors = (run: Wiped, rows: Rows, layout: Layout): boolean =>
  areSectors(run, rows, layout) || (run.to - run.from) % sector <= chance;

/** Whether a run begins and ends where sectors of the file do, but for bytes of the same value beside it. */
function areSectors({ from, to }: Wiped, { row }: Rows, { segments, rowsPerStrip }: Layout): boolean {
  const inFile = (at: number) => {
    const index = Math.min(segments.length - 1, Math.floor(at / (rowsPerStrip * row)));
    return (segments[index]?.at ?? 0) + at - index * rowsPerStrip * row;
  };
  const isBegun = (sector - (inFile(from) % sector)) % sector <= chance;
  return isBegun && inFile(to) % sector <= chance;
}

function isLively({ data, pixel, isBits }: Rows, { from, to }: Wiped, mostSame: number, blank = 0): boolean {
  let [sum, same, equal] = [0, 0, 0];
  for (let at = from; at < to; at++) {
    const byte = data[at] ?? 0;
    sum += Math.abs(byte - blank);
    if (byte === blank) equal++;
    if (byte === data[at - pixel]) same++;
  }
  const count = to - from;
  return (
    sum >= count * lively.mean && equal <= count * (isBits ? mostBlack : lively.blanks) && same <= count * mostSame
  );
}

/** Fills wiped samples between those above and below; `wide` is the byte order of samples of 16 bits. */
export function fillWiped({ data, row, isBits }: Rows, wiped: readonly Wiped[], wide: 'little' | 'big' | null): void {
  const size = wide ? 2 : 1;
  const high = wide === 'little' ? 1 : 0;
  const get = (at: number) => (wide ? ((data[at + high] ?? 0) << 8) | (data[at + 1 - high] ?? 0) : (data[at] ?? 0));
  const set = (at: number, value: number) => {
    data[wide ? at + 1 - high : at] = value & 255;
    if (wide) data[at + high] = value >> 8;
  };
  for (const run of wiped) {
    const beside = (at: number, step: number): number => {
      let place = at + step;
      while (place + size > run.from && place < run.to) place += step;
      return place >= 0 && place + size <= data.length ? place : -1;
    };
    for (let at = run.from - (run.from % size); at < run.to; at += size) {
      const [up, down] = [beside(at, -row), beside(at, row)];
      if (up < 0 && down < 0) continue;
      if (isBits && up >= 0 && down >= 0) set(at, get(at - up < down - at ? up : down));
      else if (up < 0 || down < 0) set(at, get(Math.max(up, down)));
      else set(at, Math.round((get(up) * (down - at) + get(down) * (at - up)) / (down - up)));
    }
  }
}
