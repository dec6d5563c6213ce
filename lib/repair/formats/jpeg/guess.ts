import type { ScanPlan } from '../../codecs/jpeg/reader';
import { standardQuantisation, zigzag } from '../../codecs/jpeg/tables';
import type { Chain } from './chain';
import { blueOf, greenOf, redOf } from './colours';
import type { Tones } from './preview';
import { forEachMcu } from './sampled';
import type { Stretch } from './stretches';

/** Blocks that are compared, and from how many on some are passed over so that they lie all over the picture; and as many colours. */
const blocksCompared = { most: 1500, spread: 1200 };
const coloursCompared = 20_000;

/** Qualities that programs offer or set by themselves, with how much more often than others they are met. */
const commonQualities = new Map([
  [30, 0.3],
  [40, 0.3],
  [50, 0.7],
  [60, 1],
  [65, 0.5],
  [70, 1.2],
  [75, 3],
  [80, 2.5],
  [82, 1],
  [85, 3],
  [88, 1],
  [90, 3],
  [92, 2],
  [93, 1],
  [94, 0.8],
  [95, 3],
  [96, 1],
  [97, 1],
  [98, 1],
  [100, 1],
]);

/** The reach of photos that most have, as a share of what is possible: nearly all of it, and never clearly more. */
const usualReach = { mean: 0.98, below: 0.13, above: 0.035 };

const basis = Float32Array.from({ length: 64 }, (_, index) => {
  const [frequency, place] = [index >> 3, index & 7];
  return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * place + 1) * frequency * Math.PI) / 16);
});

const rows = new Float32Array(64);

/**
 * What of a picture is looked at: whole blocks of brightness, and the mean colour of MCUs as Y, Cb and Cr in steps of the tables; whether they
 * only tell how brightness and colours differ, as where the first blocks are lost.
 */
type Samples = { blocks: Int16Array[]; colours: Float32Array; count: number; isRelative: boolean };

/**
 * The quality of the standard tables that a picture without tables was made with. All values grow with the tables in step: a preview of
 * the picture tells the scale, and without one a photo's colours, which nearly always reach from black to white but cannot go beyond.
 */
export function guessQuality(
  stretches: readonly Stretch[],
  chains: readonly Chain[],
  plan: ScanPlan,
  preview: Tones | null,
  isRelative: boolean,
): number {
  const samples = { ...samplesOf(stretches, chains, plan), isRelative };
  if (samples.count < 12) return 85;
  const told = preview && preview.spread > 4 ? bestQuality(samples, preview) : null;
  // A preview that leaves the picture grey, or drives it far beyond black and white, is of another picture.
  const isOwn = told !== null && told.reach > 0.55 && told.reach < 1.25;
  return isOwn ? told.quality : bestQuality(samples, null).quality;
}

/** How much common qualities count where a preview tells the brightness, how common others are taken to be, and the deviation of its contrast (in log). */
const besidePreview = { trust: 0.5, uncommon: 0.2, deviation: 0.05 };
/** The most that an unusual reach counts against a quality, in log likelihood, and the least share of the preview's contrast. */
const mostAgainst = 30;
const leastShare = 0.01;

function bestQuality(samples: Samples, preview: Tones | null): { quality: number; reach: number } {
  let best = { quality: 85, reach: 1 };
  let most = Number.NEGATIVE_INFINITY;
  const trust = preview ? besidePreview.trust : 1;
  const usual = (quality: number) =>
    Math.log(commonQualities.get(quality) ?? (preview ? besidePreview.uncommon : 0)) * trust;
  const qualities = Array.from({ length: 91 }, (_, index) => index + 10).sort((a, b) => usual(b) - usual(a) || a - b);
  for (const quality of qualities) {
    // No quality is likelier than it is usual.
    if (usual(quality) <= most) break;
    const tables = [standardQuantisation(quality, false), standardQuantisation(quality, true)] as const;
    const reach = reachOf(samples, tables);
    const off = (reach - usualReach.mean) / (reach > usualReach.mean ? usualReach.above : usualReach.below);
    let score = usual(quality) - Math.min(mostAgainst, off * off * 0.5);
    if (preview) {
      const spread = spreadOf(samples, tables[0][0] ?? 1);
      score =
        usual(quality) - (Math.log(Math.max(leastShare, spread / preview.spread)) / besidePreview.deviation) ** 2 * 0.5;
    }
    if (score > most) {
      most = score;
      best = { quality, reach };
    }
  }
  return best;
}

function samplesOf(
  stretches: readonly Stretch[],
  chains: readonly Chain[],
  plan: ScanPlan,
): Omit<Samples, 'isRelative'> {
  const { layout } = plan;
  const count = chains.reduce((sum, chain) => sum + chain.count, 0);
  const samples = {
    blocks: [] as Int16Array[],
    colours: new Float32Array(Math.min(count, coloursCompared) * 3),
    count: 0,
  };
  const blockStep = Math.max(1, Math.floor(count / blocksCompared.spread));
  const step = Math.max(1, Math.ceil(count / coloursCompared));
  forEachMcu(stretches, chains, plan, count, ({ coefficients }, number) => {
    if (number % blockStep === 0 && samples.blocks.length < blocksCompared.most)
      samples.blocks.push(coefficients.slice(0, 64).map((value) => value << plan.low));
    if (number % step !== 0 || samples.count * 3 + 3 > samples.colours.length) return;
    for (const [index, { component }] of layout.blocks.entries()) {
      const share = 1 / ((layout.horizontal[component] ?? 1) * (layout.vertical[component] ?? 1));
      const at = samples.count * 3 + Math.min(2, component);
      samples.colours[at] = (samples.colours[at] ?? 0) + ((coefficients[index * 64] ?? 0) << plan.low) * share;
    }
    samples.count++;
  });
  return samples;
}

