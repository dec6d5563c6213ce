import { Buffer } from '../../../host/bytes';
import { undoPredictor } from '../raster';
import { bands, costOf } from './measure';

/** What a surviving part of the directory still tells about samples; what it does not tell is undefined. */
export type SampleHints = {
  samples?: number | undefined;
  depth?: number | undefined;
  predictor?: number | undefined;
  little?: boolean | undefined;
};

/** Samples of a row of `row` bytes, and how well rows fit together when they are read so (see `costOf`). */
export type SampleShape = {
  row: number;
  samples: number;
  depth: 1 | 8 | 16;
  big: boolean;
  predictor: boolean;
  cost: number;
};

/** Kinds of samples, with a factor on the cost of the rarer ones, which win only where they fit clearly better. */
const kinds: readonly { samples: number; depth: 8 | 16; big: boolean; factor: number }[] = [
  { samples: 3, depth: 8, big: false, factor: 1 },
  { samples: 1, depth: 8, big: false, factor: 1 },
  { samples: 4, depth: 8, big: false, factor: 1.06 },
  { samples: 2, depth: 8, big: false, factor: 1.2 },
  { samples: 3, depth: 16, big: false, factor: 1.22 },
  { samples: 3, depth: 16, big: true, factor: 1.24 },
  { samples: 1, depth: 16, big: false, factor: 1.22 },
  { samples: 1, depth: 16, big: true, factor: 1.24 },
  { samples: 4, depth: 16, big: false, factor: 1.3 },
  { samples: 4, depth: 16, big: true, factor: 1.32 },
];

/** Reads rows as every kind of samples and gives the one whose neighbours resemble each other most; null when the row fits none. */
export function sampleShape(
  data: Uint8Array,
  row: number,
  bilevel: boolean,
  packed: boolean,
  hints: SampleHints,
): SampleShape | null {
  const some = bands(data, row);
  if (bilevel) {
    const cost = costOf({ data: some, row, samples: 1, depth: 1, big: false });
    return { row, samples: 1, depth: 1, big: false, predictor: false, cost };
  }
  let best: (SampleShape & { weighed: number }) | null = null;
  const colour = row % 3 === 0 && hasThreePhases(some);
  for (const kind of kinds) {
    if (!isPossible(kind, row, hints)) continue;
    const { samples, depth, big, factor } = kind;
    for (const predictor of packed ? [false, true] : [false]) {
      if (hints.predictor !== undefined && (hints.predictor === 2) !== predictor) continue;
      const cost = costOf({ data: plainRows(some, row, kind, predictor), row, samples, depth, big });
      const isGreyOfColours = samples === 1 && depth === 8 && colour && !predictor;
      const weighed = cost * factor * (isGreyOfColours ? greyOfColours : 1);
      if (!best || weighed < best.weighed) best = { row, samples, depth, big, predictor, cost, weighed };
    }
  }
  return best;
}

/** Rows without differences between neighbours, where they hold such. */
function plainRows(some: Buffer, row: number, { samples, depth, big }: (typeof kinds)[number], predictor: boolean) {
  if (!predictor) return some;
  const rows = Buffer.from(some);
  undoPredictor(rows, row, samples, depth, !big);
  return rows;
}

/** What counts against grey samples where bytes differ by threes, as a factor on their cost. */
const greyOfColours = 1.5;
/** Pixels that a row has at least. */
const leastPixels = 4;

/** Whether a row can hold samples of a kind, and nothing that survives says otherwise. */
function isPossible({ samples, depth, big }: (typeof kinds)[number], row: number, hints: SampleHints): boolean {
  if (hints.samples !== undefined && hints.samples !== samples) return false;
  if (hints.depth !== undefined && hints.depth !== depth) return false;
  if (depth === 16 && hints.little !== undefined && hints.little === big) return false;
  const pixel = (samples * depth) / 8;
  return row % pixel === 0 && row / pixel >= leastPixels;
}

/** How many times as large differences at one of three places must be. */
const clearlyMore = 1.1;

/** Whether differences from byte to byte depend on the place in threes, as those of red, green and blue do and those of greys do not. */
function hasThreePhases(data: Uint8Array): boolean {
  const sums = [0, 0, 0];
  for (let at = 3; at + 3 < data.length; at += 3)
    for (let phase = 0; phase < 3; phase++)
      sums[phase] = (sums[phase] ?? 0) + Math.abs((data[at + phase] ?? 0) - (data[at + phase - 1] ?? 0));
  const [most, least] = [Math.max(...sums), Math.min(...sums)];
  return most > least * clearlyMore;
}
