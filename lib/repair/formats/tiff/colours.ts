import type { Buffer } from '../../host/bytes';
import type { Assembled } from './assemble';
import { type Directory, type Field, space, type TiffBytes, tag } from './directory';
import type { Layout } from './layout';

/** Bytes of a sector; files lose and keep whole ones. */
const sector = 512;
/** Zeroes in a row from which on a table may have been wiped, and the zero bytes of the table itself that may stand beside them. */
const leastWiped = 192;
const chance = 1;
/** Colours that pixels use from which on black alone is no picture of them. */
const leastUsed = 3;
/** The upper byte from which on a colour of paper is full. */
const paperLevel = 250;
/** The share of pixels whose colours have to be lost. */
const leastShown = 0.02;
/**
 * Values of 16 bits that were made of eight are twice the same byte, or end with zero. A stretch of at least so many values of which few are so
 * in a table where all others are is none of it; it may take so much of the table, as the three colours are written alike.
 */
const foreign = { least: 24, few: 0.2, most: 0.6 };

/**
 * Whether the table of colours (TIFF 6.0, section 5) of a page was overwritten: with zeroes that begin and end where sectors do, or with bytes
 * that no writer of the rest would have made, so that a fiftieth of the pixels has colours that are none.
 */
export function areColoursLost(
  tiff: TiffBytes,
  directory: Directory,
  { photometric, depth, samples }: Layout,
  assembled: Assembled | null,
): boolean {
  const field = directory.fields.get(tag.palette);
  const isIndexed = photometric === space.palette && samples === 1 && (depth === 8 || depth === 4);
  if (!isIndexed || !field || !assembled || field.count !== 3 << depth) return false;
  const used = usedColours(assembled.raster.data, depth);
  const lost = [wipedValues, foreignValues, wipedSector].some((look) => {
    const [from, to] = look(tiff, field, used) ?? [0, 0];
    return shareOf(used, from, to) >= leastShown;
  });
  return lost || isAllBlack(tiff, field, used);
}

/** How many pixels have each number; those of four bits stand two to a byte. */
function usedColours(data: Buffer, depth: number): Float64Array {
  const used = new Float64Array(1 << depth);
  const add = (number: number) => {
    used[number] = (used[number] ?? 0) + 1;
  };
  for (const byte of data) {
    if (depth === 8) add(byte);
    else {
      add(byte >> 4);
      add(byte & 15);
    }
  }
  return used;
}

/** The share of pixels one of whose three colours stands among the values from `from` to before `to`. */
function shareOf(used: Float64Array, from: number, to: number): number {
  const colours = new Set<number>();
  for (let value = from; value < to; value++) colours.add(value % used.length);
  let [sum, all] = [0, 0];
  for (const [number, count] of used.entries()) {
    all += count;
    if (colours.has(number)) sum += count;
  }
  return all > 0 ? sum / all : 0;
}

function isAllBlack(tiff: TiffBytes, { at, count }: Field, used: Float64Array): boolean {
  const end = Math.min(at + count * 2, tiff.bytes.length);
  const isBlack = at < end && tiff.bytes.subarray(at, end).every((byte) => byte === 0);
  return isBlack && used.filter((one) => one > 0).length >= leastUsed;
}

/** The values of a table in its longest stretch of zeroes that begins or ends inside of the table where a sector of the file does; null without one. */
function wipedValues({ bytes }: TiffBytes, { at, count }: Field): [number, number] | null {
  const end = Math.min(at + count * 2, bytes.length);
  let longest = { from: 0, to: 0 };
  for (let from = at; from < end; from++) {
    if (bytes[from] !== 0) continue;
    let to = from;
    while (to < end && bytes[to] === 0) to++;
    if (to - from > longest.to - longest.from) longest = { from, to };
    from = to;
  }
  const { from, to } = longest;
  if (to - from < leastWiped) return null;
  const isBegun = from > at && (sector - (from % sector)) % sector <= chance;
  const isEnded = to < end && to % sector <= chance;
  const isOpen = from === at || to === end;
  if (!(isBegun && isEnded) && !(isOpen && (isBegun || isEnded))) return null;
  return [Math.ceil((from - at) / 2), Math.floor((to - at) / 2)];
}

/**
 * The values of a table in a whole sector of zeroes of which one colour is none for some numbers that pixels have, and not for others: of tables
 * of a single colour, whose others are zeroes as well, it is none for all of them. Null without one.
 */
function wipedSector(tiff: TiffBytes, { at, count }: Field, used: Float64Array): [number, number] | null {
  const { bytes } = tiff;
  for (
    let start = Math.ceil(at / sector) * sector;
    start + sector <= Math.min(at + count * 2, bytes.length);
    start += sector
  ) {
    if (bytes.subarray(start, start + sector).some((byte) => byte !== 0)) continue;
    const [from, to] = [Math.ceil((start - at) / 2), Math.floor((start + sector - at) / 2)];
    for (let colour = 0; colour < count; colour += used.length)
      if (isPart(tiff, at, { from: Math.max(from, colour), to: Math.min(to, colour + used.length), colour }, used))
        return [from, to];
  }
  return null;
}

/** Whether numbers that pixels have stand in a part of a colour's values, and others beside it that are not zero. */
function isPart(
  tiff: TiffBytes,
  at: number,
  { from, to, colour }: { from: number; to: number; colour: number },
  used: Float64Array,
): boolean {
  let [inside, beside] = [0, 0];
  for (const [number, count] of used.entries()) {
    const value = colour + number;
    if (count === 0) continue;
    if (value >= from && value < to) inside++;
    else if (tiff.u16(at + value * 2) !== 0) beside++;
  }
  return inside >= leastUsed && (beside >= leastUsed || (beside === 0 && isPaperTinted(tiff, at, colour, used)));
}

/** Whether what most pixels have would be white but for one colour that no pixel has. */
function isPaperTinted(tiff: TiffBytes, at: number, colour: number, used: Float64Array): boolean {
  const paper = used.reduce((most, count, number) => (count > (used[most] ?? 0) ? number : most), 0);
  const isFull = (from: number) => from === colour || tiff.u16(at + (from + paper) * 2) >> 8 >= paperLevel;
  return [0, used.length, used.length * 2].every(isFull);
}

/** The values of a table from the first to the last that no writer of eight bits makes, where those between are mostly such; null otherwise. */
function foreignValues(tiff: TiffBytes, { at, count }: Field): [number, number] | null {
  let [first, last, plain] = [-1, -1, 0];
  for (let index = 0; index < count; index++) {
    const value = tiff.u16(at + index * 2);
    const isPlain = value >> 8 === (value & 255) || (value & 255) === 0;
    if (isPlain) {
      plain++;
      continue;
    }
    if (first < 0) first = index;
    last = index;
  }
  const length = last - first + 1;
  const inside = plain - (count - length);
  const isForeign =
    first >= 0 && length >= foreign.least && length <= count * foreign.most && inside < length * foreign.few;
  return isForeign ? [first, last + 1] : null;
}
