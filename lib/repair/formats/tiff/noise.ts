import { type Layout, rowBytes, segmentsWanted } from './layout';
import { sectorsOf } from './strewn';
import type { Rows, Wiped } from './wiped';

/** Bytes of a sector. */
const sector = 512;
/**
 * What tells bytes of chance, as packed and encrypted data has them, too: how many of the 256 values a sector holds (of 512 drawn at random 221, with a
 * deviation of 5; of 256, the upper bytes of samples of 16 bits, 162 with one of 6), and the mean difference to the pixel before in levels (85).
 */
const chance = { kinds: 200, kindsOfHalf: 135, step: 65 };
/** The same of bits: the share of those that are set, that differ from the one before and from the one above, which is a half with a deviation of 0.008. */
const chanceOfBits = { least: 0.46, most: 0.54 };
/** How far from a half those shares may be, and how many of the 256 values there are at least, in a sector that is much like chance. */
const nearChance = { share: 0.2, kinds: 170 };
/** The same difference that sectors of the picture have at most for noise to be none of it, by their median. */
const mostUsual = 40;
/** Bits of a byte that differ from the one before, of which noise has four and a drawing fewer. */
const mostUsualBits = 2;
/** Samples on either side of a border, and the difference that is less outside and more inside of it. */
const border = { samples: 96, outside: 50, inside: 58 };
/** Values among that many bytes of packed bits, of which 80 are of chance with a deviation of 4, that are less outside and more inside of a border. */
const borderOfBits = { outside: 64, inside: 68 };
/** Sectors in a row from which on noise may begin and end inside of one. */
const long = { sectors: 8 };
/** Samples that a border may be away from the end of a row to stand there. */
const nearRow = 6;
/** The share of a picture that noise may be, and that of one whose noise stands in runs of so many sectors on average. */
const mostNoise = { anyhow: 0.4, inRuns: 0.95, run: 32 };

/** Bytes of tiles or planes that are looked at, once more than the picture itself. */
const mostBytes = 200 << 20;
/** What stands for rows that there are none of. */
const noRow = 128;

/** Samples as noise is looked for in them: bytes from one to the next, and the place of the byte that counts. */
type Grain = { size: number; high: number };

/**
 * Sectors of plain rows that hold no samples but bytes of chance, whose borders are those of sectors, or, where they are many, stand in the
 * middle of rows. Empty where that is how the picture is made. Of samples of two bytes `high` is the place of the upper one.
 */
export function findNoise(rows: Rows, layout: Layout, high: number | null = null): Wiped[] {
  const { data, isBits } = rows;
  const grain = { size: high === null ? 1 : 2, high: high ?? 0 };
  const all = sectorsOf(rows, layout);
  const noisy = new Set(all.filter((from) => isChance(rows, from, grain)));
  if (noisy.size === 0) return [];
  if (!isBits && isRoughAnyhow(rows, all, noisy, grain)) return [];
  const runs: Wiped[] = [];
  for (const from of noisy) {
    const last = runs.at(-1);
    if (last?.to === from) last.to += sector;
    else runs.push({ from, to: from + sector });
  }
  const found = runs
    .flatMap((run) => widened(rows, run, grain) ?? [])
    .filter((run) => isBordered(rows, run, grain) && isAlone(rows, run, grain));
  const sum = found.reduce((total, { from, to }) => total + to - from, 0);
  const isInRuns = sum >= found.length * mostNoise.run * sector;
  return sum > data.length * (isInRuns ? mostNoise.inRuns : mostNoise.anyhow) ? [] : found;
}

