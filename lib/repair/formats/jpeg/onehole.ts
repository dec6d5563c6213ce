import type { Layout } from '../../codecs/jpeg/layout';
import { McuReader } from '../../codecs/jpeg/reader';
import { type Canvas, mostMisfit } from './canvas';
import type { Chain } from './chain';
import { EdgeStore, quarter, seam, side } from './edgestore';
import type { SalvageFacts } from './filling';
import { driftBelow } from './fitting';
import { Salvage } from './salvage';
import { Skyline } from './skyline';
import type { Stretch } from './stretches';
import { areZeroesNone, lastZeroes, zeroesIn } from './zeroes';

/**
 * The mean misfit of MCUs that belong to no picture: so many times what is usual, between the least and the most, in sample values; and what
 * one in the hole costs beside that, in log likelihood.
 */
const garbage = { least: 15, most: 45, times: 3, price: 0.25 };
/** The least that is usual, and the mean misfit of an MCU at the left border beside the end of the row before: so many times the usual one, and at least. */
const usually = { least: 3, borderTimes: 1.5, border: 30 };
/** Blocks within which bytes that are no picture data have codes that make no sense, nearly always. */
const noticed = 600;
/** What an MCU that makes no sense, or of zeroes, costs outside of the hole. */
const impossible = 1000;
/** Rows that data must hold, MCUs right under what comes before a hole that tell its level, and MCUs that it may hold more than the picture has, as a share of those. */
const held = { rows: 2, under: 5, more: 0.5 };
/**
 * The share of the misfit of what was found break by break below which the picture around one hole is believed, where as much of it is there and
 * where so much less is, as a share; and the share more of it with which it may fit so many times as badly.
 */
const believed = {
  misfit: 0.97,
  fewer: { share: 0.1, misfit: 0.9 },
  more: { share: 0.1, times: 1.1 },
  half: { share: 0.4, misfit: 0.5 },
};

/** MCUs of a hole from which on it may be none, and how many times as many as are told of. */
const rough = { least: 12, times: 2 };

/**
 * MCUs to both sides of the one above that tell what is usual, how many times what is so in all of the data that may be, and the share of a picture by which
 * less of it is never the likelier.
 */
const local = { near: 2, times: 4, fewer: 0.15 };

/** All MCUs of the data in a row, with their edges and the DC values before them; which of them make no sense or are of zeroes. */
type Row = { store: EdgeStore; before: Int32Array; count: number; isNone: Uint8Array };

/** The picture around a hole, whether that is so large that it may be but a rough part of it, and whether data is wiped in other places as well. */
type Around = { salvage: Salvage; isRough: boolean; isOneOf: boolean };

/** How badly each MCU fits under the one a row before it, and beside the last one; -1 where there is none. */
type Misfits = { above: Float32Array; beside: Float32Array };

/** The first MCU of the data that is none, the first one behind the hole, and how many places that lies further on in the picture. */
type Hole = { from: number; to: number; shift: number };

/**
 * The picture around one hole in its data, where that is likelier than what was found break by break; null otherwise. What makes no sense shows where a
 * hole is in data of standard tables only: by tables of its own almost any bytes are blocks.
 */
export function betterAroundHole(
  usual: Salvage,
  facts: SalvageFacts,
  stretches: readonly Stretch[],
  [chain]: readonly Chain[],
): Salvage | null {
  const found = chain ? likelierHole(facts, stretches, chain) : null;
  if (!found) return null;
  const around = found.salvage;
  // The number of MCUs says that something is missing, or too much.
  if (usual.damages.length === 0) return around;
  const { total } = facts.layout;
  const [own, other] = [around.canvas.disorder(usual.canvas), usual.canvas.disorder(around.canvas)];
  const more = (around.canvas.count() - usual.canvas.count()) / total;
  const isFewer = more < -believed.fewer.share;
  // Data that is wiped in several places has not one hole, and the picture between them is worth more than how it fits.
  if (found.isOneOf && more < -believed.half.share && own.mean >= other.mean * believed.half.misfit) return null;
  // What fits badly may only have been left out.
  if (found.isRough && own.common >= other.common * believed.misfit) return null;
  const isFuller = more > believed.more.share && own.mean < other.mean * believed.more.times;
  return isFuller || own.mean < other.mean * (isFewer ? believed.fewer.misfit : believed.misfit) ? around : null;
}

/**
 * The picture around the one hole in data, as far as that can be read like that: where all of the picture is alike, or where parts of it are rougher than others.
 * Of the two the one that fits better for what it keeps.
 */
