import { nothingToldYet } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { Effort, EngineJob } from '../../report';
import { isRecordAt } from './biff';
import { type OleFile, type OleStream, readOle, topStream } from './container';
import { isPptRecordAt } from './pptrecords';
import { followChain } from './sectors';
import { type Anchor, findAnchors, lostBefore, type Shift, shiftBack } from './shifts';

type Best = { at: number; value: number };

/** A file whose pieces stand in their sectors again; `isSure` where each of them fits in no other place near its own as well. */
export type Realigned = { bytes: Buffer; lost: number; added: number; isSure: boolean };

/** How far from the best place, in bytes, another one is tried that may be worth as much. */
const nearby = [-1, 1, -2, 2, -4, 4, -8, 8] as const;

/** Places that are tried for one gap where the content does not show it; chosen on the bench. */
const samples = 12;
/** Their order, so that those for which there is effort left lie all over the piece. */
const sampleOrder = [0, 6, 3, 9, 12, 1, 4, 7, 10, 2, 5, 8, 11];
/** Times that the distance to the best place is halved, and the effort for all trials, in units; chosen on the bench. */
const refinements = 8;
const mostEffort = 1400;
/** What a file must be worth in its new places: where only its length speaks for them, and where a table was found in another place; in parts of what it was worth, chosen on the bench. */
const clearly = 1.04;
const nearly = 0.98;

/**
 * Puts the pieces of a file back into their sectors from which bytes were lost or put in. Where exactly is told by the first record that
 * makes no sense, or else by what reads best: `worth` says how much can be read out of a file.
 */
export function realign(job: EngineJob, worth: (bytes: Buffer) => number): Realigned | null {
  const { bytes } = job;
  const missing = lostBefore(bytes);
  if (missing !== null) {
    const moved = Buffer.concat([Buffer.alloc(missing), bytes]);
    return worth(moved) >= worth(bytes) * nearly ? { bytes: moved, lost: missing, added: 0, isSure: true } : null;
  }
  const anchors = findAnchors(bytes);
  if (anchors.length === 0) return null;
  const { shifts, reached, isSure } = placeChanges(job, anchors, worth);
  const whole = shiftBack(bytes, shifts);
  const isTold = anchors.some((anchor) => anchor.isPiece && anchor.shift !== 0);
  const [now, before] = [reached ?? worth(whole), worth(bytes)];
  if (isTold ? now < before * nearly : now <= before * clearly) return null;
  const steps = shifts.map(({ shift }, index) => shift - (shifts[index - 1]?.shift ?? 0));
  const sum = (sign: number) => steps.reduce((all, step) => all + Math.max(0, step * sign), 0);
  return { bytes: whole, lost: sum(-1), added: sum(1), isSure };
}

/** Where every change lies, whether each lies nowhere else, and what the whole is worth then; null where no trial of the last change stands for the whole of it. */
function placeChanges(
  job: EngineJob,
  anchors: readonly Anchor[],
  worth: (bytes: Buffer) => number,
): { shifts: Shift[]; reached: number | null; isSure: boolean } {
  const effort = job.deadline.effort.share(mostEffort);
  const shifts: Shift[] = [];
  let reached: number | null = null;
  let isSure = true;
  for (const [index, { expected, shift }] of anchors.entries()) {
    const before = anchors[index - 1];
    if (!before || before.shift === shift) continue;
    const later = changesBehind(anchors, index);
    const from = Math.max(before.expected, shifts.at(-1)?.at ?? 0) + (before.expected === 0 ? 512 : 1);
    const changed = (at: number) => shiftBack(job.bytes, [...shifts, { at, shift }, ...later]);
    const valueAt = (at: number) => {
      job.deadline.check();
      effort.spend('recordReading');
      effort.spend('recordByte', job.bytes.length);
      return worth(changed(at));
    };
    const told = effort.isSpent ? null : toldPlace(job, [...shifts, { at: expected, shift }, ...later]);
    const best = bestPlace({ from, expected, told }, valueAt, effort);
    const chosen: Buffer | null = isSure ? changed(best.at) : null;
    isSure &&= !nearby.some((step) => {
      const at = best.at + step;
      if (at < from || at > expected) return false;
      // Where bytes are alike, another place makes the same file.
      return effort.isSpent || (!chosen?.equals(changed(at)) && valueAt(at) >= best.value);
    });
    shifts.push({ at: best.at, shift });
    reached = later.length === 0 && best.value >= 0 ? best.value : null;
  }
  return { shifts, reached, isSure };
}

