import type { Layout } from './layout';
import { sectorsOf } from './strewn';
import type { Rows, Wiped } from './wiped';

/** Bytes of a sector. */
const sector = 512;
/**
 * What tells bytes of chance, as packed and encrypted data has them, too: how many of the 256 values a sector holds (of 512 drawn at random 221, with a
 * deviation of 5), and the mean difference to the pixel before in levels (85).
 */
const chance = { kinds: 200, step: 65 };
/** The same difference that sectors of the picture have at most for noise to be none of it, by their median. */
const mostUsual = 40;
/** Bytes on either side of a border, and the difference that is less outside and more inside of it. */
const border = { bytes: 96, outside: 50, inside: 58 };
/** Sectors in a row that are noise at least, the share of a picture that may be, and that of one whose noise stands in runs of so many sectors on average. */
const least = 2;
const mostNoise = { anyhow: 0.4, inRuns: 0.95, run: 32 };

/** Sectors of plain rows that hold no samples but bytes of chance, whose borders are those of sectors. Empty where that is how the picture is made. */
export function findNoise(rows: Rows, layout: Layout): Wiped[] {
  const { data } = rows;
  const all = sectorsOf(rows, layout).map((from) => ({ from, step: stepIn(rows, from, from + sector) }));
  const isNoise = ({ from, step }: { from: number; step: number }) =>
    step >= chance.step && new Set(data.subarray(from, from + sector)).size >= chance.kinds;
  const noise = all.filter(isNoise);
  const noisy = new Set(noise);
  const picture = all.filter((one) => !noisy.has(one)).map(({ step }) => step);
  const usual = picture.sort((one, other) => one - other)[picture.length >> 1] ?? mostUsual;
  if (usual >= mostUsual) return [];
  const runs: Wiped[] = [];
  for (const { from } of noise) {
    const last = runs.at(-1);
    if (last?.to === from) last.to += sector;
    else runs.push({ from, to: from + sector });
  }
  const [first] = runs;
  // What stands before the first whole sector of the data belongs to the one that the head is in.
  if (first && first.from > 0 && first.from < sector && stepIn(rows, 0, first.from) >= border.inside) first.from = 0;
  const isOutside = (from: number) =>
    from < 0 || from + border.bytes > data.length || stepIn(rows, from, from + border.bytes) < border.outside;
  const isInside = (from: number) => stepIn(rows, from, from + border.bytes) >= border.inside;
  const found = runs.filter(
    ({ from, to }) =>
      to - from >= least * sector &&
      isOutside(from - border.bytes) &&
      isInside(from) &&
      isInside(to - border.bytes) &&
      isOutside(to + rows.pixel),
  );
  const sum = found.reduce((total, { from, to }) => total + to - from, 0);
  const isInRuns = sum >= found.length * mostNoise.run * sector;
  return sum > data.length * (isInRuns ? mostNoise.inRuns : mostNoise.anyhow) ? [] : found;
}

/** Mean difference to the pixel before, in levels. */
function stepIn({ data, pixel }: Rows, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += Math.abs((data[at] ?? 0) - (data[at - pixel] ?? 0));
  return sum / Math.max(1, to - from);
}