function likelierHole(facts: SalvageFacts, stretches: readonly Stretch[], chain: Chain): Around | null {
  const { layout, plan } = facts;
  const [only] = stretches;
  if (!only || stretches.length > 1 || facts.interval > 0 || !facts.hasEnd || plan.dcOnly) return null;
  if (chain.count < layout.across * held.rows || chain.count > layout.total * (1 + held.more)) return null;
  const row = readRow(facts, only.data, chain);
  const fits = misfitsOf(row, layout);
  const late = Math.ceil(noticed / plan.blocks.length);
  const [roughly, evenly] = [local.times, 1].map((times) => findHole(row, fits, layout, late, times)) as [Hole, Hole];
  const rough = aroundHole(facts, stretches, chain, row, roughly);
  if (roughly.from === evenly.from && roughly.to === evenly.to) return rough;
  const even = aroundHole(facts, stretches, chain, row, evenly);
  if (!rough || !even) return rough ?? even;
  const [kept, keptEven] = [rough.salvage.canvas.count(), even.salvage.canvas.count()];
  const [misfit, misfitEven] = [
    rough.salvage.canvas.disorder(even.salvage.canvas).mean,
    even.salvage.canvas.disorder(rough.salvage.canvas).mean,
  ];
  const isFar = keptEven < kept - layout.total * local.fewer;
  return isFar || misfit * keptEven <= misfitEven * kept ? rough : even;
}

/** What comes before one hole in the data, and what comes behind it counted from the end; null where there is none. */
function aroundHole(
  facts: SalvageFacts,
  stretches: readonly Stretch[],
  chain: Chain,
  row: Row,
  { from, to, shift }: Hole,
): Around | null {
  const { layout, plan } = facts;
  const { across, components } = layout;
  const [only] = stretches;
  if (!only) return null;
  const place = to + shift;
  if (place < from || to >= chain.count || from < 1) return null;
  const salvage = new Salvage(facts, stretches);
  const { canvas } = salvage;
  const reader = new McuReader(only.data, plan);
  for (let index = 0; index < from; index++) keep(canvas, index, reader);
  const sky = new Skyline(canvas, place);
  // The first MCUs lie right under what comes before the hole, unless that takes a row.
  const under = across - (place - from);
  const until = Math.min(chain.count, to + (under >= held.under ? under : across));
  const drift = driftBelow(canvas, sky, row.store, { from: to, to: until, place: shift });
  const predictors = Array.from({ length: components }, (_, index) => {
    const quantum = canvas.edges.tables[index]?.[0] ?? 1;
    return (row.before[to * components + index] ?? 0) + Math.round(((drift[index] ?? 0) * 8) / quarter / quantum);
  });
  reader.seek(chain.bits[to] ?? 0, predictors);
  for (let index = to; index < chain.count; index++) keep(canvas, index + shift, reader);
  const behind = { place, rows: (place - from) / across };
  salvage.damages.push({ stretch: 0, byte: (chain.bits[from] ?? 0) >> 3, kind: 'moved', behind });
  const wiped = zeroesIn(only.data).length;
  return { salvage, isRough: wiped === 0 && isRough(row, from, to, shift), isOneOf: wiped > 1 && areZeroesNone(plan) };
}

/**
 * Whether a hole is but a rough part of the picture: it is larger than the MCUs tell that are missing, or too many, and those in it that make no sense
 * or are of zeroes. Where data is wiped it is the hole.
 */
function isRough({ isNone }: Row, from: number, to: number, shift: number): boolean {
  const none = isNone.subarray(from, to).reduce((sum, flag) => sum + flag, 0);
  return to - from >= Math.max(rough.least, (Math.abs(shift) + none) * rough.times);
}

function keep(canvas: Canvas, place: number, reader: McuReader): void {
  canvas.note(place, 0, reader);
  if (reader.mcu()) canvas.keep(place, reader, 1);
}

function readRow({ layout, plan, tables }: SalvageFacts, data: Uint8Array, chain: Chain): Row {
  const { components } = layout;
  const { count, bits } = chain;
  const row = {
    store: new EdgeStore(layout, tables, count),
    before: new Int32Array(count * components),
    count,
    isNone: new Uint8Array(count + 1),
  };
  for (const place of chain.errors) row.isNone.fill(1, Math.max(0, place - 1), place + 1);
  const reader = new McuReader(data, plan);
  for (let index = 0; index < count; index++) {
    if (reader.position !== bits[index]) reader.seek(bits[index] ?? 0, []);
    row.before.set(reader.predictors, index * components);
    if (!reader.mcu()) row.isNone[index] = 1;
    row.store.set(index, reader.coefficients, reader.last);
  }
  if (!areZeroesNone(plan)) return row;
  const found = bits.subarray(0, count);
  for (let run = lastZeroes(data); run; run = lastZeroes(data, run.from)) {
    const [from, to] = [run.from * 8, run.to * 8];
    for (let place = found.findIndex((bit) => bit >= from); place >= 0 && (found[place] ?? to) < to; place++)
      row.isNone[place] = 1;
  }
  return row;
}

