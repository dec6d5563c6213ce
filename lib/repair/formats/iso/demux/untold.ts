import { writeAvcSets } from '../../../codecs/avc/fields';
import { searchAvcFields } from '../../../codecs/avc/search';
import { readAvcSps } from '../../../codecs/avc/sets';
import { isIrap } from '../../../codecs/hevc/naltypes';
import { searchHevcFields } from '../../../codecs/hevc/search';
import { readHevcSps } from '../../../codecs/hevc/sets';
import { writeHevcSets } from '../../../codecs/hevc/write';
import { Buffer } from '../../../host/bytes';
import type { Step } from '../../../report/facts/video';
import type { Reading } from '../../../video/session';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import { avcEntry, hevcEntry, madeTemplate } from './entries';
import type { Template } from './template';

/** Effort for the search, in units, and how many pictures it looks at; chosen on the bench. */
const mostEffort = 5000;
const mostUnits = 200;
/** How far raw data is looked through, in bytes, and the largest slice. */
const searched = 16 << 20;
const largest = 4 << 20;

/** The first slices of pictures among frames that consist of units behind lengths of four bytes. */
export function firstSlices(source: Source, frames: readonly Span[], isSlice: (unit: Buffer) => boolean): Buffer[] {
  const units: Buffer[] = [];
  for (const { from, to } of frames) {
    for (let at = from; at + 6 < to && units.length < mostUnits; ) {
      const length = source.word(at);
      if (length < 3 || at + 4 + length > to) break;
      const unit = source.copy(at + 4, length);
      if (isSlice(unit)) {
        units.push(unit);
        break;
      }
      at += 4 + length;
    }
  }
  return units;
}

/** The same in raw data: a length that is none of a large slice, a slice's head of the only layer, the first slice of its picture. */
export function hevcSlicesWithin(source: Source, spans: readonly Span[]): Buffer[] {
  const units: Buffer[] = [];
  for (const { from, to } of spans) {
    const end = Math.min(to, from + searched);
    for (let at = source.find(one, from + 5, end); at >= 0; at = source.find(one, at + 1, end)) {
      if (units.length >= mostUnits) return units;
      const head = source.read(at - 5, 7);
      if (head.length < 7 || head[0] !== 0 || ((head[6] ?? 0) & 0x80) === 0) continue;
      const length = head.readUInt32BE(0);
      const type = (head[4] ?? 0) >> 1;
      if (((head[4] ?? 0) & 0x81) !== 0 || !(type <= 1 || (type >= 6 && type <= 9) || isIrap(type))) continue;
      if (length < 16 || length > largest || at - 1 + length > to) continue;
      units.push(source.copy(at - 1, length));
      at += length - 3;
    }
  }
  return units;
}

const one = Buffer.from([1]);

/** Slices of H.264 in raw data: types 1 and 5, and the first macroblock of a picture with the pictures' only parameter set. */
export function avcSlicesWithin(source: Source, spans: readonly Span[]): Buffer[] {
  const units: Buffer[] = [];
  for (const { from, to } of spans) {
    const end = Math.min(to, from + searched);
    for (let at = from; at + 6 < end && units.length < mostUnits; ) {
      const length = firstSliceAt(source, at, to);
      if (length > 0) units.push(source.copy(at + 4, length));
      const next = length > 0 ? at + 4 + length : at + 1;
      // Lengths of slices begin with a zero.
      at = source.word(next) >>> 24 === 0 ? next : source.find(zero, next, end);
      if (at < 0) break;
    }
  }
  return units;
}

const zero = Buffer.from([0]);

/** Length of the unit behind a length at `at` where that is the first slice of a picture (ISO/IEC 14496-10, 7.3.1 and 7.3.3); 0 elsewhere. */
function firstSliceAt(source: Source, at: number, to: number): number {
  const head = source.read(at, 6);
  if (head.length < 6) return 0;
  const length = head.readUInt32BE(0);
  if (length < leastSlice || length > largest || at + 4 + length > to) return 0;
  const unit = head[4] ?? 0x80;
  const type = unit & 0x1f;
  const isSlice = (type === 1 || type === 5) && (unit & 0x80) === 0 && (type === 1 || (unit & 0x60) !== 0);
  // first_mb_in_slice of 0 is a one.
  return isSlice && ((head[5] ?? 0) & 0x80) !== 0 ? length : 0;
}

/** Bytes of the shortest slice that is taken for one in raw data. */
const leastSlice = 16;

/** Picture of HEVC without parameter sets and without a working video, told by reading its slices until they fit; null when nothing does. */
export function hevcBySearch({ job }: Reading, units: readonly Buffer[], did: (step: Step) => void): Template | null {
  if (units.length < 3) return null;
  const found = searchHevcFields(units, job.deadline.effort.share(mostEffort));
  if (!found) return null;
  const { fields, width, height } = found;
  const { vps, sps, pps } = writeHevcSets(fields, found);
  const told = readHevcSps(sps);
  if (!told) return null;
  did({ kind: 'search', width, height });
  return madeTemplate('vide', hevcEntry(vps, sps, told, pps), 30000, 0);
}

/** The same for H.264, without what its encoder says of itself. */
export function avcBySearch({ job }: Reading, units: readonly Buffer[], did: (step: Step) => void): Template | null {
  if (units.length < 3) return null;
  const found = searchAvcFields(units, job.deadline.effort.share(mostEffort));
  if (!found) return null;
  const { fields, width, height, held } = found;
  const { sps, pps } = writeAvcSets(fields, width, height, held);
  const told = readAvcSps(sps);
  if (!told) return null;
  // What the quantiser starts from changes nothing in how slices without arithmetic coding are read.
  did({ kind: 'search', width, height, isToned: !fields.entropy_coding_mode_flag });
  return madeTemplate('vide', avcEntry(sps, told, pps), 30000, 0);
}
