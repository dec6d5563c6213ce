import { Buffer } from '../../../host/bytes';
import { undoPredictor } from '../raster';
import { bands, costOf } from './measure';
import { hasPaper, kindOfSteps, kindOfValues, type Told } from './threes';

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
  for (const predictor of predictors(some, packed, hints)) {
    const told = row % 3 !== 0 ? null : predictor ? kindOfSteps(some) : kindOfValues(some, row);
    for (const kind of kinds) {
      if (!isPossible(kind, row, hints)) continue;
      const { samples, depth, big, factor } = kind;
      const cost = costOf({ data: plainRows(some, row, kind, predictor), row, samples, depth, big });
      const weighed = cost * factor * (isOther(kind, told) ? likelyOther : 1);
      if (!best || weighed < best.weighed) best = { row, samples, depth, big, predictor, cost, weighed };
    }
  }
  return best;
}

/** Whether rows may hold values, differences between neighbours (TIFF 6.0, section 14), or either. */
function predictors(some: Uint8Array, packed: boolean, { predictor }: SampleHints): boolean[] {
  if (!packed) return predictor === 2 ? [] : [false];
  if (predictor !== undefined) return [predictor === 2];
  return hasPaper(some) ? [false] : [false, true];
}

/** Whether samples are said to be greys where their bytes tell colours, or the other way round. */
const isOther = ({ samples, depth }: (typeof kinds)[number], told: Told): boolean =>
  depth === 8 && ((told === 'colours' && samples === 1) || (told === 'greys' && samples === 3));

/** Rows without differences between neighbours, where they hold such. */
function plainRows(some: Buffer, row: number, { samples, depth, big }: (typeof kinds)[number], predictor: boolean) {
  if (!predictor) return some;
  const rows = Buffer.from(some);
  undoPredictor(rows, row, samples, depth, !big);
  return rows;
}

/** What counts against grey samples where bytes differ by threes, and against colours where they do not, as a factor on their cost. */
const likelyOther = 1.5;
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
