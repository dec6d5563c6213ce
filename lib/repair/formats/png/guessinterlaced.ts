import { hasSum, headerKinds, roughness } from './guess';
import { channelsOf, inflatedSize, type PngHeader, rowSizes } from './header';
import { passesOf } from './passes';

/** The most samples of a side, and of one that is tried as the width. */
const mostSide = 30_000;
const mostWidth = 8000;
/** Roughness (see `roughness`) beyond that of any picture. */
const roughest = 42;
/** Sides, in samples, from which on all passes have rows. */
const leastSide = 8;

/**
 * Finds the header of an interlaced picture, whose rows do not show their length, by the size of its data: with the check sum of the
 * lost header beyond doubt, otherwise by the filter bytes of all rows, and among several headers by the smoothest last pass.
 */
export function guessInterlaced(data: Uint8Array, colours: number, sum: number | null): PngHeader | null {
  let best: { header: PngHeader; cost: number } | null = null;
  for (const kind of headerKinds()) {
    if (!kind.interlaced) continue;
    for (let width = 1; width <= Math.min(mostWidth, data.length); width++) {
      const header = ofSize({ width, height: 1, ...kind }, data.length);
      if (!header) continue;
      if (sum !== null && hasSum(header, sum)) return header;
      const cost = isUsual(header, colours) ? interlacedCost(header, data) : Number.POSITIVE_INFINITY;
      if (cost < (best?.cost ?? roughest)) best = { header, cost };
    }
  }
  return best?.header ?? null;
}

/** The header with the height at which a picture of its width has so many bytes; null when none has. The size grows with the height, so halving finds it. */
function ofSize(header: PngHeader, size: number): PngHeader | null {
  const bits = header.width * (channelsOf[header.colour] ?? 1) * header.depth;
  const most = Math.ceil((size * 8) / bits) + 1;
  if (most > mostSide) return null;
  // Each row of a pass adds a byte for its filter to its pixels.
  let [low, high] = [Math.max(1, Math.floor((size * 8) / (bits + 24)) - 8), most];
  while (low < high) {
    const height = (low + high) >> 1;
    if (inflatedSize({ ...header, height }) < size) low = height + 1;
    else high = height;
  }
  const found = { ...header, height: low };
  return inflatedSize(found) === size ? found : null;
}

const isUsual = ({ width, height, colour, depth }: PngHeader, colours: number): boolean =>
  (colour === 3) === colours > 0 && depth >= 8 && width >= leastSide && height >= leastSide;

/** The roughness of the last pass, which holds every second row; without bounds when any row of any pass has no filter. */
function interlacedCost(header: PngHeader, data: Uint8Array): number {
  let start = 0;
  let cost = Number.POSITIVE_INFINITY;
  for (const { width, height } of passesOf(header)) {
    const { row, pixel } = rowSizes({ ...header, width });
    for (let line = 0; line < height; line++)
      if ((data[start + line * (row + 1)] ?? 9) > 4) return Number.POSITIVE_INFINITY;
    // Numbers of colours are no smooth picture; nothing but the filters tells them.
    if (header.colour === 3) cost = 1;
    else cost = roughness({ data, known: null, complete: true }, start, row + 1, pixel, header.depth);
    start += (row + 1) * height;
  }
  return cost;
}

/** The most rows that the beginning of the last pass may be off when it is told by filter bytes, and the fewest that it has. */
const mostOff = 40;
const fewest = 4;
/** Rows before the last pass that are looked at, and that must be there. */
const looked = { most: 24, least: 6 };
/** Rows of the pass before whose filter bytes must be known, and the share of those that must be some. */
const leastSeen = 8;
const leastFits = 0.9;

/** 1 for a filter byte, -1 for what is none, 0 where that is not known. */
const filterAt = (data: Uint8Array, known: Uint8Array, at: number): -1 | 0 | 1 =>
  at < 0 ? -1 : known[at] === 0 ? 0 : (data[at] ?? 9) <= 4 ? 1 : -1;

/**
 * An interlaced picture by the end of its data, where the last pass stands: its rows are whole, and before them the filter bytes stop to
 * stand where such rows would have theirs, but stand where the rows of the pass before do. Null when the data goes on with such rows.
 */
export function interlacedByEnd(header: PngHeader, data: Uint8Array, known: Uint8Array): PngHeader | null {
  const step = rowSizes(header).row + 1;
  let rows = 0;
  while (filterAt(data, known, data.length - (rows + 1) * step) >= 0) rows++;
  let [others, line] = [0, rows];
  for (; line < rows + looked.most && data.length >= (line + 1) * step; line++)
    others += filterAt(data, known, data.length - (line + 1) * step);
  if (others > 0 || line < rows + looked.least) return null;
  let best: { header: PngHeader; fits: number } | null = null;
  for (let last = rows; last > Math.max(fewest, rows - mostOff); last--) {
    for (const height of [last * 2, last * 2 + 1]) {
      const whole = { ...header, height, interlaced: true };
      const fits = fitsBefore(whole, data, known, data.length - last * step);
      if (fits !== null && fits > (best?.fits ?? leastFits)) best = { header: whole, fits };
    }
  }
  return best?.header ?? null;
}

/** The share of known bytes that are filter bytes where rows of the last pass but one end before `start`; null when too few are known. */
function fitsBefore(header: PngHeader, data: Uint8Array, known: Uint8Array, start: number): number | null {
  const before = passesOf(header).at(-2);
  if (!before) return null;
  const step = rowSizes({ ...header, width: before.width }).row + 1;
  let [fits, seen] = [0, 0];
  for (let line = 1; line <= before.height && start >= line * step; line++) {
    const filter = filterAt(data, known, start - line * step);
    if (filter !== 0) seen++;
    if (filter > 0) fits++;
  }
  return seen >= leastSeen ? fits / seen : null;
}
