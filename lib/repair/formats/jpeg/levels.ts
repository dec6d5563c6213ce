import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import { Buffer } from '../../host/bytes';
import type { Canvas } from './canvas';
import { blueOf, greenOf, redOf } from './colours';
import { inverse } from './guess';
import type { Stretch } from './stretches';

/** MCUs that are looked at, and samples of each. */
const looked = { mcus: 1200, samples: 8 };
/** The middle of the range of eight bits, and of what a sample counts for as near black or white, where photos that were clipped pile up. */
const middle = 128;
const clipped = { dark: 4, light: 250, beyond: 6 };
/** Levels by which decoders round beyond the range, and the most that a sample counts as being outside. */
const outside = { free: 4, most: 90 };
/** What being outside, lying at an end of the range and being coloured count against and for a level; colours count by their logarithm. */
const weight = { outside: 2, clipped: 4, pale: 20, black: 6 };
/** MCUs across and down a patch, the least deviation of brightness in one that tells something, how far its brightness lies above black at least, and how many patches it takes. */
const patch = { side: 4, deviation: 4, light: 20, least: 40 };
/** Steps in sample values: of brightness and of colours at first, and of the search around the best of those. */
const coarse = { brightness: 8, colours: [-60, -30, 0, 30, 60], kept: 6 };
const fine = [12, 6, 3, 1.5];
/**
 * What lying outside of the range counts against a level behind a hole and lying at its ends for it, and how much less brightness counts than colours: it changes
 * more from place to place; where the search begins and its steps, in sample values, and the ways that it takes.
 */
const within = {
  beyond: 100,
  clipped: 20,
  light: 4,
  starts: [0, 20, -20, -45],
  steps: [16, 8, 4, 2, 1],
  ways: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, 0, 1],
    [1, -1, 0],
    [1, 0, -1],
  ],
};
/** Rounds of the search with one step. */
const mostRounds = 6;
/** Share of samples at either end of the range that may lie outside of it. */
const few = 0.001;

/** Brightness and colours of some samples of a picture, in sample values from the middle of the range. */
type Samples = {
  y: Float32Array;
  cb: Float32Array;
  cr: Float32Array;
  isGrey: boolean;
  patches: Patch[][];
};

/** How a colour changes with brightness in a small part of the picture: the means of both, the slope, and how well they follow it. */
type Patch = { light: number; colour: number; slope: number; worth: number };

/**
 * What has to be added to brightness and colours of a picture whose beginning is lost, by component in sample values: data only tells how they
 * change from there on (ISO/IEC 10918-1, F.1.1.5.1). Of all levels the one at which the fewest samples are blacker than black or more than
 * white, most are clipped there, as photos are, and colours are palest; and that shadows are no more coloured than what lies in them is: from
 * light to dark every surface goes to black. It is a guess.
 */
export function levelsOf(
  canvas: Canvas,
  stretches: readonly Stretch[],
  plan: ScanPlan,
  tables: readonly Uint16Array[],
): number[] {
  const samples = samplesOf(canvas, stretches, plan, tables, 0);
  if (samples.y.length === 0) return [];
  let found: { levels: number[]; cost: number }[] = [];
  for (const start of startsOf(samples)) found.push({ levels: start, cost: costOf(samples, start) });
  found = found.sort((left, right) => left.cost - right.cost).slice(0, coarse.kept);
  const [best] = found.map((one) => refined(samples, one)).sort((left, right) => left.cost - right.cost);
  return best ? best.levels.slice(0, canvas.layout.components) : [];
}

/**
 * The least that has to be added to brightness and colours of what lies behind a hole from MCU `place` on, some rows high, by component in sample values, for
 * its samples to be colours that there are: no encoder writes others (Rec. ITU-T T.871, 7). Its levels follow what lies above the hole already.
 */
export function levelsWithin(
  canvas: Canvas,
  stretches: readonly Stretch[],
  plan: ScanPlan,
  tables: readonly Uint16Array[],
  { place, rows }: { place: number; rows: number },
): number[] {
  const samples = samplesOf(canvas, stretches, plan, tables, place);
  if (samples.y.length === 0) return [];
  const costOf = ([light = 0, blue = 0, red = 0]: readonly number[]) =>
    beyondOf(samples, [light, blue, red]) * within.beyond -
    clippedOf(samples, light) * within.clipped +
    (Math.abs(light) / within.light + Math.abs(blue) + Math.abs(red)) / Math.sqrt(rows);
  const found = within.starts.map((light) =>
    nearest({ levels: [light, 0, 0], cost: costOf([light]) }, costOf, samples.isGrey),
  );
  const [best] = found.sort((left, right) => left.cost - right.cost);
  return best ? best.levels.slice(0, canvas.layout.components) : [];
}

