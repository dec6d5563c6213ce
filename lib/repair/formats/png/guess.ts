import { crc32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import { hasLikelyAlpha } from './alpha';
import { isPartOfRow } from './halves';
import { channelsOf, depthsOf, type PngHeader, readHeader, writeHeader } from './header';
import { unfilterRow } from './rows';

/** Pairs of samples that must be known before their difference says something. */
const leastPairs = 100;

const start = crc32(Buffer.from('IHDR', 'latin1'));
const mostSide = 30_000;
/** Longest row, in bytes, that is looked for where the beginning of the data is lost. */
const mostSideBytes = 24_000;
/** What chance reaches (as a logarithm) when every length and every beginning of rows is tried. */
const chance = 14;

/** Whether a header has the check sum that stood behind it. */
export function hasSum(header: PngHeader, sum: number): boolean {
  return crc32(writeHeader(header), start) === sum;
}

export function headerKinds(): { colour: number; depth: number; interlaced: boolean }[] {
  return Object.entries(depthsOf).flatMap(([colour, depths]) =>
    depths.flatMap((depth) => [false, true].map((interlaced) => ({ colour: Number(colour), depth, interlaced }))),
  );
}

/** Sets one wrong field of a header (or its kind of pixel) right by the check sum behind it; null when more is wrong. */
export function headerBySum(data: Buffer, sum: number): PngHeader | null {
  if (data.length < 13) return null;
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  for (const kind of headerKinds()) {
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
export type Sample = {
  data: Uint8Array;
  known: Uint8Array | null;
  complete: boolean;
  /** Whether the sample ends with the last row. */
  ended?: boolean;
};

/**
 * Finds the header that fits inflated rows: the length of a row shows in filter bytes from 0 to 4 at its steps, the kind of pixel in how
 * smooth the rows become. A surviving check sum of the lost header (`sum`) decides beyond doubt. `phase` is where the first whole row
 * begins in the sample, in bytes; the height counts the rows from there on. `colours` is how many the table of colours has, 0 without one.
 */
export function guessHeader(sample: Sample, colours: number, sum: number | null, deadline: Deadline): Guess | null {
  if (sample.ended && sum === null) return guessByPattern(sample, colours, deadline);
  const best = guessByLooks(sample, colours, sum, deadline);
  // Numbers of colours, read as pixels with opacity: the table of colours is lost.
  if (best && !best.proven && colours === 0 && !hasLikelyAlpha(sample, best)) return null;
  return best ?? (sample.known ? guessByPattern(sample, colours, deadline) : null);
}

/** The header with which rows, once filters are undone, look most like a picture, or the one that a check sum proves. */
function guessByLooks(sample: Sample, colours: number, sum: number | null, deadline: Deadline): Guess | null {
  const kinds = colours > 0 ? [paletteKind(colours)] : plainKinds;
  const steps = rowSteps(sample, deadline)
    .filter(({ step, phase }) => !isPartOfRow(sample.data, step, phase))
    .slice(0, mostSteps);
  const told = steps.map(({ step, phase }) => (colours > 0 ? null : likelyPixel(sample, step, phase)));
  const isTold = told.some((pixels) => pixels !== null);
  let best: Guess | null = null;
  // Numbers that stand for colours of a lost table are no smooth picture; what is rougher than any picture is not one.
  let least = colours > 0 ? Number.POSITIVE_INFINITY : roughest;
  for (const [index, { step, phase }] of steps.entries()) {
    for (const header of headersOf(sample, step, phase, kinds)) {
      const proven = sum === null ? null : withSum(header, sum);
      if (proven) return { header: proven, phase, proven: true };
      // Rows of another length blur what tells pixels apart.
      if (isTold && bitsOfPixel(header) !== (told[index] ?? 0) * 8) continue;
      const cost = costOfHeader(sample, header, step, phase);
      if (cost === null || cost >= least * clearlyLess) continue;
      least = cost;
      best = { header, phase, proven: false };
    }
  }
  return best;
}

/** A header, where its first whole row begins in the sample, and whether a check sum proves it. */
export type Guess = { header: PngHeader; phase: number; proven: boolean };

/** Row lengths that are looked at closely, the likeliest first. */
const mostSteps = 6;
/** Roughness (see `roughness`) beyond that of any picture, and the share of another header's below which one is better. */
const roughest = 42;
const clearlyLess = 0.97;

const bitsOfPixel = ({ colour, depth }: PngHeader): number => (channelsOf[colour] ?? 1) * depth;

/** The headers of pictures whose rows are as long as a step. */
function headersOf(
  { data }: Sample,
  step: number,
  phase: number,
  kinds: readonly (readonly [number, number])[],
): PngHeader[] {
  const height = Math.floor((data.length - phase) / step);
  return kinds
    .map(([colour, depth]) => ({ width: 0, height, depth, colour, interlaced: false }))
    .filter((header) => ((step - 1) * 8) % bitsOfPixel(header) === 0)
    .map((header) => ({ ...header, width: ((step - 1) * 8) / bitsOfPixel(header) }));
}

/** The header, or one of another height, that has the check sum; null when none has. */
function withSum(header: PngHeader, sum: number): PngHeader | null {
  if (hasSum(header, sum)) return header;
  for (let height = 1; height <= mostSide; height++)
    if (hasSum({ ...header, height }, sum)) return { ...header, height };
  return null;
}

/** How rough a picture with this header would be; null for grey values written as colours, which are smoother still when their three equal samples are taken for other pixels. */
function costOfHeader(sample: Sample, header: PngHeader, step: number, phase: number): number | null {
  const rough = roughness(sample, phase, step, Math.max(1, bitsOfPixel(header) >> 3), header.depth);
  const isGreyInThrees = header.colour !== 2 && (step - 1) % 3 === 0 && threeAlike(sample.data, phase, step);
  return isGreyInThrees ? null : unlikelier(rough, header.width, header.height, sample.complete);
}

/** Shapes that are rare: how many times as long as wide, and what counts against them. */
const rare = { thread: { ratio: 64, levels: 24 }, ribbon: { ratio: 3.2, times: 1.25 } };

/** Roughness as it counts for a picture of this shape: strips and ribbons are rare, and threads, which are smooth for want of neighbours, hardly ever are pictures. */
function unlikelier(rough: number, width: number, height: number, isWhole: boolean): number {
  const ratio = Math.max(width / height, height / width);
  if (ratio > rare.thread.ratio) return rough + rare.thread.levels;
  return ratio > rare.ribbon.ratio && !isWhole ? rough * rare.ribbon.times : rough;
}

/** Programs use as few bits for a pixel as the number of colours allows. */
function paletteKind(colours: number): readonly [number, number] {
  return [3, colours > 16 ? 8 : colours > 4 ? 4 : colours > 2 ? 2 : 1];
}

const plainKinds = [
  [6, 8],
  [2, 8],
  [0, 8],
  [4, 8],
  [2, 16],
  [6, 16],
  [0, 16],
] as const;

/** Bytes from pixel to pixel, and the kind of pixel that has them. */
const patterns = [
  [2, 4, 8],
  [3, 2, 8],
  [4, 6, 8],
  [6, 2, 16],
  [8, 6, 16],
] as const;
/** Bytes of rows that are looked at for the pattern of samples, and how much the places of a pattern must differ at least (as the square of a share). */
const patternBytes = 300_000;
const leastPattern = 0.02;
/** How many times as strong a longer pattern must be to be preferred. */
const clearlyStronger = 1.1;

/** The header where the rows that others build on are lost, so that no picture comes out of them: residuals of the samples of one pixel resemble each other. */
function guessByPattern(
  sample: Sample,
  colours: number,
  deadline: Deadline,
): { header: PngHeader; phase: number; proven: boolean } | null {
  for (const { step, phase } of rowSteps(sample, deadline).slice(0, 6)) {
    const height = Math.floor((sample.data.length - phase) / step);
    const common = { height, interlaced: false };
    if (colours > 0) {
      const [colour, depth] = paletteKind(colours);
      return { header: { ...common, width: ((step - 1) * 8) / depth, colour, depth }, phase, proven: false };
    }
    let best = { strength: leastPattern, pixel: 1, colour: 0, depth: 8 };
    for (const [pixel, colour, depth] of patterns) {
      const strength = (step - 1) % pixel === 0 ? patternStrength(sample, step, phase, pixel) : 0;
      if (strength > best.strength * clearlyStronger) best = { strength, pixel, colour, depth };
    }
    const { pixel, colour, depth } = best;
    return { header: { ...common, width: (step - 1) / pixel, colour, depth }, phase, proven: false };
  }
  return null;
}

/** How differently bytes differ from the one before them by their place in a pixel of so many bytes, as the variance over the square of the mean. */
function patternStrength({ data, known }: Sample, step: number, phase: number, pixel: number): number {
  const sums = new Float64Array(pixel);
  const counts = new Float64Array(pixel);
  const rows = Math.floor((data.length - phase) / step);
  for (let line = Math.max(0, rows - Math.ceil(patternBytes / step)); line < rows; line++) {
    const from = phase + line * step + 1;
    for (let index = 1; index < step - 1; index++) {
      if (known && (known[from + index] === 0 || known[from + index - 1] === 0)) continue;
      const difference = ((data[from + index] ?? 0) - (data[from + index - 1] ?? 0)) & 255;
      sums[index % pixel] = (sums[index % pixel] ?? 0) + Math.min(difference, 256 - difference);
      counts[index % pixel] = (counts[index % pixel] ?? 0) + 1;
    }
  }
  const means = sums.map((sum, place) => sum / Math.max(1, counts[place] ?? 0));
  const mean = means.reduce((sum, value) => sum + value, 0) / pixel;
  return means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / pixel / Math.max(0.01, mean * mean);
}

/** Changes from byte to byte that must be seen, and how much their places must tell (twice the gain in log likelihood, for each change) to decide. */
const leastChanges = 200;
const leastTold = 0.04;
/** Share of what the longest period tells that a shorter one must tell to be preferred. */
const mostOfIt = 0.85;

/**
 * Bytes of a pixel, told by where in it a byte differs from the one before: samples of one pixel are equal where it is grey, and edges lie
 * between pixels. Null where nothing of the kind shows, as in most photos, whose smoothness tells more.
 */
function likelyPixel({ data, known }: Sample, step: number, phase: number): number | null {
  const periods = [2, 3, 4, 6, 8].filter((period) => (step - 1) % period === 0);
  const changes = new Float64Array(24);
  const places = new Float64Array(24);
  const rows = Math.floor((data.length - phase) / step);
  const stride = Math.max(1, Math.floor((rows * step) / patternBytes));
  for (let line = 0; line < rows; line += stride) {
    const from = phase + line * step + 1;
    for (let index = 1; index < step - 1; index++) {
      if (known && (known[from + index] === 0 || known[from + index - 1] === 0)) continue;
      const place = index % 24;
      places[place] = (places[place] ?? 0) + 1;
      if (data[from + index] !== data[from + index - 1]) changes[place] = (changes[place] ?? 0) + 1;
    }
  }
  const all = changes.reduce((sum, count) => sum + count, 0);
  if (all < leastChanges) return null;
  const told = periods.map((period) => ({ period, gain: periodGain(changes, places, period) / all }));
  const most = told.reduce((best, { gain }) => Math.max(best, gain), 0);
  return most < leastTold ? null : (told.find(({ gain }) => gain >= most * mostOfIt)?.period ?? null);
}

/** Twice the gain in log likelihood when changes are as frequent as each place of the period has them, against one frequency for all (G test). */
function periodGain(changes: Float64Array, places: Float64Array, period: number): number {
  const likelihood = (count: number, of: number) =>
    (count > 0 ? count * Math.log(count / of) : 0) + (count < of ? (of - count) * Math.log(1 - count / of) : 0);
  const sums = Array.from({ length: period }, () => ({ count: 0, of: 0 }));
  changes.forEach((count, place) => {
    const sum = sums[place % period];
    if (!sum) return;
    sum.count += count;
    sum.of += places[place] ?? 0;
  });
  const total = sums.reduce((left, right) => ({ count: left.count + right.count, of: left.of + right.of }));
  return (
    2 * (sums.reduce((gain, { count, of }) => gain + likelihood(count, of), 0) - likelihood(total.count, total.of))
  );
}

type Step = { step: number; phase: number; score: number };

/** How row lengths are scored: the bytes whose frequencies are counted, the most rows of one length, and the most of them that may be unknown. */
const scored = { counted: 1 << 20, rows: 400, unknown: 200 };
/** The least rows and score that tell a length: `chance` where bytes are lost, this where all are known. */
const leastRows = 4;
const leastScore = 6;
/** How far below its best, and below nothing, a score may fall before its length is given up. */
const mostFall = { best: 20, nothing: 9 };

/** What a byte that is no filter counts, in log likelihood, and the share of rows that each of the five filters is taken to have. */
const noFilter = 8;
const evenShare = 0.2;

/** How much more likely each byte is as a filter byte than as any other, in log likelihood. */
function filterWeights({ data, known }: Sample): Float64Array {
  const seen = new Uint32Array(256);
  let total = 256;
  for (let at = 0; at < Math.min(data.length, scored.counted); at++) {
    if (known && known[at] === 0) continue;
    const byte = data[at] ?? 0;
    seen[byte] = (seen[byte] ?? 0) + 1;
    total++;
  }
  return Float64Array.from({ length: 256 }, (_, byte) =>
    byte > 4 ? -noFilter : Math.log(evenShare / (((seen[byte] ?? 0) + 1) / total)),
  );
}

/** The score of rows of one length that begin at `phase`; null when too little of it is filter bytes. From the end on where that is told, as there the most is known. */
function scoreOf({ data, known, ended }: Sample, weights: Float64Array, step: number, phase: number): number | null {
  let [score, best, rows, unknown] = [0, 0, 0, 0];
  const way = ended ? -step : step;
  for (let at = ended ? data.length - step : phase; at >= 0 && at < data.length && rows < scored.rows; at += way) {
    if (known && known[at] === 0) {
      if (++unknown > scored.unknown) break;
      continue;
    }
    score += weights[data[at] ?? 9] ?? 0;
    rows++;
    best = Math.max(best, score);
    if (score < best - mostFall.best || score < -mostFall.nothing) break;
  }
  return rows >= leastRows && score > (known ? chance : leastScore) ? score : null;
}

/** Row lengths, filter byte included, and where rows begin, so that (nearly) every step begins with a filter byte. */
function rowSteps(sample: Sample, deadline: Deadline): Step[] {
  const { data, known, complete, ended } = sample;
  const found: Step[] = [];
  const weights = filterWeights(sample);
  const most = Math.min(Math.floor(data.length / 4), 1 << 17);
  const steps = known && !ended ? likelySteps(data, known, Math.min(most, mostSideBytes), deadline) : null;
  for (let index = 3; index <= (steps ? steps.length + 2 : most); index++) {
    const step = steps ? (steps[index - 3] ?? 0) : index;
    if (complete && data.length % step !== 0) continue;
    if ((index & 255) === 0) deadline.check();
    const first = ended ? data.length % step : 0;
    const phases = known && !ended ? step : first + 1;
    for (let phase = first; phase < phases; phase++) {
      const score = scoreOf(sample, weights, step, phase);
      if (score !== null) found.push({ step, phase, score });
    }
  }
  found.sort((left, right) => right.score - left.score || left.step - right.step);
  // Two rows together look like a row as well.
  return found.filter(
    ({ step, score }, index) =>
      !found.some((other, at) => at !== index && step > other.step && step % other.step === 0 && other.score > score),
  );
}

/** Share of pixels of three equal samples from which on a picture is grey. */
const mostAlike = 0.8;

/** Whether samples come in threes of one value, filters or not, in the middle of the sample. */
function threeAlike(data: Uint8Array, phase: number, step: number): boolean {
  const from = phase + Math.floor((data.length - phase) / step / 2) * step + 1;
  let alike = 0;
  for (let at = from + 3; at + 3 < from + step; at += 3)
    if (data[at] === data[at + 1] && data[at] === data[at + 2]) alike++;
  return alike > (step / 3) * mostAlike;
}

/** Distances at which the sizes of differences resemble each other most, as those of rows do where edges and texture go on. */
function likelySteps(data: Uint8Array, known: Uint8Array, most: number, deadline: Deadline): number[] {
  const costs: { step: number; cost: number }[] = [];
  const stride = Math.max(1, Math.floor((data.length - most) / 6000));
  const size = (byte: number) => Math.min(24, byte > 127 ? 256 - byte : byte);
  for (let step = 3; step <= most; step++) {
    if ((step & 255) === 0) deadline.check();
    let sum = 0;
    let count = 0;
    for (let at = 0; at + step < data.length; at += stride) {
      if (known[at] === 0 || known[at + step] === 0) continue;
      sum += Math.abs(size(data[at] ?? 0) - size(data[at + step] ?? 0));
      count++;
    }
    if (count > leastPairs) costs.push({ step, cost: sum / count });
  }
  return costs
    .sort((left, right) => left.cost - right.cost)
    .slice(0, 400)
    .map(({ step }) => step);
}

/** How much neighbouring pixels differ, once filters are undone, per byte, in the rows that build least on lost ones; of samples of two bytes the first counts. */
export function roughness({ data, known }: Sample, phase: number, step: number, pixel: number, depth: number): number {
  const all = Math.floor((data.length - phase) / step);
  const rows = Math.min(24, all);
  const first = phase + (known ? all - rows : 0) * step;
  const row = step - 1;
  const plain = new Uint8Array(row * rows);
  let sum = 0;
  let count = 0;
  for (let line = 0; line < rows; line++) {
    const at = line * row;
    const from = first + line * step;
    unfilterRow(data[from] ?? 0, data, from + 1, plain, at, at - row, row, pixel);
    if (known && line < 4) continue;
    for (let index = pixel; index < row; index += depth === 16 ? 2 : 1) {
      if (known && known[from + 1 + index] === 0) continue;
      const value = plain[at + index] ?? 0;
      sum += Math.min(64, Math.abs(value - (plain[at + index - pixel] ?? 0)));
      if (line > 0) sum += Math.min(64, Math.abs(value - (plain[at - row + index] ?? 0)));
      count++;
    }
  }
  return sum / Math.max(1, count);
}
