import { readLossless } from '../../../../codecs/ljpeg/read';
import type { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Stream } from './found';

/** Samples that are compared, and how far apart they are picked. */
const compared = { samples: 1 << 20, each: 61 };
/** Samples of the longest line that is searched. */
const widest = 1 << 15;
/** How much better than the median a width must be: rows of a photo resemble those two above them, at other distances they do not. */
const clearly = 0.8;

/**
 * The slices that the lines of a CR2 are cut into: how many of the first width, that width, and the last one. They are found by the
 * distance at which samples, in the order in which they are packed, resemble each other; one slice where none stands out.
 */
export function sliceWidths(bytes: Buffer, { frame, end }: Stream, { deadline }: EngineJob): number[] {
  const width = frame.width * frame.components.length;
  if (width > widest) return [0, 0, width];
  const wanted = Math.min(compared.samples, width * frame.height);
  const samples = new Uint16Array(wanted);
  let filled = 0;
  readLossless(bytes, frame, end, (line) => {
    if (filled >= wanted) return;
    const part = line.subarray(0, wanted - filled);
    samples.set(part, filled);
    filled += part.length;
  });
  const costs: { width: number; cost: number }[] = [];
  for (let one = Math.max(2, Math.ceil(width / 8)); one <= width; one++) {
    if (one % 64 === 0) deadline.check();
    // Two rows further the same filters stand again.
    costs.push({ width: one, cost: stepAt(samples.subarray(0, filled), one * 2) });
  }
  const sorted = [...costs].sort((left, right) => left.cost - right.cost);
  const [best] = sorted;
  const median = sorted[sorted.length >> 1]?.cost ?? 0;
  if (!best || best.cost > median * clearly || best.width === width) return [0, 0, width];
  const count = Math.floor((width - 1) / best.width);
  return [count, best.width, width - count * best.width];
}

function stepAt(samples: Uint16Array, lag: number): number {
  let sum = 0;
  let count = 0;
  for (let at = lag; at < samples.length; at += compared.each) {
    sum += Math.abs((samples[at] ?? 0) - (samples[at - lag] ?? 0));
    count++;
  }
  return count > 0 ? sum / count : Number.POSITIVE_INFINITY;
}
