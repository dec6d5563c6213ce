import type { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import type { LosslessFrame } from './frame';
import { Layer } from './lay';
import { placesOf } from './places';
import { readLossless } from './read';
import { differencesOf } from './stretches';

/** A lossless picture that was put together again: its samples in the order of the data, and how many of them are made up. */
export type MendedPicture = { samples: Uint16Array; madeUp: number };

/** Samples of the largest picture that is put together, which takes six bytes for each. */
const mostSamples = 64 << 20;

/**
 * Puts together what is left of a damaged lossless picture: what stands before the damage, and what can be read behind it, which is laid
 * where it goes on from the rows above, or counted back from the end of the data. What is missing is taken from the rows above.
 * `widths` are those of the upright slices that the lines are cut into, `edge` the last pixel of each line of what stands on the left, if any. Null where nothing is left, and for pictures that foretell
 * samples by more than the one on their left.
 */
export function mendLossless(
  bytes: Buffer,
  frame: LosslessFrame,
  end: number,
  widths: readonly number[],
  deadline: Deadline,
  edge?: Uint16Array,
): MendedPicture | null {
  const { width, height, components } = frame;
  const all = width * height * components.length;
  if (frame.predictor !== 1 || frame.interval > 0 || all > mostSamples || widths.some((one) => one < 2)) return null;
  const { values, stretches } = differencesOf(bytes, frame, end, deadline);
  const standing = Math.floor(readLossless(bytes, frame, end).samples / (width * components.length));
  const layer = new Layer(
    { line: width * components.length, components: components.length, most: 2 ** (frame.precision - frame.shift) - 1 },
    new Uint16Array(all),
    placesOf(widths, height),
  );
  for (const [index, { from, count, at, end: to }] of stretches.entries()) {
    deadline.check();
    const part = values.subarray(from, from + count);
    const isLast = index === stretches.length - 1 && isEnd(bytes, to, end);
    const isFirst = index === 0 && at === frame.dataAt;
    const gap = at - (stretches[index - 1]?.end ?? frame.dataAt);
    const start = isFirst ? 0 : isLast ? all - count : layer.placeFor(part, gap);
    if (edge && isLast && layer.missing === all && !isFirst) layer.layBeside(part, all - count, edge);
    else if (start !== null && start >= 0) layer.lay(part, start, isLast ? all - count : null, standing);
  }
  const madeUp = layer.missing;
  if (madeUp === all) return null;
  layer.fill();
  return { samples: layer.samples, madeUp };
}

/** Whether data was read up to its end mark, or to the end of what there is with nothing cut off. */
const isEnd = (bytes: Buffer, at: number, end: number): boolean =>
  (bytes[at] === 0xff && bytes[at + 1] === 0xd9) || (at >= end && end < bytes.length);