/** The best levels around some, found one way after another. */
function nearest(start: Levels, costOf: (levels: readonly number[]) => number, isGrey: boolean): Levels {
  let best = start;
  const ways = isGrey ? within.ways.slice(0, 1) : within.ways;
  for (const step of within.steps)
    for (let round = 0, before = Number.NaN; round < mostRounds && before !== best.cost; round++) {
      before = best.cost;
      for (const way of [...ways, ...ways.map((one) => one.map((part) => -part))]) {
        const levels = best.levels.map((level, index) => level + (way[index] ?? 0) * step);
        const cost = costOf(levels);
        if (cost < best.cost) best = { levels, cost };
      }
    }
  return best;
}

/** Levels by component, and what speaks against them. */
type Levels = { levels: number[]; cost: number };

/** The share of samples that are as dark or as light as can be, where photos that were clipped pile up. */
const clippedOf = ({ y }: Samples, light: number): number =>
  y.filter((one) => {
    const value = one + light + middle;
    const isDark = value <= clipped.dark && value >= -clipped.beyond;
    return isDark || (value >= clipped.light && value <= 255 + clipped.beyond);
  }).length / y.length;

/** By how much samples lie outside of the range on average, in sample values. */
function beyondOf({ y, cb, cr, isGrey }: Samples, [light, blue, red]: readonly [number, number, number]): number {
  let sum = 0;
  for (let at = 0; at < y.length; at++) {
    const value = (y[at] ?? 0) + light + middle;
    const [b, r] = [(cb[at] ?? 0) + blue, (cr[at] ?? 0) + red];
    const channels = isGrey ? [value] : [redOf(value, r), greenOf(value, b, r), blueOf(value, b)];
    let beyond = 0;
    for (const channel of channels) beyond += Math.max(0, -outside.free - channel, channel - 255 - outside.free);
    sum += Math.min(outside.most, beyond);
  }
  return sum / y.length;
}

/** Samples of MCUs all over the picture. */
function samplesOf(
  canvas: Canvas,
  stretches: readonly Stretch[],
  plan: ScanPlan,
  tables: readonly Uint16Array[],
  from: number,
): Samples {
  const { layout } = canvas;
  const { components, total, blocks } = layout;
  const step = Math.max(1, Math.floor((total - from) / looked.mcus));
  const [y, cb, cr]: number[][] = [[], [], []];
  const reader = new McuReader(Buffer.alloc(0), plan);
  const block = new Float32Array(64);
  const meanOf = (component: number) => {
    const number = blocks.findIndex((one) => one.component === component);
    return number < 0 ? 0 : ((reader.coefficients[number * 64] ?? 0) * (tables[component]?.[0] ?? 1)) / 8;
  };
  for (let place = from; place < total; place += step) {
    if (!canvas.filled[place]) continue;
    reader.data = stretches[canvas.stretch[place] ?? 0]?.data ?? reader.data;
    reader.seek(canvas.bit[place] ?? 0, canvas.before, place * components);
    if (!reader.mcu()) continue;
    inverse(reader.coefficients, tables[0] ?? new Uint16Array(64).fill(1), block);
    for (let sample = 0; sample < looked.samples; sample++) {
      // Every ninth lies on the diagonal of the block.
      y?.push(block[sample * 9] ?? 0);
      cb?.push(meanOf(1));
      cr?.push(meanOf(2));
    }
  }
  const isGrey = components < 3;
  const patches = isGrey ? [] : [1, 2].map((component) => patchesOf(canvas, tables, component, from));
  return {
    y: Float32Array.from(y ?? []),
    cb: Float32Array.from(cb ?? []),
    cr: Float32Array.from(cr ?? []),
    isGrey,
    patches,
  };
}

/** Parts of the picture in which brightness changes, with what a colour does there. */
function patchesOf(
  { layout, sums, filled }: Canvas,
  tables: readonly Uint16Array[],
  component: number,
  from: number,
): Patch[] {
  const { across, down, components } = layout;
  const [lightStep, colourStep] = [(tables[0]?.[0] ?? 1) / 8, (tables[component]?.[0] ?? 1) / 8];
  const patches: Patch[] = [];
  for (let row = Math.ceil(from / across); row + patch.side <= down; row += patch.side)
    for (let column = 0; column + patch.side <= across; column += patch.side) {
      let [count, light, colour, lights, both, colours] = [0, 0, 0, 0, 0, 0];
      for (let number = 0; number < patch.side * patch.side; number++) {
        const place = (row + Math.floor(number / patch.side)) * across + column + (number % patch.side);
        if (!filled[place]) break;
        const y = (sums[place * components] ?? 0) * lightStep;
        const c = (sums[place * components + component] ?? 0) * colourStep;
        count++;
        light += y;
        colour += c;
        lights += y * y;
        both += y * c;
        colours += c * c;
      }
      if (count < patch.side * patch.side) continue;
      [light, colour] = [light / count, colour / count];
      const variance = lights / count - light * light;
      if (variance < patch.deviation * patch.deviation) continue;
      const slope = (both / count - light * colour) / variance;
      const rest = Math.sqrt(Math.max(0, colours / count - colour * colour - slope * slope * variance));
      patches.push({ light, colour, slope, worth: Math.sqrt(variance) / (patch.deviation + rest * 2) });
    }
  return patches;
}