/** Places around which the best one is looked for, of all that are better than those beside them. */
const mostPeaks = 3;

/**
 * The place of a change between `from` and `expected` with which the file is worth most: the one that the content shows is tried first, then
 * samples of the whole stretch, then places ever nearer to the best of them. Around the right place it is worth less the further away one
 * is; where nothing of the file is read by its tables, what is found without them can be worth more than a sample near that place, so that
 * each sample that is better than those beside it is looked around.
 */
function bestPlace(
  { from, expected, told }: { from: number; expected: number; told: number | null },
  valueAt: (at: number) => number,
  effort: Effort,
): Best {
  const first = (expected - from) / samples;
  const values = new Map<number, number>();
  let best: Best = { at: expected, value: -1 };
  const attempt = (at: number, isSample: boolean): number => {
    const known = values.get(at);
    // Large files may have hundreds of changes; without effort for trials each is taken to be as late as it can be.
    if (effort.isSpent || known !== undefined) return known ?? -1;
    const value = valueAt(at);
    values.set(at, value);
    const isLater = value === best.value && isSample && at > best.at;
    if (value > best.value || isLater) best = { at, value };
    return value;
  };
  if (told !== null && told >= from && told < expected) attempt(told, true);
  for (const index of sampleOrder) attempt(Math.round(expected - first * index), true);
  for (const peak of peaksOf(values, best)) {
    let { at, value } = peak;
    let step = first;
    for (let round = 0; round < refinements && step > 1; round++) {
      step /= 2;
      for (const place of [at - step, at + step].map(Math.round)) {
        const other = place >= from && place <= expected ? attempt(place, false) : -1;
        if (other > value) [at, value] = [place, other];
      }
    }
  }
  return best;
}

/** The best place, and others that are worth more than the one before and no less than the one behind them; the best ones first. */
function peaksOf(values: ReadonlyMap<number, number>, best: Best): Best[] {
  const tried = [...values].map(([at, value]) => ({ at, value })).sort((left, right) => left.at - right.at);
  const isPeak = ({ value }: Best, index: number) =>
    value > (tried[index - 1]?.value ?? -1) && value >= (tried[index + 1]?.value ?? -1);
  const peaks = tried.filter((one, index) => one.at !== best.at && isPeak(one, index));
  peaks.sort((left, right) => right.value - left.value);
  return [best, ...peaks].slice(0, mostPeaks);
}

/** The changes behind an anchor, each at the last place where it can be. */
function changesBehind(anchors: readonly Anchor[], index: number): Shift[] {
  const later: Shift[] = [];
  for (let next = index + 1; next < anchors.length; next++) {
    const [before, anchor] = [anchors[next - 1], anchors[next]];
    if (before && anchor && anchor.shift !== before.shift) later.push({ at: anchor.expected, shift: anchor.shift });
  }
  return later;
}

/** The place that the content shows: where the first record makes no sense when the change is taken to be as late as it can be. */
function toldPlace(job: EngineJob, shifts: Shift[]): number | null {
  if (job.format === 'doc') return null;
  const file = readOle({ ...job, bytes: shiftBack(job.bytes, shifts) }, nothingToldYet());
  const stream = mainOf(job.format, file);
  const broken = stream?.entry ? breakOf(job.format, stream.data) : null;
  if (!stream?.entry || broken === null) return null;
  const { sectors } = file;
  const chain = followChain(sectors, stream.entry.start, Math.ceil(stream.size / sectors.size), new Set());
  const sector = chain.sectors[Math.floor(broken / sectors.size)];
  return sector === undefined ? null : (sector + 1) * sectors.size + (broken % sectors.size);
}

function mainOf(format: string, file: OleFile): OleStream | undefined {
  return format === 'xls'
    ? (topStream(file, 'Workbook') ?? topStream(file, 'Book'))
    : topStream(file, 'PowerPoint Document');
}

/** Behind the header of the last record that is followed by another one; null when all of them are. */
function breakOf(format: string, data: Buffer): number | null {
  let last = 0;
  let at = 0;
  const head = format === 'xls' ? 4 : 8;
  while (at + head <= data.length) {
    const isRecord = format === 'xls' ? isRecordAt(data, at) : isPptRecordAt(data, at);
    if (!isRecord) return at > 0 ? last + head : null;
    last = at;
    // Containers are stepped into, so that the break shows at the smallest record.
    if (format === 'xls') at += head + data.readUInt16LE(at + 2);
    else at += (data.readUInt16LE(at) & 15) === 15 ? head : head + data.readUInt32LE(at + 4);
  }
  return null;
}
