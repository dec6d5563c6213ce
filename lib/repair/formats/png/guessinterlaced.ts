import { hasSum, headerKinds, roughness } from './guess';
import { channelsOf, inflatedSize, type PngHeader, rowSizes } from './header';
import { passesOf } from './passes';

const mostSide = 30_000;

/**
 * Finds the header of an interlaced picture, whose rows do not show their length, by the size of its data: with the check sum of the
 * lost header beyond doubt, otherwise by the filter bytes of all rows, and among several headers by the smoothest last pass.
 */
export function guessInterlaced(data: Uint8Array, colours: number, sum: number | null): PngHeader | null {
  let best: { header: PngHeader; cost: number } | null = null;
  for (const { colour, depth, interlaced } of headerKinds()) {
    if (!interlaced) continue;
    for (let width = 1; width <= Math.min(8000, data.length); width++) {
      const header = { width, height: 1, depth, colour, interlaced };
      // The size grows with the height, so halving finds the one that fits.
      const bits = width * (channelsOf[colour] ?? 1) * depth;
      const most = Math.ceil((data.length * 8) / bits) + 1;
      if (most > mostSide) continue;
      let [low, high] = [Math.max(1, Math.floor((data.length * 8) / (bits + 24)) - 8), most];
      while (low < high) {
        header.height = (low + high) >> 1;
        if (inflatedSize(header) < data.length) low = header.height + 1;
        else high = header.height;
      }
      header.height = low;
      if (inflatedSize(header) !== data.length) continue;
      if (sum !== null && hasSum(header, sum)) return header;
      const usual = (colour === 3) === colours > 0 && depth >= 8 && width > 7 && low > 7;
      const cost = usual ? interlacedCost(header, data) : Number.POSITIVE_INFINITY;
      if (cost < (best?.cost ?? 42)) best = { header, cost };
    }
  }
  return best?.header ?? null;
}

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

/** The most rows that the beginning of the last pass may be off when it is told by filter bytes. */
const mostOff = 40;

/**
 * An interlaced picture by the end of its data, where the last pass stands: its rows are whole, and before them the filter bytes stop to
 * stand where such rows would have theirs, but stand where the rows of the pass before do. Null when the data goes on with such rows.
 */
export function interlacedByEnd(header: PngHeader, data: Uint8Array, known: Uint8Array): PngHeader | null {
  const { row } = rowSizes(header);
  // 1 for a filter byte, -1 for what is none, 0 where that is not known.
  const filterAt = (at: number) => (at < 0 ? -1 : known[at] === 0 ? 0 : (data[at] ?? 9) <= 4 ? 1 : -1);
  let rows = 0;
  while (filterAt(data.length - (rows + 1) * (row + 1)) >= 0) rows++;
  let [others, line] = [0, rows];
  for (; line < rows + 24 && data.length >= (line + 1) * (row + 1); line++)
    others += filterAt(data.length - (line + 1) * (row + 1));
  if (others > 0 || line < rows + 6) return null;
  let best: { header: PngHeader; fits: number } | null = null;
  for (let last = rows; last > Math.max(4, rows - mostOff); last--) {
    for (const height of [last * 2, last * 2 + 1]) {
      const whole = { ...header, height, interlaced: true };
      const before = passesOf(whole).at(-2);
      if (!before) continue;
      const step = rowSizes({ ...whole, width: before.width }).row + 1;
      const start = data.length - last * (row + 1);
      let [fits, seen] = [0, 0];
      for (let line = 1; line <= before.height && start >= line * step; line++) {
        const filter = filterAt(start - line * step);
        if (filter !== 0) seen++;
        if (filter > 0) fits++;
      }
      if (seen > 7 && fits / seen > (best?.fits ?? 0.9)) best = { header: whole, fits: fits / seen };
    }
  }
  return best?.header ?? null;
}
