import { crc32 } from '../../bytes';
import type { Deadline } from '../../report';
import { channelsOf, depthsOf, inflatedSize, type PngHeader, readHeader, writeHeader } from './header';
import { unfilterRow } from './rows';

const start = crc32(Buffer.from('IHDR', 'latin1'));
const mostSide = 30_000;

/** Whether a header has the check sum that stood behind it. */
export function hasSum(header: PngHeader, sum: number): boolean {
  return crc32(writeHeader(header), start) === sum;
}

function kinds(): { colour: number; depth: number; interlaced: boolean }[] {
  return Object.entries(depthsOf).flatMap(([colour, depths]) =>
    depths.flatMap((depth) => [false, true].map((interlaced) => ({ colour: Number(colour), depth, interlaced }))),
  );
}

/** Sets one wrong field of a header (or its kind of pixel) right by the check sum behind it; null when more is wrong. */
export function headerBySum(data: Buffer, sum: number): PngHeader | null {
  if (data.length < 13) return null;
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  for (const kind of kinds()) {
    const header = { width, height, ...kind };
    if (hasSum(header, sum)) return readHeader(writeHeader(header));
  }
  const told = { depth: data[8] ?? 0, colour: data[9] ?? 0, interlaced: data[12] === 1 };
  for (let side = 1; side <= mostSide; side++) {
    if (hasSum({ ...told, width: side, height }, sum)) return readHeader(writeHeader({ ...told, width: side, height }));
    if (hasSum({ ...told, width, height: side }, sum)) return readHeader(writeHeader({ ...told, width, height: side }));
  }
  return null;
}

/** Inflated data that may begin anywhere in a row. */
export type Sample = { data: Uint8Array; known: Uint8Array | null; complete: boolean };

/**
 * Finds the header that fits inflated rows: the length of a row shows in filter bytes from 0 to 4 at its steps, the kind of pixel in how
 * smooth the rows become. A surviving check sum of the lost header (`sum`) decides beyond doubt. `phase` is where the first whole row
 * begins in the sample, in bytes; the height counts the rows from there on.
 */
export function guessHeader(
  sample: Sample,
  hasPalette: boolean,
  sum: number | null,
  deadline: Deadline,
): { header: PngHeader; phase: number; proven: boolean } | null {
  let best: { header: PngHeader; phase: number; proven: boolean } | null = null;
  // Numbers that stand for colours of a lost table are no smooth picture; what is rougher than any picture is not one.
  let least = 42;
  for (const { step, phase } of rowSteps(sample, deadline).slice(0, 6)) {
    const height = Math.floor((sample.data.length - phase) / step);
    for (const [colour, depth] of hasPalette ? paletteKinds : plainKinds) {
      const bits = (channelsOf[colour] ?? 1) * depth;
      if (((step - 1) * 8) % bits !== 0) continue;
      const header = { width: ((step - 1) * 8) / bits, height, depth, colour, interlaced: false };
      if (sum !== null) {
        if (hasSum(header, sum)) return { header, phase, proven: true };
        for (let tall = 1; tall <= mostSide; tall++)
          if (hasSum({ ...header, height: tall }, sum))
            return { header: { ...header, height: tall }, phase, proven: true };
      }
      const cost = roughness(sample.data, phase, step, Math.max(1, bits >> 3), depth);
      if (cost < least * 0.97) {
        least = cost;
        best = { header, phase, proven: false };
      }
    }
  }
  return best;
}

const paletteKinds = [
  [3, 8],
  [3, 4],
  [3, 2],
  [3, 1],
] as const;
const plainKinds = [
  [6, 8],
  [2, 8],
  [0, 8],
  [4, 8],
  [2, 16],
  [6, 16],
  [0, 16],
] as const;

type Step = { step: number; phase: number; score: number };

/** Row lengths, filter byte included, and where rows begin, so that (nearly) every step begins with a filter byte. */
function rowSteps({ data, known, complete }: Sample, deadline: Deadline): Step[] {
  const found: Step[] = [];
  const seen = new Uint32Array(256);
  for (const byte of data.subarray(0, 1 << 20)) seen[byte] = (seen[byte] ?? 0) + 1;
  const total = Math.min(data.length, 1 << 20) + 256;
  const weights = Float64Array.from({ length: 256 }, (_, byte) =>
    byte > 4 ? -8 : Math.log(0.2 / (((seen[byte] ?? 0) + 1) / total)),
  );
  const most = Math.min(Math.floor(data.length / 4), known ? 16_384 : 1 << 17);
  for (let step = 3; step <= most; step++) {
    if (complete && data.length % step !== 0) continue;
    if ((step & 255) === 0) deadline.check();
    const phases = known ? step : 1;
    for (let phase = 0; phase < phases; phase++) {
      let score = 0;
      let low = 0;
      let rows = 0;
      for (let at = phase; at < data.length && rows < 400; at += step) {
        if (known && known[at] === 0) continue;
        score += weights[data[at] ?? 9] ?? 0;
        rows++;
        low = Math.max(low, score);
        if (score < low - 20 || score < -9) break;
      }
      if (rows >= 4 && score > 6 + (known ? Math.log(step) : 0)) found.push({ step, phase, score });
    }
  }
  return found.sort((left, right) => right.score - left.score || left.step - right.step);
}

/** How much neighbouring pixels differ in the first rows, once filters are undone, per byte; of samples of two bytes the first counts. */
function roughness(data: Uint8Array, phase: number, step: number, pixel: number, depth: number): number {
  const rows = Math.min(24, Math.floor((data.length - phase) / step));
  const row = step - 1;
  const plain = new Uint8Array(row * rows);
  let sum = 0;
  let count = 0;
  for (let line = 0; line < rows; line++) {
    const at = line * row;
    unfilterRow(data[phase + line * step] ?? 0, data, phase + line * step + 1, plain, at, at - row, row, pixel);
    for (let index = pixel; index < row; index += depth === 16 ? 2 : 1) {
      const value = plain[at + index] ?? 0;
      sum += Math.min(64, Math.abs(value - (plain[at + index - pixel] ?? 0)));
      if (line > 0) sum += Math.min(64, Math.abs(value - (plain[at - row + index] ?? 0)));
      count++;
    }
  }
  return sum / Math.max(1, count);
}

/** Finds the header of an interlaced picture, whose rows do not show their length, by its surviving check sum and the size of the data. */
export function guessInterlaced(size: number, sum: number): PngHeader | null {
  for (const { colour, depth, interlaced } of kinds()) {
    if (!interlaced) continue;
    for (let width = 1; width <= 8000; width++) {
      const header = { width, height: 1, depth, colour, interlaced };
      // The size grows with the height, so halving finds the one that fits.
      let [low, high] = [1, Math.ceil((size * 8) / width) + 8];
      while (low < high) {
        header.height = (low + high) >> 1;
        if (inflatedSize(header) < size) low = header.height + 1;
        else high = header.height;
      }
      header.height = low;
      if (inflatedSize(header) === size && hasSum(header, sum)) return header;
    }
  }
  return null;
}
