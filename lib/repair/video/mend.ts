import { parameterSets } from '../codecs/configuration';
import type { MendEffort, UnitReader } from '../codecs/units';
import { ones } from '../core/bits';
import { lowest } from '../core/extent';
import { Buffer } from '../host/bytes';
import type { Effort } from '../report';
import type { Damage, Loss, Rebuilt, Step } from '../report/facts/video';
import type { Reading } from './session';
import type { Source } from './source';

/** Effort for reading frames, in units; chosen on the bench. */
const checkEffort = 1200;
/** Largest slice that is looked through bit by bit, in bytes, and broken slices in vain after which nothing is looked for any more; chosen on the bench. */
const largest = 1 << 18;
const mostVain = 4;

/** `group`: how many slices before it start anew, on which those behind build; `order`: how many slices come before it at all; `tried`: units of the largest share of the effort that it took. */
type Damaged = PlacedUnit & {
  known: boolean;
  rank: number;
  searched: boolean;
  tried: number;
  group: number;
  order: number;
};
/** A stretch of a file that holds a frame. */
export type Frame = { from: number; to: number };

/** What is looked for at once: in slices that others build on or in the rest, and not in those behind one that stays broken. */
type MendStep = { limit: number; isBase: boolean; isStrict: boolean };
const stepsFor = ({ one, more, all }: MendEffort): readonly MendStep[] => [
  { limit: one, isBase: true, isStrict: true },
  { limit: one, isBase: false, isStrict: true },
  { limit: more, isBase: true, isStrict: true },
  { limit: one, isBase: false, isStrict: false },
  { limit: one, isBase: true, isStrict: false },
  { limit: more, isBase: false, isStrict: false },
  { limit: all, isBase: true, isStrict: false },
];

/**
 * What came of reading the frames: those that are broken and stay so, those in which bits were set right, how many bits, and how many of those
 * frames are of a codec in which a good part of wrong bits is not noticed, and how many may well have had more than one wrong bit.
 */
export type Mending = { broken: number; offset: number; mended: number; bits: number; blind: number; doubted: number };

/** The sets of a configuration that stands without the head of its box. */
export function setsOf(codec: 'avc' | 'hevc', configuration: Buffer): Buffer[] {
  return parameterSets(Buffer.concat([Buffer.alloc(4), Buffer.from(codec === 'avc' ? 'avcC' : 'hvcC'), configuration]));
}

/** A NAL unit without start code or length, and where in the file its bytes lie. */
export type PlacedUnit = { bytes: Buffer; place: (at: number) => number };

/**
 * Units of frames behind lengths of four bytes. The last length is put right where a single bit of it keeps it from leading to the end
 * of the frame.
 */
function* unitsOf(source: Source, frames: Iterable<Frame>): Generator<PlacedUnit> {
  for (const { from, to } of frames)
    for (let at = from; at + 6 < to; ) {
      let length = source.word(at);
      const rest = to - at - 4;
      if (length < 2 || length > rest) {
        const wrong = (length ^ rest) >>> 0;
        if (wrong === 0 || (wrong & (wrong - 1)) !== 0) break;
        for (let byte = 0; byte < 4; byte++) source.mend(at + byte, (rest >>> (24 - byte * 8)) & 255);
        length = rest;
      }
      const start = at + 4;
      yield { bytes: source.copy(start, length), place: (inside) => start + inside };
      at += 4 + length;
    }
}

/** Reads the slices of frames whose units lie behind lengths. */
export function mendFrames(reading: Reading, reader: UnitReader, frames: Iterable<Frame>): Promise<Mending> {
  return mendUnits(reading, reader, unitsOf(reading.source, frames));
}

/**
 * Reads the slices of a track as far as the effort for it allows, and sets single wrong bits right for all that read the file afterwards.
 * A stream of which much cannot be read may be one that this reader does not understand, and says nothing.
 */
