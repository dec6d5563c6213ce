import { counted, type Draft, type Outcome } from '../report';
import { readHevcFields } from './codec/hevc-fields';
import { HevcUnits } from './codec/hevc-unit';
import type { UnitReader } from './codec/units';
import { parameterSets } from './iso/demux/template';
import { type Session, writeOutput } from './session';
import type { Source } from './source';

/** Longest times that frames are read, and that wrong bits are looked for in one of them and in all, in milliseconds. */
const time = { check: 1200, mendOne: 3000, mend: 12_000 };
/** Largest slice that is looked through bit by bit, and broken ones before it is given up that are found with nothing to mend, in bytes. */
const largest = 1 << 18;
const mostVain = 6;

type Frame = { from: number; to: number };

/** What came of reading the frames: those that are broken and stay so, those in which bits were set right, and how many bits. */
export type Mending = { broken: number; offset: number; mended: number; bits: number };

/** Reader of the slices of a track by its configuration, avcC or hvcC in a sample description or by itself; null for streams that it cannot read. */
export function unitReaderFor(codec: 'avc' | 'hevc', sets: readonly Buffer[]): UnitReader | null {
  if (codec === 'avc') return null;
  const isType = (type: number) => (set: Buffer) => (((set[0] ?? 0) >> 1) & 63) === type;
  const [sps, pps] = [sets.filter(isType(33)), sets.filter(isType(34))];
  const [first, second] = [sps[0], pps[0]];
  const fields = first && second && sps.length + pps.length === 2 ? readHevcFields(first, second) : null;
  return fields && new HevcUnits(fields);
}

/** The sets of a configuration that stands without the head of its box. */
export function setsOf(codec: 'avc' | 'hevc', configuration: Buffer): Buffer[] {
  return parameterSets(Buffer.concat([Buffer.alloc(4), Buffer.from(codec === 'avc' ? 'avcC' : 'hvcC'), configuration]));
}

/**
 * Units of a frame behind lengths of four bytes. The last length is put right where a single bit of it keeps it from leading to the end
 * of the frame.
 */
function unitsOf(source: Source, { from, to }: Frame): { at: number; length: number }[] {
  const units: { at: number; length: number }[] = [];
  for (let at = from; at + 6 < to; ) {
    let length = source.word(at);
    const rest = to - at - 4;
    if (length < 2 || length > rest) {
      const wrong = (length ^ rest) >>> 0;
      if (wrong === 0 || (wrong & (wrong - 1)) !== 0) return units;
      for (let byte = 0; byte < 4; byte++) source.mend(at + byte, (rest >>> (24 - byte * 8)) & 255);
      length = rest;
    }
    units.push({ at: at + 4, length });
    at += 4 + length;
  }
  return units;
}

/**
 * Reads the slices of a track as far as time allows, and sets single wrong bits right for all that read the file afterwards. A stream
 * of which much cannot be read is one that this reader does not understand, and says nothing.
 */
export async function mendFrames(session: Session, reader: UnitReader, frames: Iterable<Frame>): Promise<Mending> {
  const { source, job } = session;
  const found: Mending = { broken: 0, offset: -1, mended: 0, bits: 0 };
  const damaged: { at: number; length: number; known: boolean }[] = [];
  let read = 0;
  const until = performance.now() + Math.min(time.check, job.deadline.left / 4);
  for (const frame of frames) {
    if (performance.now() > until) break;
    for (const { at, length } of unitsOf(source, frame)) {
      const unit = source.copy(at, length);
      if (!reader.isSlice(unit)) continue;
      read++;
      const { whole, parts } = reader.check(unit);
      if (whole < parts || parts === 0) damaged.push({ at, length, known: parts > 0 });
    }
    await source.pause(job.deadline);
  }
  if (damaged.length * 3 > read) return found;
  const last = performance.now() + Math.min(time.mend, job.deadline.left / 3);
  let vain = 0;
  // Short ones are looked through soon, so that the time is enough for most of them.
  for (const { at, length, known } of damaged.sort((one, other) => one.length - other.length)) {
    const unit = source.copy(at, length);
    const end = Math.min(last, performance.now() + time.mendOne);
    const left = () => performance.now() < end;

    const bits = length <= largest && vain < mostVain && left() ? reader.mend(unit, left) : null;
    if (bits) {
      for (const { at: place, byte } of bits) source.mend(at + place, byte);
      found.mended++;
      found.bits += bits.length;
    } else {
      vain++;
      if (!known) continue;
      if (found.broken === 0 || at < found.offset) found.offset = at;
      found.broken++;
    }
    await source.pause(job.deadline);
  }
  return found;
}

/** Adds what came of one track to that of others. */
export function addMending(sum: Mending, one: Mending): void {
  if (sum.broken === 0) sum.offset = one.offset;
  sum.broken += one.broken;
  sum.mended += one.mended;
  sum.bits += one.bits;
}

/** Says in the report what came of it. */
export function noteMending(draft: Draft, { broken, offset, mended, bits }: Mending): void {
  if (mended > 0) {
    draft.find('bits', `${counted(bits, 'single bit')} inside ${counted(mended, 'frame')} had changed.`);
    draft.step(
      'bits',
      `${counted(bits, 'wrong bit')} inside frames were found by reading them bit by bit, and set right.`,
    );
    draft.rebuilt.push({ unit: 'frames', count: mended, detail: 'in which wrong bits were set right' });
  }
  if (broken > 0) {
    draft.find('frames', `The data of ${counted(broken, 'frame')} cannot be read to the end.`, offset);
    draft.lost.push({ unit: 'frames', count: broken, detail: 'damaged inside' });
  }
}

/** Hands out the file as it was but for the bits that were set right; `frames` is how many it has. */
export async function copiedMended(session: Session, frames: number): Promise<Outcome> {
  const { job, source, draft } = session;
  const output = await writeOutput(job, async (sink) => void sink.take(source, 0, source.size));
  draft.kept.push({ unit: 'frames', count: frames });
  return draft.done(output, {
    repaired: 'The video is repaired: single bits that had changed inside its frames are as they were.',
    partly: 'Single bits that had changed inside frames are as they were; other damage inside frames stays.',
  });
}