/** Rows in the order of the file, those of tiles or of planes that stand apart, and the layout that they have as if they were strips; null where they are too large. */
export function rowsInFile(bytes: Uint8Array, layout: Layout): { rows: Rows; layout: Layout } | null {
  const { segments, tile, samples, depth, planes } = layout;
  const row = rowBytes(layout);
  const rowsPerStrip = tile?.height ?? layout.rowsPerStrip;
  const size = row * rowsPerStrip;
  const wanted = segments.slice(0, segmentsWanted(layout));
  if (size * wanted.length > mostBytes) return null;
  // Neither zeroes nor chance stand where the last pieces have no rows.
  const data = new Uint8Array(size * wanted.length).fill(noRow);
  for (const [index, { at, count }] of wanted.entries())
    data.set(bytes.subarray(at, at + Math.min(count, size)), index * size);
  const pixel = Math.ceil(((planes ? 1 : samples) * depth) / 8);
  return { rows: { data, row, pixel, isBits: depth === 1 }, layout: { ...layout, rowsPerStrip, segments: wanted } };
}

/** Whether a sector holds bytes of chance. */
function isChance(rows: Rows, from: number, grain: Grain): boolean {
  const { data, row } = rows;
  const to = from + sector;
  const kinds = kindsIn(rows, from, to, grain);
  if (kinds < (grain.size === 2 ? chance.kindsOfHalf : chance.kinds)) return false;
  if (!rows.isBits) return stepIn(rows, from, to, grain) >= chance.step;
  let [set, along, down] = [0, 0, 0];
  for (let at = from; at < to; at++) {
    const byte = data[at] ?? 0;
    set += ones(byte);
    along += alongIn(data, at);
    // A row is compared with the one above, the first rows with the ones below.
    down += ones(byte ^ (data[at >= row ? at - row : at + row] ?? 0));
  }
  const isHalf = (count: number) => count >= sector * 8 * chanceOfBits.least && count <= sector * 8 * chanceOfBits.most;
  return isHalf(set) && isHalf(along) && isHalf(down);
}

/** Whether a sector of bits is much like chance: dots of a grey near the middle one, strewn at random. */
function isNearChance(rows: Rows, from: number): boolean {
  const { data } = rows;
  // Dots that are not strewn at random make up fewer patterns.
  if (kindsIn(rows, from, from + sector, { size: 1, high: 0 }) < nearChance.kinds) return false;
  let [set, along] = [0, 0];
  for (let at = from; at < from + sector; at++) {
    set += ones(data[at] ?? 0);
    along += alongIn(data, at);
  }
  return [set, along].every((count) => Math.abs(count / (sector * 8) - 1 / 2) < nearChance.share);
}

/** Whether the picture is as rough as noise where it is none. */
function isRoughAnyhow(rows: Rows, all: readonly number[], noisy: ReadonlySet<number>, grain: Grain): boolean {
  const steps = all.filter((from) => !noisy.has(from)).map((from) => stepIn(rows, from, from + sector, grain));
  return (steps.sort((one, other) => one - other)[steps.length >> 1] ?? mostUsual) >= mostUsual;
}

/**
 * A run with what belongs to it of the sectors that it begins and ends in: the one that the head is in, and both where it is long. Null where
 * it begins and ends with rows, as pictures are made with bands of noise over all their width.
 */
function widened(rows: Rows, { from, to }: Wiped, grain: Grain): Wiped | null {
  const end = rows.data.length;
  const isLong = to - from >= long.sectors * sector;
  // The outermost sectors may be noise for the most part only.
  const exact = {
    from: borderIn(rows, from - sector, from + sector, 1, grain),
    to: borderIn(rows, to - sector, to + sector, -1, grain),
  };
  const run = isLong && !rows.isBits ? { ...exact } : { from, to };
  if (from > 0 && from < sector && (rows.isBits || isInside(rows, 0, grain))) run.from = exact.from = 0;
  const near = (at: number) =>
    end - at < sector || Math.min(at % rows.row, rows.row - (at % rows.row)) <= nearRow * grain.size;
  return to - from >= rows.row - sector && near(exact.from) && near(exact.to) ? null : run;
}