function misfitsOf({ store, count }: Row, { across }: Layout): Misfits {
  const above = Float32Array.from({ length: count }, (_, index) =>
    index < across ? -1 : Math.min(mostMisfit, seam(store, index - across, store, index)),
  );
  const beside = Float32Array.from({ length: count }, (_, index) =>
    index === 0 ? -1 : Math.min(mostMisfit, side(store, index - 1, store, index)),
  );
  return { above, beside };
}

/**
 * Where data that holds one hole breaks off and where it goes on, counted from its end: the cheapest way (Viterbi 1967) from before through the hole to behind it, by
 * how every MCU fits under the one a row before and beside the last one, misfits taken as exponentially distributed. At which MCUs rows begin tells
 * before the hole from behind it, however many rows are missing.
 */
function findHole(
  { count, isNone }: Row,
  { above, beside }: Misfits,
  { across, total }: Layout,
  late: number,
  times: number,
): Hole {
  const shift = total - count;
  // What makes no sense does so from where the data is damaged, or shortly behind.
  const first = isNone.indexOf(1);
  const earliest = first < 0 ? 0 : first - late;
  const [usualAbove, near] = [meanOf(above), meanOf(beside)];
  const besideAt = (usual: number, isBorder: boolean) =>
    isBorder ? Math.max(usual * usually.borderTimes, usually.border) : usual;
  const [wildAbove, wildBeside] = [wildOf(usualAbove), wildOf(near)];
  const isBorder = (place: number) => place % across === 0;
  const localAbove = localOf(above, across, usualAbove * times, usualAbove, meanAmong);
  // Where rows begin shows in one column alone, which must not pass for usual.
  const localBeside = localOf(beside, across, near * times, near, middleOf);
  let [front, hole, tail] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let from = 0;
  let best: Hole = { from: 0, to: count, shift };
  for (let index = 0; index < count; index++) {
    const [up, left] = [above[index] ?? 0, beside[index] ?? 0];
    if (front < hole && index >= earliest) [hole, from] = [front, index];
    if (hole < tail && index - from >= -shift) {
      tail = hole;
      best = { from, to: index, shift };
    }
    const none = isNone[index] ? impossible : 0;
    // What lies under the hole, or under what comes before it, does not go on from there.
    const isUnder = index - across < best.to;
    front += none + costOf(left, besideAt(localBeside[index] ?? near, isBorder(index)));
    front += costOf(up, localAbove[index] ?? usualAbove);
    hole += garbage.price + costOf(left, wildBeside) + costOf(up, wildAbove);
    const [besideTail, aboveTail] = isUnder ? [near, usualAbove] : [localBeside[index], localAbove[index]];
    tail += none + costOf(left, besideAt(besideTail ?? near, isBorder(index + shift)));
    tail += costOf(isUnder ? usualAbove : up, aboveTail ?? usualAbove);
  }
  return best;
}

/** What a misfit counts, in negative log likelihood, where the mean is so large; nothing where there is none. */
const costOf = (misfit: number, mean: number): number => (misfit < 0 ? 0 : Math.log(mean) + misfit / mean);

const meanOf = (misfits: Float32Array): number =>
  Math.max(usually.least, misfits.reduce((sum, misfit) => sum + Math.max(0, misfit), 0) / misfits.length);

/**
 * What is usual at each MCU: as much as around the one a row before, at least what is so in all of the data. Parts of a picture are rougher than
 * others.
 */
function localOf(
  misfits: Float32Array,
  across: number,
  most: number,
  usual: number,
  among: (values: Float32Array) => number,
): Float32Array {
  return misfits.map((_, index) => {
    const from = Math.max(0, index - across - local.near);
    const to = Math.max(from, Math.min(index, index - across + local.near + 1));
    const known = misfits.subarray(from, to).filter((misfit) => misfit >= 0);
    return known.length === 0 ? usual : Math.min(most, Math.max(usual, among(known)));
  });
}

const meanAmong = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const middleOf = (values: Float32Array): number => values.sort()[values.length >> 1] ?? 0;

const wildOf = (usual: number): number => Math.min(garbage.most, Math.max(garbage.least, usual * garbage.times));
