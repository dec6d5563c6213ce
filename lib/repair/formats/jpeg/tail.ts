import { McuReader, type ScanPlan } from '../../codecs/jpeg/reader';
import type { Canvas } from './canvas';
import type { Chain } from './chain';
import { EdgeStore, quarter, seam } from './edgestore';
import { atMost, type Continuation, driftBelow, firstFitting, usually } from './fitting';
import { Skyline } from './skyline';
import { areZeroesNone, lastZeroes, tooManyZeroes } from './zeroes';

/** Blocks between two errors from which on what lies between them is no chance: in bytes that are no picture data codes make no sense every 20 to 150. */
const apart = 600;
/** Rows that must be left behind a hole, and those of them that are asked whether they hang together. */
const rows = { least: 1.5, asked: 4 };
/** MCUs in which codes have fallen into step again, mostly. */
const outOfStep = 48;
/** Bytes of a hole from which on nothing behind it is looked for by how it fits: bytes of chance fit somewhere. */
const largeHole = 1536;

/** Bits of a stretch that are no picture data, up to the first MCU behind them. */
export type Hole = { from: number; to: number; next: number; isWiped: boolean };

/** The last bits of a stretch that are no picture data, where all behind them makes sense to the end; null where there are none. */
export function lastHole({ bits, count, errors }: Chain, data: Uint8Array, plan: ScanPlan): Hole | null {
  const inside = errors.filter((place) => place < count);
  const last = inside.at(-1);
  let hole: Hole | null = null;
  if (last !== undefined) {
    let first = inside.length - 1;
    while (first > 0 && ((inside[first] ?? 0) - (inside[first - 1] ?? 0)) * plan.blocks.length < apart) first--;
    hole = { from: bits[Math.max(0, (inside[first] ?? 0) - 1)] ?? 0, to: bits[last] ?? 0, next: last, isWiped: false };
  }
  const wiped = lastZeroes(data);
  if (!wiped || !areZeroesNone(plan)) return hole;
  const [from, to] = [wiped.from * 8, wiped.to * 8];
  // Zeroes in front of the first code without sense were read as blocks, which no break of the picture has to tell.
  if (hole && hole.to >= to) return from >= hole.from ? hole : { ...hole, from, isWiped: true };
  const next = placeAt(bits, count, to);
  if (next >= count) return hole;
  const isOne = hole !== null && from <= hole.to + tooManyZeroes * 8;
  return { from: hole !== null && isOne ? hole.from : from, to, next, isWiped: !isOne };
}

/** MCUs of a stretch that came from bytes that are no picture data: those of codes that make no sense, and of zeroes. In order, apart from each other. */
export function holesOf(
  { bits, count, errors }: Chain,
  data: Uint8Array,
  plan: ScanPlan,
): { from: number; to: number }[] {
  const holes: { from: number; to: number }[] = [];
  for (const place of errors) {
    const last = holes.at(-1);
    if (last && (place - last.to) * plan.blocks.length < apart) last.to = place;
    else holes.push({ from: Math.max(0, place - 1), to: place });
  }
  if (!areZeroesNone(plan)) return holes;
  for (let run = lastZeroes(data); run; run = lastZeroes(data, run.from))
    holes.push({ from: placeAt(bits, count, run.from * 8), to: placeAt(bits, count, run.to * 8) });
  holes.sort((left, right) => left.from - right.from);
  return holes.reduce<typeof holes>((apartOnes, hole) => {
    const last = apartOnes.at(-1);
    if (last && hole.from <= last.to) last.to = Math.max(last.to, hole.to);
    else apartOnes.push(hole);
    return apartOnes;
  }, []);
}

/** The first MCU that begins at a bit or behind it. */
export function placeAt(bits: Uint32Array, count: number, bit: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bits[middle] ?? 0) >= bit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether what is read up to a bit, in which no code made no sense, leads into zeroes that were written over the data. */
export const isWipedAt = ({ from, to, isWiped }: Hole, bit: number): boolean =>
  isWiped && to - from >= largeHole * 8 && bit > from && bit < to;

/** Whether a hole is so large, and a break at a bit of it, that what follows it is only where the end of the picture tells. */
export const isLarge = (hole: Hole, bit: number): boolean =>
  hole.to - hole.from >= largeHole * 8 && bit < hole.to && bit >= hole.from - largeHole * 8;

/**
 * Where the picture goes on behind the last hole of its data: counted from the end, whatever lies between is lost. Its rows must hang together.
 * Brightness and colours are those that let its first row follow what is there above the hole.
 */
export function behindHole(
  canvas: Canvas,
  plan: ScanPlan,
  data: Uint8Array,
  { chain, hole, from, to }: { chain: Chain; hole: Hole; from: number; to: number },
): Continuation | null {
  const { across, components } = canvas.layout;
  const left = chain.count - hole.next;
  const place = to - left;
  if (left < across * rows.least || place < from) return null;
  const most = Math.min(left, across * rows.asked);
  const store = new EdgeStore(canvas.layout, canvas.edges.tables, most);
  const before = new Int32Array(most * components);
  const reader = new McuReader(data, plan);
  reader.seek(chain.bits[hole.next] ?? 0, []);
  for (let index = 0; index < most; index++) {
    before.set(reader.predictors, index * components);
    if (!reader.mcu()) return null;
    store.set(index, reader.coefficients, reader.last);
  }
  const usual = canvas.usualBefore(from);
  const misfits = new Float32Array(most - across);
  for (let index = 0; index < misfits.length; index++) misfits[index] = seam(store, index, store, index + across);
  const inStep = Math.min(outOfStep, misfits.length);
  const start = firstFitting(misfits.subarray(0, inStep), 0, usual * usually.times + usually.levels);
  const middle = misfits.slice(start).sort()[(misfits.length - start) >> 1] ?? 0;
  if (middle > usual * atMost.times + atMost.levels) return null;
  const sky = new Skyline(canvas, from);
  const drift = driftBelow(canvas, sky, store, { from: start, to: Math.min(most, start + across), place });
  const predictors = Array.from({ length: components }, (_, index) => {
    const quantum = canvas.edges.tables[index]?.[0] ?? 1;
    return (before[start * components + index] ?? 0) + Math.round(((drift[index] ?? 0) * 8) / quarter / quantum);
  });
  return {
    place: place + start,
    bit: chain.bits[hole.next + start] ?? 0,
    predictors,
    cost: middle,
    misfit: 0,
    isCounted: true,
  };
}
