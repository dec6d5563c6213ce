import { planeTypes } from '../../../codecs/mpeg4/header';
import { writeLayer } from '../../../codecs/mpeg4/layer';
import { type PlaneEnds, type PlaneHead, planeSizes, readPlaneHead } from '../../../codecs/mpeg4/untold';
import { usualSizes } from '../../../codecs/sizes';
import { commonest } from '../../../core/commonest';
import { Buffer } from '../../../host/bytes';
import type { Step } from '../../../report/facts/video';
import type { Reading } from '../../../video/session';
import type { Source } from '../../../video/source';
import { startCode } from '../../../video/startcodes';
import type { Span } from './demux';
import { esds, madeTemplate, visualEntry } from './entries';
import type { Template } from './template';

/** Pictures that are looked at, and how many of those that stand alone; how far data is looked through, and the largest picture, in bytes. */
const looked = 300;
const lookedAlone = 12;
const searched = 32 << 20;
const largest = 1 << 19;
/** Share of pictures whose heads must be readable, the fewest pictures, and the fewest that stand alone where others follow each at once. */
const mostOf = 0.9;
const fewest = 5;
const fewestAlone = 3;
/** Bits of vop_time_increment (ISO/IEC 14496-2, 6.3.5), and of a head, in bytes. */
const mostClockBits = 16;
const headBytes = 16;
/** Effort for reading pictures, in units. */
const effortForPlanes = 600;

/** Bytes of a plane that holds nothing (vop_coded of 0, 6.2.5), as packed streams have them, behind its start code. */
const mostEmpty = 8;

const planeCode = Buffer.from([0, 0, 1, 0xb6]);

type Plane = { from: number; to: number };
type Clock = { bits: number; heads: { plane: Plane; head: PlaneHead }[] };

/** Video object planes behind their start codes, each up to the next start code. */
function planesIn(source: Source, spans: readonly Span[]): Plane[] {
  const planes: Plane[] = [];
  for (const { from, to } of spans) {
    const end = Math.min(to, from + searched);
    for (let at = source.find(planeCode, from, end); at >= 0 && planes.length < looked; ) {
      const next = source.find(startCode, at + 4, to);
      planes.push({ from: at + 4, to: Math.min(next < 0 ? to : next, at + largest) });
      at = source.find(planeCode, at + 4, end);
    }
  }
  return planes;
}

/** The number of bits of the clock with which the heads of nearly all pictures can be read. */
function clockOf(source: Source, planes: readonly Plane[]): Clock | null {
  const starts = planes.map((plane) => ({ plane, bytes: source.copy(plane.from, headBytes) }));
  for (let bits = 1; bits <= mostClockBits; bits++) {
    const heads = starts.flatMap(({ plane, bytes }) => {
      const head = readPlaneHead(bytes, bits);
      return head ? [{ plane, head }] : [];
    });
    if (heads.length >= planes.length * mostOf) return { bits, heads };
  }
  return null;
}

/** Ticks from one picture to the next as they are shown, by those before the clock begins anew. */
function shownStep({ heads }: Clock): number {
  const anew = heads.findIndex(({ head }) => head.seconds > 0);
  const ticks = heads.slice(0, anew < 0 ? heads.length : anew).map(({ head }) => head.ticks);
  const rising = [...new Set(ticks)].sort((one, other) => one - other);
  return commonest(rising.slice(1).map((tick, index) => tick - (rising[index] ?? 0))).value;
}

/** Ticks from one picture to the next, and ticks of a second where the clock begins anew; 0 where that is not told. */
function ticksOf(clock: Clock): { step: number; resolution: number } {
  const shown = clock.heads.filter(({ head }) => head.kind !== planeTypes.between).map(({ head }) => head);
  const pairs = shown.slice(1).map((head, index) => ({ head, before: shown[index]?.ticks ?? 0 }));
  const within = pairs.filter(({ head, before }) => head.seconds === 0 && head.ticks > before);
  const step = commonest(within.map(({ head, before }) => head.ticks - before)).value;
  const wraps = pairs.filter(({ head }) => head.seconds === 1).map(({ head, before }) => before + step - head.ticks);
  const { value, count } = commonest(wraps);
  return { step: shownStep(clock), resolution: count > 0 && step > 0 && value >= step ? value : 0 };
}

/** Size of the pictures: a usual one of so many macroblocks as all that stand alone may have. */
function sizeOf(
  { source, job }: Reading,
  { heads }: Clock,
): { size: readonly [number, number]; hasPackets: boolean } | null {
  const effort = job.deadline.effort.share(effortForPlanes);
  const read: PlaneEnds[] = [];
  for (const { plane, head } of heads) {
    if (head.kind !== planeTypes.intra || read.length >= lookedAlone || effort.isSpent) continue;
    read.push(planeSizes(source.copy(plane.from, plane.to - plane.from), head, effort));
  }
  const blocks = ([width, height]: readonly [number, number]) => Math.ceil(width / 16) * Math.ceil(height / 16);
  const fits = (size: readonly [number, number]) =>
    read.filter(({ ends }) => ends.has(blocks(size))).length >= read.length * mostOf;
  const [best, ...others] = usualSizes.filter(fits).sort((one, other) => blocks(other) - blocks(one));
  const isOnly = others.every((other) => best && blocks(other) === blocks(best));
  if (!best || (read.length < fewestAlone && !isOnly)) return null;
  return { size: best, hasPackets: read.some(({ hasPackets }) => hasPackets) };
}

/** What a lost video object layer said, and the headers that say it; `step` are ticks from one picture to the next, `resolution` those of a second, 0 where untold. */
export type PlanesFound = { width: number; height: number; layer: Buffer; resolution: number; step: number };

/**
 * What the lost video object layer of MPEG-4 Part 2 said: the clock is told by the heads of its pictures, the size by how many macroblocks
 * those have that stand alone. Null where they are none, or of no usual size.
 */
export function searchPlanes(reading: Reading, spans: readonly Span[]): PlanesFound | null {
  const planes = planesIn(reading.source, spans).filter(({ from, to }) => to - from > mostEmpty);
  const clock = planes.length >= fewest ? clockOf(reading.source, planes) : null;
  const found = clock && sizeOf(reading, clock);
  if (!clock || !found) return null;
  const [width, height] = found.size;
  const { step, resolution } = ticksOf(clock);
  const isReordered = clock.heads.some(({ head }) => head.kind === planeTypes.between);
  const layer = writeLayer({
    ...{ width, height, isReordered, hasPackets: found.hasPackets },
    resolution: resolution || 2 ** clock.bits - 1,
  });
  return { width, height, layer, resolution, step };
}

/** The same as the picture of a track. */
export function mpeg4BySearch(reading: Reading, spans: readonly Span[], did: (step: Step) => void): Template | null {
  const found = searchPlanes(reading, spans);
  if (!found) return null;
  const { width, height, layer, resolution, step } = found;
  did({ kind: 'search', width, height });
  const entry = visualEntry('mp4v', width, height, esds(0x20, layer));
  return resolution > 0 ? madeTemplate('vide', entry, resolution, step) : madeTemplate('vide', entry, 30000, 0);
}
