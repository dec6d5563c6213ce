import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import { type Canvas, mostMisfit } from './canvas';
import type { Chain } from './chain';
import { EdgeStore, quarter, seam } from './edgestore';
import { type Break, type Continuation, driftBelow, firstFitting, usually } from './fitting';
import type { Skyline } from './skyline';
import { placeAt } from './tail';
import { zeroesIn } from './zeroes';

/** MCUs that are looked at in front of where a picture was found to go on at most, and rows of them that are worth it. */
const looked = { most: 4000, rows: 0.5 };

/** The misfit, in sample values and in times of what is usual there, up to which levels follow from where a picture was found to go on. */
const wellFitting = { most: 15, times: 1.4 };

/** MCUs of a chain from one number to another, behind all that makes no sense or is of zeroes. */
type Run = { from: number; to: number };

/**
 * Where a picture already goes on before it was found to: MCUs in front of that which make sense up to there lie in front of it in the picture as well, and
 * are its own as far as each fits over the one a row further on. What is above them need not be like them: hills begin below a sky.
 */
export function steppedBack(
  canvas: Canvas,
  plan: ScanPlan,
  data: Uint8Array,
  at: Break,
  chain: Chain,
  sky: Skyline,
  found: Continuation,
): Continuation {
  const { across, components } = canvas.layout;
  // DC values alone tell too little of how a row lies over the next.
  const run = plan.dcOnly ? null : runBefore(data, at, chain, found);
  if (!run || run.to - run.from < across * looked.rows) return found;
  const length = run.to - run.from;
  const behind = rowBehind(chain, run.to, across);
  const store = new EdgeStore(canvas.layout, canvas.edges.tables, length + behind);
  const before = new Int32Array((length + behind) * components);
  const reader = new McuReader(data, plan);
  reader.seek(chain.bits[run.from] ?? 0, []);
  for (let index = 0; index < length + behind; index++) {
    before.set(reader.predictors.slice(0, components), index * components);
    if (!reader.mcu()) return found;
    store.set(index, reader.coefficients, reader.last);
  }
  const under = (index: number) =>
    index + across < length + behind ? Math.min(mostMisfit, seam(store, index, store, index + across)) : -1;
  const misfits = Float32Array.from({ length }, (_, index) => under(index));
  const own = misfits.filter((misfit) => misfit >= 0).sort();
  const usual = own[own.length >> 1] ?? at.usual;
  const start = firstFitting(misfits, 0, usual * usually.times + usually.levels);
  if (length - start < across * looked.rows) return found;
  const place = found.place - (length - start);
  const levels = (index: number) => before.subarray(index * components, (index + 1) * components);
  const bit = chain.bits[run.from + start] ?? 0;
  // Levels follow from where the picture fits well; otherwise from what is above the first row.
  if (found.misfit <= Math.min(wellFitting.most, at.usual * wellFitting.times)) {
    const [first, later] = [levels(start), levels(length)];
    const predictors = found.predictors.map((value, index) => value - (later[index] ?? 0) + (first[index] ?? 0));
    return { ...found, place, bit, predictors, fits: found.place };
  }
  const drift = driftBelow(canvas, sky, store, {
    from: start,
    to: Math.min(length, start + across),
    place: place - start,
  });
  const predictors = Array.from(levels(start), (value, index) => {
    const quantum = canvas.edges.tables[index]?.[0] ?? 1;
    return value + Math.round(((drift[index] ?? 0) * 8) / quarter / quantum);
  });
  return { ...found, place, bit, predictors, fits: found.place };
}

/** The MCUs of a chain that lead from a break to where the picture was found to go on; null where that is no MCU of it. */
function runBefore(data: Uint8Array, at: Break, chain: Chain, { bit, place }: Continuation): Run | null {
  const to = placeAt(chain.bits, chain.count, bit);
  if (chain.bits[to] !== bit || bit <= at.bit || place <= at.place) return null;
  const error = chain.errors.findLast((number) => number <= to) ?? 0;
  const wiped = zeroesIn(data.subarray(at.bit >> 3, bit >> 3)).at(-1);
  const sense = wiped ? placeAt(chain.bits, to, at.bit - (at.bit & 7) + wiped.to * 8) + 1 : 0;
  const from = Math.max(error, sense, placeAt(chain.bits, to, at.bit), to - (place - at.place), to - looked.most);
  return from < to ? { from, to } : null;
}

/** How many MCUs from one on make sense, of those that a row has. */
function rowBehind({ count, errors }: Chain, from: number, across: number): number {
  const error = errors.find((number) => number > from) ?? count;
  return Math.max(0, Math.min(across, error - from));
}