export async function mendUnits(reading: Reading, reader: UnitReader, units: Iterable<PlacedUnit>): Promise<Mending> {
  const found = nothingMended();
  const damaged = await damagedUnits(reading, reader, units);
  if (!damaged) return found;
  const mending = reading.job.deadline.effort.share(reader.effort.all);
  let open = damaged;
  const isMoved = damaged.length > 0 && (await reading.isMoved?.()) === true;
  const ends = new Map<number, number>();
  for (const step of isMoved ? [] : stepsFor(reader.effort)) {
    if (step.isBase) ends.clear();
    const { vain, tried } = await mendOpen(reading, reader, open, { ...step, mending, ends }, found);
    open = vain;
    if (found.mended === 0 && tried >= mostVain) break;
  }
  if (!isMoved) open = mendBytes(reading, reader, open, found);
  const broken = open.filter(({ known }) => known);
  if (reader.isBlind) found.blind = found.mended;
  found.doubted = reader.doubted ?? 0;
  found.broken = broken.length;
  found.offset = broken.length > 0 ? lowest(broken.map(({ place }) => place(0))) : -1;
  return found;
}

type Read = { rank: number; isWhole: boolean };

/** Slices of a rank that tell whether the reader understands such slices, and one in how many it must have read to its end; chosen on the bench. */
const telling = 6;
const leastWhole = 8;

/**
 * Whether slices that a reader fails on are damaged rather than written in a way that it does not know: with arithmetic coding none is read to its
 * end by chance, and what one cannot read of a kind of slices, it cannot read of most of them.
 */
function isUnderstood(reads: readonly Read[]): boolean {
  const ofRank = [0, 1, 2].map((rank) => reads.filter((read) => read.rank === rank));
  return (
    ofRank.every(
      (own) => own.length < telling || own.filter(({ isWhole }) => isWhole).length * leastWhole >= own.length,
    ) && reads.filter(({ isWhole }) => isWhole).length >= telling
  );
}

/**
 * Slices that cannot be read to their end: first what others build on, and of groups with few such slices, so that the effort is enough for
 * most groups. Null where that is so many that the stream is not understood.
 */
async function damagedUnits(
  { source, job }: Reading,
  reader: UnitReader,
  units: Iterable<PlacedUnit>,
): Promise<Damaged[] | null> {
  const open: (Damaged & { isWhole: boolean })[] = [];
  const reads: Read[] = [];
  let [read, group] = [0, 0];
  const checking = job.deadline.effort.share(checkEffort);
  for (const unit of units) {
    if (checking.isSpent) break;
    await source.pause(job.deadline);
    if (!reader.isSlice(unit.bytes)) continue;
    const rank = reader.rank(unit.bytes);
    if (rank === 0) group++;
    const { whole, parts } = reader.check(unit.bytes);
    const isWhole = parts > 0 && whole === parts;
    // The reader has not begun with what is no slice but for its first byte; a file may hold any number of those.
    if (parts === 0) checking.spend('sliceReading');
    const order = read++;
    reads.push({ rank, isWhole });
    // Sound slices are held only where those behind them may tell that they are not.
    if (!isWhole || reader.misplaced)
      open.push({ ...unit, isWhole, known: parts > 0, rank, searched: false, tried: 0, group, order });
  }
  const misplaced = reader.misplaced?.();
  const damaged: Damaged[] = open.filter(({ isWhole, bytes }) => !isWhole || misplaced?.has(bytes));
  const later = ({ rank }: Damaged) => (rank > 1 ? 1 : 0);
  const counts = new Map<number, number>();
  for (const unit of damaged) counts.set(unit.group, (counts.get(unit.group) ?? 0) + 1);
  const countOf = (unit: Damaged) => counts.get(unit.group) ?? 0;
  damaged.sort((one, other) => later(one) - later(other) || countOf(one) - countOf(other) || one.order - other.order);
  return damaged.length * 3 <= read || (!reader.isBlind && isUnderstood(reads)) ? damaged : null;
}

/** Whether a slice comes behind the first of its group that stays broken. */
const isBehind = ({ group, order }: Damaged, ends: ReadonlyMap<number, number>): boolean =>
  order > (ends.get(group) ?? Number.POSITIVE_INFINITY);

/** Zeroes in a row that no single wrong bit makes: no codec of slices leaves more than three bytes of them (ISO/IEC 14496-10, 7.4.1). */
const zeroes = Buffer.alloc(16);

/** Whether something else was written over a slice, which then has more wrong bits than one; zeroes at its end may be filling. */
function isWrittenOver(bytes: Buffer): boolean {
  const hit = bytes.indexOf(zeroes);
  return hit >= 0 && bytes.subarray(hit).some((byte) => byte !== 0);
}

