import { differInOneBit } from '../../core/bits';
import { Buffer } from '../../host/bytes';
import { boxBytes } from './boxsizes';
import { headerScale, headerSeconds } from './headers';
import type { Run } from './moof';
import { sampleCount, type Track } from './track';

type Leaves = ReadonlyMap<string, Buffer>;

/** Runs of samples with one value, as tables of durations and of orders have them (ISO/IEC 14496-12, 8.6.1): how many, and which. */
type Entry = { count: number; value: number };

/** Where the entries of such a table begin, and their bytes. */
const [entriesAt, entryBytes] = [16, 8];

/** Samples of a track of which the order is looked at, and samples times entries that are tried. */
const mostSamples = 2_000_000;
const mostTries = 20_000_000;
/** Entries among which the wrong one is looked for: where more contradict each other, more than one is wrong. */
const mostDoubted = 6;
/** Samples by which one is shown later than most of its track at most: encoders put no more than 16 pictures between two others. */
export const mostLater = 20;

function entriesOf(table: Buffer | undefined, isSigned: boolean): Entry[] {
  const count = table && table.length >= entriesAt ? table.readUInt32BE(entriesAt - 4) : 0;
  if (!table || entriesAt + count * entryBytes > table.length) return [];
  return Array.from({ length: count }, (_, index) => {
    const at = entriesAt + index * entryBytes;
    return { count: table.readUInt32BE(at), value: isSigned ? table.readInt32BE(at + 4) : table.readUInt32BE(at + 4) };
  });
}

/** A copy of a table with another entry at one place. */
function withEntry(table: Buffer, index: number, { count, value }: Entry): Buffer {
  const copy = Buffer.from(table);
  copy.writeUInt32BE(count, entriesAt + index * entryBytes);
  copy.writeUInt32BE(value >>> 0, entriesAt + index * entryBytes + 4);
  return copy;
}

/** Samples by the table of sizes (8.7.3); 0 where it does not tell. */
const samplesOf = (sizes: Buffer | undefined) =>
  sizes && sizes.length >= boxBytes.stsz ? sizes.readUInt32BE(boxBytes.stsz - 4) : 0;

const ticksOf = (entries: readonly Entry[]) => entries.reduce((sum, { count, value }) => sum + count * value, 0);

/** Ticks of a track by the head of its media (8.4.2), version 0; 0 where it does not tell. */
function mediaTicks(leaves: ReadonlyMap<string, Buffer>): number {
  const head = leaves.get('mdhd');
  return head?.[8] === 0 && head.length >= boxBytes.mdhd ? head.readUInt32BE(24) : 0;
}

/** Whether the head of the media is right rather than the table: the track's own header is nearer to it, or, without one, no bit alone is between the two. */
function isHeadRight(leaves: Leaves, movie: Leaves, { told, listed }: { told: number; listed: number }): boolean {
  const [scale, seconds] = [headerScale(leaves), headerSeconds(leaves, movie)];
  const off = (ticks: number) => Math.abs(ticks / scale - seconds);
  return scale > 0 && seconds > 0 ? off(told) < off(listed) : !differInOneBit(told, listed);
}

/**
 * The table of durations (8.6.1.2) with its one wrong bit set right, where the samples last as long as the head of the media says with that
 * alone: in how many samples a run has, or in how long these last, which most of the others do as well. Null for one that is right, or not told.
 */