/** Where between two places noise begins (`way` 1) or ends (-1): what sets it apart best from what is as smooth as a picture. */
function borderIn({ data, pixel, isBits }: Rows, from: number, to: number, way: 1 | -1, grain: Grain): number {
  const [first, last] = [Math.max(0, from), Math.min(data.length, to)];
  const excess = (at: number) => {
    if (isBits) return alongIn(data, at) - mostUsualBits;
    const step = Math.abs((data[at] ?? 0) - (data[at - pixel] ?? 0));
    return Math.min(step, 2 * mostUsual) - mostUsual;
  };
  let [sum, best, place] = [0, 0, first];
  // What lies behind the border of noise that begins is more than usual, and before it less.
  for (let at = first - (first % grain.size) + grain.high; at < last; at += grain.size) {
    sum -= way * excess(at);
    if (sum > best) [best, place] = [sum, at + grain.size - grain.high];
  }
  return place;
}

/** Whether a run is noise just inside of its borders and none just outside of them. */
function isBordered(rows: Rows, { from, to }: Wiped, grain: Grain): boolean {
  // Dots of greys may be as rough as noise: where those of a middle grey are strewn at random, those beside them are so, too.
  if (rows.isBits && to - from >= long.sectors * sector)
    return [from - 2 * sector, to + sector].every(
      (at) => at < 0 || at + sector > rows.data.length || !isNearChance(rows, at),
    );
  const reach = border.samples * grain.size;
  const isOutside = (at: number) => {
    if (at < 0 || at + reach > rows.data.length) return true;
    return rows.isBits
      ? kindsIn(rows, at, at + reach, grain) < borderOfBits.outside
      : stepIn(rows, at, at + reach, grain) < border.outside;
  };
  return (
    isOutside(from - reach - (from % grain.size)) &&
    isInside(rows, from, grain) &&
    isInside(rows, to - reach, grain) &&
    isOutside(to + rows.pixel + (to % grain.size))
  );
}

/** Whether a run that is shorter than a row is noise by itself: what is made of noise goes on above or below. */
function isAlone(rows: Rows, { from, to }: Wiped, grain: Grain): boolean {
  const { row, data } = rows;
  if (to - from >= row) return true;
  return [-row, row].every((by) => {
    const [first, last] = [from + by, to + by];
    if (first < 0 || last > data.length) return true;
    return rows.isBits
      ? kindsIn(rows, first, last, grain) < chance.kinds
      : stepIn(rows, first, last, grain) < border.outside;
  });
}

function isInside(rows: Rows, from: number, grain: Grain): boolean {
  const to = from + border.samples * grain.size;
  if (from < 0 || to > rows.data.length) return false;
  if (rows.isBits) return kindsIn(rows, from, to, grain) >= borderOfBits.inside;
  return stepIn(rows, from, to, grain) >= border.inside;
}

/** How many of the 256 values stand there. */
function kindsIn({ data }: Rows, from: number, to: number, { size, high }: Grain): number {
  const kinds = new Set<number>();
  for (let at = from - (from % size) + high; at < to; at += size) kinds.add(data[at] ?? 0);
  return kinds.size;
}

/** Mean difference to the pixel before, in levels. */
function stepIn({ data, pixel }: Rows, from: number, to: number, { size, high }: Grain): number {
  let [sum, count] = [0, 0];
  for (let at = from - (from % size) + high; at < to; at += size, count++)
    sum += Math.abs((data[at] ?? 0) - (data[at - pixel] ?? 0));
  return sum / Math.max(1, count);
}

/** How many bits of a byte differ from the one before. */
const alongIn = (data: Uint8Array, at: number): number =>
  ones((data[at] ?? 0) ^ (((data[at - 1] ?? 0) << 7) | ((data[at] ?? 0) >> 1)));

/** How many bits of a byte are set. */
function ones(byte: number): number {
  let [left, count] = [byte & 255, 0];
  for (; left > 0; left &= left - 1) count++;
  return count;
}
