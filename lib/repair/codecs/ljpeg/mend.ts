import type { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import { Canvas, type Rows } from './canvas';
import type { LosslessFrame } from './frame';
import { Layer } from './lay';
import { type Places, placesOf } from './places';
import { LosslessBits } from './read';
import { differencesOf, type Source } from './stretches';

/** A lossless picture that was put together again: its samples in the order of the data, and how many of them are made up, or in doubt. */
export type MendedPicture = { samples: Uint16Array; madeUp: number };

/** Samples of the largest picture that is put together, which takes six bytes for each. */
const mostSamples = 64 << 20;

/**
 * What is known of a damaged lossless JPEG: where its data ends, how many of its samples read soundly from the beginning on, the widths of
 * the upright slices that its lines are cut into, and the last pixel of each line of what stands on its left, if anything does.
 */
export type Known = { end: number; read: number; widths: readonly number[]; edge: Uint16Array | undefined };

/**
 * Puts together what is left of a damaged lossless JPEG. Null where nothing is left, and for pictures that foretell samples by more than
 * the one on their left.
 */
export function mendLossless(
  bytes: Buffer,
  frame: LosslessFrame,
  { end, read, widths, edge }: Known,
  deadline: Deadline,
): MendedPicture | null {
  const { width, height, components, dataAt } = frame;
  if (frame.predictor !== 1 || frame.interval > 0 || widths.some((one) => one < 2)) return null;
  const line = width * components.length;
  const half = 2 ** (frame.precision - frame.shift - 1);
  const source: Source = {
    bytes,
    dataAt,
    end,
    all: line * height,
    lookups: components.map(({ table }) => table.lookup),
    open: (at, stop) => new LosslessBits(bytes, at, stop),
    isEnd: (at) => (bytes[at] === 0xff && bytes[at + 1] === 0xd9) || (at >= end && end < bytes.length),
  };
  const rows = {
    line,
    components: components.length,
    most: half * 2 - 1,
    up: 1,
    first: components.map(() => half),
    slack: 0,
  };
  return mendDifferences(source, rows, placesOf(widths, height), Math.floor(read / line), deadline, edge);
}

/**
 * Puts together what is left of a picture that is packed as differences: what stands before the damage, of which `standing` lines hold no
 * impossible value, and what can be read behind it, which is laid where it goes on from the rows above, or counted back from the end of
 * the data. What is missing is taken from the rows above.
 */
export function mendDifferences(
  source: Source,
  rows: Rows,
  places: Places,
  standing: number,
  deadline: Deadline,
  edge?: Uint16Array,
): MendedPicture | null {
  const { all, dataAt } = source;
  if (all > mostSamples) return null;
  const { values, stretches } = differencesOf(source, deadline);
  const canvas = new Canvas(rows, new Uint16Array(all), places);
  const layer = new Layer(canvas);
  for (const [index, { from, count, at, end: to }] of stretches.entries()) {
    deadline.check();
    const part = values.subarray(from, from + count);
    const counted = index === stretches.length - 1 && source.isEnd(to) ? all - count : null;
    const isFirst = index === 0 && at === dataAt;
    const gap = at - (stretches[index - 1]?.end ?? dataAt);
    const start = isFirst ? 0 : (counted ?? layer.placeFor(part, gap));
    if (edge && counted !== null && canvas.missing === all && !isFirst) layer.layBeside(part, counted, edge);
    else if (start !== null && start >= 0) layer.lay(part, start, counted, standing);
  }
  if (canvas.missing === all) return null;
  const madeUp = layer.lost;
  canvas.fill();
  return { samples: canvas.samples, madeUp };
}