/** Half of the range of samples of eight bits, and what rounding makes samples reach beyond it. */
const halfRange = 127.5;
const ringing = 0.97;
/** Bins of a histogram, one for each sample value, the middle of the range in the middle. */
const bins = 4096;

/** How far brightness of samples and colour of MCUs reach towards black and white with given tables, but for one in a thousand: 1 is just there. */
function reachOf(samples: Samples, [luma, chroma]: readonly [Uint16Array, Uint16Array]): number {
  // Every channel has an unknown middle of its own where that is all relative.
  const [red, green, blue] = [0, 1, 2].map(() => new Uint32Array(bins)) as [Uint32Array, Uint32Array, Uint32Array];
  for (let at = 0; at < samples.count * 3; at += 3) {
    const y = ((samples.colours[at] ?? 0) * (luma[0] ?? 1)) / 8;
    const cb = ((samples.colours[at + 1] ?? 0) * (chroma[0] ?? 1)) / 8;
    const cr = ((samples.colours[at + 2] ?? 0) * (chroma[0] ?? 1)) / 8;
    count(red, redOf(y, cr));
    count(green, greenOf(y, cb, cr));
    count(blue, blueOf(y, cb));
  }
  const tones = new Uint32Array(bins);
  const out = new Float32Array(64);
  for (const block of samples.blocks) {
    inverse(block, luma, out);
    for (let at = 0; at < 64; at++) count(tones, out[at] ?? 0);
  }
  const colours = samples.isRelative
    ? Math.max(...[red, green, blue].map(spanOf)) / 2
    : edgeOf(red.map((number, bin) => number + (green[bin] ?? 0) + (blue[bin] ?? 0)));
  const light = samples.isRelative ? spanOf(tones) / 2 : edgeOf(tones);
  return Math.max(colours, light * ringing) / halfRange;
}

function count(histogram: Uint32Array, value: number): void {
  const bin = Math.max(0, Math.min(bins - 1, Math.floor(value + bins / 2 + 0.5)));
  histogram[bin] = (histogram[bin] ?? 0) + 1;
}

/** How far values reach from the middle, but for one in a thousand. */
function edgeOf(histogram: Uint32Array): number {
  const { low, high } = endsOf(histogram, bins >> 1);
  return Math.max(high - (bins >> 1), (bins >> 1) - low);
}

/** How far values lie apart, but for one in a thousand at either end. */
function spanOf(histogram: Uint32Array): number {
  const { low, high } = endsOf(histogram, null);
  return Math.max(0, high - low);
}

function endsOf(histogram: Uint32Array, middle: number | null): { low: number; high: number } {
  const edge = histogram.reduce((sum, number) => sum + number, 0) / 1000;
  let [high, low, sum] = [bins - 1, 0, 0];
  for (; high > (middle ?? 0) && sum <= edge; high--) sum += histogram[high] ?? 0;
  sum = 0;
  for (; low < (middle ?? bins - 1) && sum <= edge; low++) sum += histogram[low] ?? 0;
  return { low, high };
}

/** Standard deviation of brightness over MCUs, in sample values, when a step of the DC value is `step`. */
function spreadOf(samples: Samples, step: number): number {
  let [sum, squares] = [0, 0];
  for (let index = 0; index < samples.count; index++) {
    const value = ((samples.colours[index * 3] ?? 0) * step) / 8;
    sum += value;
    squares += value * value;
  }
  return Math.sqrt(Math.max(0, squares / samples.count - (sum / samples.count) ** 2));
}

/** The samples of a block, from the middle of their range (ISO/IEC 10918-1, A.3.3). */
export function inverse(coefficients: Int16Array, table: Uint16Array, out: Float32Array): void {
  rows.fill(0);
  let deepest = 0;
  for (let index = 0; index < 64; index++) {
    const value = (coefficients[index] ?? 0) * (table[index] ?? 1);
    if (value === 0) continue;
    const u = (zigzag[index] ?? 0) & 7;
    const v = (zigzag[index] ?? 0) >> 3;
    if (v > deepest) deepest = v;
    for (let x = 0; x < 8; x++) rows[v * 8 + x] = (rows[v * 8 + x] ?? 0) + value * (basis[u * 8 + x] ?? 0);
  }
  for (let x = 0; x < 8; x++)
    for (let y = 0; y < 8; y++) {
      let sum = 0;
      for (let v = 0; v <= deepest; v++) sum += (rows[v * 8 + x] ?? 0) * (basis[v * 8 + y] ?? 0);
      out[y * 8 + x] = sum;
    }
}