/** The colour that black has where it lies so far below the middle, by what the patches go to; and half the width of the middle half of them. */
function colourOfBlack(patches: readonly Patch[], light: number): { colour: number; spread: number } | null {
  if (patches.length < patch.least) return null;
  let worth = 0;
  const found = patches.map((one) => {
    const above = one.light + light + middle;
    const own = one.worth / Math.max(patch.light, above);
    worth += own;
    return { colour: one.colour - one.slope * above, worth: own };
  });
  found.sort((left, right) => left.colour - right.colour);
  const at = (part: number) => {
    let sum = 0;
    for (const one of found) {
      sum += one.worth;
      if (sum >= worth * part) return one.colour;
    }
    return 0;
  };
  return { colour: at(0.5), spread: (at(0.75) - at(0.25)) / 2 };
}

/** Levels from which the search begins: all brightnesses that fit into the range, with colours around the middle one. */
function startsOf({ y, cb, cr, isGrey, patches }: Samples): number[][] {
  const [low, high] = [share(y, few), share(y, 1 - few)];
  const from = Math.min(-middle - low, middle - high);
  const to = Math.max(-middle - low, middle - high);
  const colours = isGrey ? [0] : coarse.colours;
  const middleOf = { cb: share(cb, 0.5), cr: share(cr, 0.5) };
  const starts: number[][] = [];
  for (let level = from; level <= to; level += coarse.brightness) {
    const [blue, red] = patches.map((one) => colourOfBlack(one, level)?.colour ?? 0);
    starts.push([level, -(blue ?? 0), -(red ?? 0)]);
    for (const blue of colours) for (const red of colours) starts.push([level, blue - middleOf.cb, red - middleOf.cr]);
  }
  return starts;
}

/** The value that a share of all lies below. */
const share = (values: Float32Array, part: number): number =>
  Float32Array.from(values).sort()[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

/** The best levels around some, found one component after another. */
function refined(samples: Samples, start: { levels: number[]; cost: number }): { levels: number[]; cost: number } {
  let best = start;
  const components = samples.isGrey ? [0] : [0, 1, 2];
  for (const step of fine) {
    for (let round = 0, before = Number.NaN; round < mostRounds && before !== best.cost; round++) {
      before = best.cost;
      for (const component of components)
        for (const way of [-step, step]) {
          const levels = best.levels.map((level, index) => (index === component ? level + way : level));
          const cost = costOf(samples, levels);
          if (cost < best.cost) best = { levels, cost };
        }
    }
  }
  return best;
}

/** What speaks against levels. */
function costOf(samples: Samples, [light = 0, blue = 0, red = 0]: readonly number[]): number {
  const { y, cb, cr, isGrey, patches } = samples;
  let cost = 0;
  for (let at = 0; at < y.length; at++) {
    const value = (y[at] ?? 0) + light + middle;
    const [b, r] = [(cb[at] ?? 0) + blue, (cr[at] ?? 0) + red];
    cost += isGrey ? weightOf(value) : weightOf(redOf(value, r), greenOf(value, b, r), blueOf(value, b));
    if (!isGrey) cost += Math.log1p((Math.abs(b) + Math.abs(r)) / weight.pale);
  }
  cost /= y.length;
  for (const [index, level] of [blue, red].entries()) {
    const black = patches[index] ? colourOfBlack(patches[index], light) : null;
    if (black) cost += Math.log1p(Math.abs(black.colour + level) / (weight.black + black.spread));
  }
  return cost;
}

/** What the channels of one sample count: for being outside of their range, and less for lying at its ends. */
function weightOf(...channels: number[]): number {
  let beyond = 0;
  let ends = 0;
  for (const value of channels) {
    beyond += Math.max(0, -outside.free - value, value - 255 - outside.free);
    const isDark = value <= clipped.dark && value >= -clipped.beyond;
    if (isDark || (value >= clipped.light && value <= 255 + clipped.beyond)) ends++;
  }
  return Math.min(outside.most, beyond) * weight.outside - ends * weight.clipped;
}