/** Whether nothing comes of looking through a slice with so much effort: what was looked through to its end is not looked through again. */
const isKnown = ({ searched, tried, bytes }: Damaged, limit: number, share: Effort): boolean =>
  searched || tried >= limit || bytes.length > largest || share.isSpent || isWrittenOver(bytes);

/**
 * Looks for wrong bits in slices, each with a share of the effort; those that stay broken, and how many were looked through for nothing. `found`
 * takes what came of it, and `ends` the first of each group that others build on and that stays broken: behind it no picture becomes what it was,
 * so that those come last. Other damage than single bits is given up soon.
 */
async function mendOpen(
  { source, job }: Reading,
  reader: UnitReader,
  open: readonly Damaged[],
  { limit, isBase, isStrict, mending, ends }: MendStep & { mending: Effort; ends: Map<number, number> },
  found: Mending,
): Promise<{ vain: Damaged[]; tried: number }> {
  const vain: Damaged[] = [];
  let tried = 0;
  for (const unit of open) {
    if (unit.rank <= 1 !== isBase || (isStrict && isBehind(unit, ends))) {
      vain.push(unit);
      continue;
    }
    const share = mending.share(limit);
    const isVain = found.mended === 0 && tried >= mostVain;
    const gaveUp = isVain || isKnown(unit, limit, share);
    const bits = gaveUp ? null : reader.mend(unit.bytes, share);
    if (bits) {
      for (const { at, byte } of bits) source.mend(unit.place(at), byte);
      found.bits += bits.length;
      found.mended++;
    } else {
      if (!gaveUp) tried++;
      vain.push(gaveUp ? unit : { ...unit, searched: !share.isSpent, tried: limit });
      if (isBase && !isBehind(unit, ends)) ends.set(unit.group, unit.order);
    }
    await source.pause(job.deadline);
  }
  return { vain, tried };
}

/** Slices of a track that may stay broken for a byte to be looked for in them, and the effort for it, in units; chosen on copies with one and with ten wrong bytes. */
const mostForBytes = 3;
const byteEffort = 1500;

/** Looks for single wrong bytes in the few slices that are left, those that others build on first; the ones that stay broken. */
function mendBytes({ source, job }: Reading, reader: UnitReader, open: readonly Damaged[], found: Mending): Damaged[] {
  const known = open.filter((unit) => unit.known);
  if (!reader.mendByte || known.length > mostForBytes) return [...open];
  const effort = job.deadline.effort.share(byteEffort);
  return open.filter((unit) => {
    const isOpen = unit.known && unit.bytes.length <= largest && !effort.isSpent && !isWrittenOver(unit.bytes);
    const bytes = isOpen ? (reader.mendByte?.(unit.bytes, effort) ?? null) : null;
    for (const { at, byte } of bytes ?? []) {
      const place = unit.place(at);
      found.bits += ones[(source.read(place, 1)[0] ?? 0) ^ byte] ?? 0;
      source.mend(place, byte);
    }
    if (bytes) found.mended++;
    return bytes === null;
  });
}

/** Before anything was read. */
export const nothingMended = (): Mending => ({ broken: 0, offset: -1, mended: 0, bits: 0, blind: 0, doubted: 0 });

/** Adds what came of one track to that of others. */
export function addMending(sum: Mending, one: Mending): void {
  if (sum.broken === 0) sum.offset = one.offset;
  sum.broken += one.broken;
  sum.mended += one.mended;
  sum.bits += one.bits;
  sum.blind += one.blind;
  sum.doubted += one.doubted;
}

/** What came of it, as facts. */
export function factsOf({ broken, offset, mended, bits, blind, doubted }: Mending) {
  const damages: Damage[] = [];
  const steps: Step[] = [];
  const rebuilt: Rebuilt[] = [];
  const lost: Loss[] = [];
  if (mended > 0) {
    damages.push({ kind: 'bits', bits, frames: mended });
    steps.push({ kind: 'bits', bits });
    rebuilt.push({ unit: 'frames', count: mended, how: 'bits' });
  }
  // Where several wrong bits were noticed others were most likely not.
  const doubtful = blind > 1 ? blind : doubted;
  if (doubtful > 0) lost.push({ unit: 'frames', count: doubtful, how: 'doubtful' });
  if (broken > 0) {
    damages.push({ kind: 'frames', frames: broken, how: 'unreadable', offset });
    lost.push({ unit: 'frames', count: broken, how: 'inside' });
  }
  return { damages, steps, rebuilt, lost };
}