function durationsRight(leaves: Leaves, movie: Leaves): Buffer | null {
  const table = leaves.get('stts');
  const entries = entriesOf(table, false);
  const [samples, listed, told] = [samplesOf(leaves.get('stsz')), ticksOf(entries), mediaTicks(leaves)];
  if (!table || entries.length === 0 || samples === 0 || told === 0 || told === listed) return null;
  const more = samples - sampleCount(table);
  if (more === 0 && !isHeadRight(leaves, movie, { told, listed })) return null;
  const usual = usualOf(entries, samples);
  const found = entries.flatMap((entry, index) => {
    const { count, value } = entry;
    const other = more === 0 ? { count, value: value + (told - listed) / count } : { count: count + more, value };
    const isTold = more === 0 ? isUsual(entries, index, { usual, value: other.value }) : listed + more * value === told;
    const isChanged = differInOneBit(count, other.count) || differInOneBit(value, other.value);
    const isWhole = Number.isInteger(other.value) && other.value > 0 && other.count > 0;
    return isTold && isWhole && isChanged ? [withEntry(table, index, other)] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** How long more than half of the samples last by one entry or by several, in ticks; null where none do. */
function usualOf(entries: readonly Entry[], samples: number): number | null {
  const counts = new Map<number, number>();
  for (const { count, value } of entries) counts.set(value, (counts.get(value) ?? 0) + count);
  for (const [value, count] of counts) if (count * 2 > samples) return value;
  return null;
}

/**
 * Whether a duration is what samples of a run may have: most samples last as long, or are in the run itself, or it holds the last one, which
 * may be shorter, but had been longer. Writers count as a part of the media how much later the last pictures are shown than they are read, so
 * the head says a few whole samples more than the table: with most of them in the run, that tells nothing.
 */
function isUsual(entries: readonly Entry[], own: number, { usual, value }: { usual: number | null; value: number }) {
  const entry = entries[own];
  if (!entry || usual === null) return false;
  const ticks = Math.abs(value - entry.value) * entry.count;
  if (entry.value === usual) return ticks % usual !== 0 || ticks > mostLater * usual;
  return usual === value || (own === entries.length - 1 && value < usual && entry.value > usual);
}

/**
 * When samples are shown, in steps of one: each at another time, without a gap. `times` are ticks, of which those that do not fit are named
 * by the entries that hold them; null where too many do not.
 */
function doubted(times: Float64Array, step: number, holder: (sample: number) => number): Set<number> | null {
  const remainders = new Map<number, number>();
  const rest = (time: number) => ((time % step) + step) % step;
  for (const time of times) remainders.set(rest(time), (remainders.get(rest(time)) ?? 0) + 1);
  const usual = [...remainders].sort((left, right) => right[1] - left[1])[0]?.[0] ?? 0;
  const first = new Map<number, number>();
  const wrong = new Set<number>();
  for (const [sample, time] of times.entries()) {
    const before = first.get(time);
    if (rest(time) !== usual || before !== undefined) wrong.add(holder(sample));
    if (before !== undefined) wrong.add(holder(before));
    else first.set(time, sample);
    if (wrong.size > mostDoubted) return null;
  }
  return wrong;
}

/** How far the samples from `from` up to `to` are from the time that all others leave free, in ticks; null where that is not one, or at an end and not told by a bit. */
function wayToGap(times: Float64Array, step: number, from: number, to: number, value: number): number | null {
  const others = times.length - (to - from);
  const seen = new Set<number>();
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [sample, time] of times.entries()) {
    if (sample >= from && sample < to) continue;
    seen.add(time);
    least = Math.min(least, time);
    most = Math.max(most, time);
  }
  const span = (most - least) / step + 1;
  if (seen.size !== others || !Number.isInteger(span)) return null;
  const own = times[from] ?? 0;
  if (span === others) {
    const ends = [least - (to - from) * step - own, most + step - own].filter((way) =>
      differInOneBit(value, value + way),
    );
    return ends.length === 1 ? (ends[0] ?? null) : null;
  }
  if (span !== times.length) return null;
  let gap = least;
  while (seen.has(gap)) gap += step;
  for (let sample = 1; sample < to - from; sample++) if (seen.has(gap + sample * step)) return null;
  return gap - own;
}

/** Tells of a value whether a sample would be shown so much later or earlier than the others with it as no decoder would wait. */
function isFarIn(entries: readonly Entry[], step: number): (value: number) => boolean {
  const sorted = entries.map(({ value }) => value).sort((left, right) => left - right);
  const middle = sorted[sorted.length >> 1] ?? 0;
  return (value) => Math.abs(value - middle) > mostLater * step;
}

/** The wrong entry of an order of display (8.6.1.3) of samples that last equally long, and its value; null where none is, or it is not told. */
function oddEntry(entries: readonly Entry[], samples: number, step: number): { index: number; value: number } | null {
  const all = entries.reduce((sum, { count }) => sum + count, 0);
  if (step <= 0 || all !== samples || samples > mostSamples || entries.length < 2) return null;
  const times = new Float64Array(samples);
  const holders = new Uint32Array(samples);
  const starts: number[] = [];
  let at = 0;
  for (const [index, { count, value }] of entries.entries()) {
    starts.push(at);
    for (const end = Math.min(samples, at + count); at < end; at++) {
      times[at] = at * step + value;
      holders[at] = index;
    }
  }
  const wrong = doubted(times, step, (sample) => holders[sample] ?? 0);
  const isFar = isFarIn(entries, step);
  const far = entries.flatMap(({ value }, index) => (isFar(value) ? [index] : []));
  if (wrong?.size === 0 && far.length === 1) wrong.add(far[0] ?? 0);
  const found = [...(wrong ?? [])].flatMap((index) => {
    const { value = 0, count = 0 } = entries[index] ?? {};
    const from = starts[index] ?? 0;
    const way = wayToGap(times, step, from, from + count, value);
    return way === null || way === 0 ? [] : [{ index, value: value + way }];
  });
  // Of two that are shown at once either may be the wrong one: a bit tells which, or what other samples have, or that one is too far from its place.
  const byBit = found.filter(({ index, value }) => differInOneBit(entries[index]?.value ?? 0, value));
  const isKnown = ({ index, value }: { index: number; value: number }) =>
    entries.some((one, other) => other !== index && one.value === value);
  const strayed = found.filter(({ index, value }) => isFar(entries[index]?.value ?? 0) && !isFar(value));
  const told = [byBit, byBit.filter(isKnown), strayed, found].find((each) => each.length === 1);
  return told?.[0] ?? null;
}

/** The entry of an order of display with one wrong bit in its number of samples, by how all of them are shown then; null where there is none. */
function oddCount(entries: readonly Entry[], samples: number, step: number): { index: number; count: number } | null {
  const more = samples - entries.reduce((sum, { count }) => sum + count, 0);
  if (more === 0 || step <= 0 || samples * entries.length > mostTries) return null;
  const found = entries.flatMap(({ count }, index) => {
    if (count + more <= 0 || !differInOneBit(count, count + more)) return [];
    const times = new Set<number>();
    let at = 0;
    for (const [own, entry] of entries.entries())
      for (const end = at + (own === index ? count + more : entry.count); at < end; at++)
        times.add(at * step + entry.value);
    return times.size === samples && spanOf(times) === (samples - 1) * step ? [{ index, count: count + more }] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

function spanOf(times: ReadonlySet<number>): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of times) {
    least = Math.min(least, time);
    most = Math.max(most, time);
  }
  return most - least;
}

/** The order of display (8.6.1.3) with its one wrong entry set right; null for one that is right, or not told. */
function shiftsRight(leaves: Leaves): Buffer | null {
  const table = leaves.get('ctts');
  const entries = entriesOf(table, true);
  const durations = entriesOf(leaves.get('stts'), false);
  const samples = samplesOf(leaves.get('stsz'));
  const [step = 0] = durations.map(({ value }) => value);
  if (!table || samples === 0 || durations.some(({ value }) => value !== step)) return null;
  const odd = oddEntry(entries, samples, step);
  const before = odd && entries[odd.index];
  if (odd && before) return withEntry(table, odd.index, { ...before, value: odd.value });
  const counted = oddCount(entries, samples, step);
  const own = counted && entries[counted.index];
  return counted && own ? withEntry(table, counted.index, { ...own, count: counted.count }) : null;
}

/**
 * Sets a wrong bit right in how long the samples of a track last, and in when they are shown, by what the rest of both tables and the heads
 * leave for it; whether there was one. `movie` are the leaves of the movie itself.
 */
export function settleTimeTables(leaves: Map<string, Buffer>, movie: Leaves): boolean {
  const durations = durationsRight(leaves, movie);
  if (durations) leaves.set('stts', durations);
  const shifts = shiftsRight(leaves);
  if (shifts) leaves.set('ctts', shifts);
  return durations !== null || shifts !== null;
}

/**
 * The same for when the samples are shown that the runs of a track list one behind another (8.8.8), all equally long. `own` are those that the
 * movie lists before them, null for none: pictures between them may stand in the first run.
 */
export function settleShifts(
  runs: readonly Run[],
  own: Pick<Track, 'sizes' | 'durations' | 'compositions'> | null,
): boolean {
  const durations = new Set([...runs.flatMap((run) => run.durations), ...(own?.durations ?? [])]);
  const [step = 0] = durations;
  if (durations.size !== 1) return false;
  const first = Array.from(own?.sizes ?? [], (_, index) => own?.compositions?.[index] ?? 0);
  const entries = [...first, ...runs.flatMap((run) => run.shifts)].map((value) => ({ count: 1, value }));
  const odd = oddEntry(entries, entries.length, step);
  let before = first.length;
  for (const run of runs) {
    if (odd && odd.index >= before && odd.index < before + run.shifts.length) {
      run.shifts[odd.index - before] = odd.value;
      return true;
    }
    before += run.shifts.length;
  }
  return false;
}
