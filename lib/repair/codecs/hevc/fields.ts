import type { Buffer } from '../../host/bytes';
import { BitReader, golomb, signedGolomb, unescaped } from '../bits';
import { BitWriter } from '../bitwriter';
import { skipSubLayers } from './sets';

/** What the parameter sets of HEVC say about how slices are read (ISO/IEC 23008-2, 7.3.2.2 and 7.3.2.3), 4:2:0, without tiles and PCM. */
export type HevcFields = {
  /** Size as coded, in pixels: whole smallest coding blocks. */
  width: number;
  height: number;
  depth: number;
  orderBits: number;
  /** Sizes of blocks as logarithms. */
  minBlock: number;
  maxBlock: number;
  minTransform: number;
  maxTransform: number;
  interDepth: number;
  intraDepth: number;
  amp: boolean;
  sao: boolean;
  temporalVectors: boolean;
  strongSmoothing: boolean;
  /** Reference picture sets of the sequence: for each how many pictures before and after, and how many of them are used. */
  sets: readonly RefSet[];
  dependent: boolean;
  outputFlag: boolean;
  extraBits: number;
  signHiding: boolean;
  cabacInit: boolean;
  refs: readonly [number, number];
  initQp: number;
  transformSkip: boolean;
  qpDelta: boolean;
  qpDeltaDepth: number;
  chromaOffsets: readonly [number, number];
  sliceChroma: boolean;
  weighted: boolean;
  weightedBoth: boolean;
  bypass: boolean;
  rows: boolean;
  filterAcross: boolean;
  deblockOverride: boolean;
  deblockOff: boolean;
  listsModified: boolean;
  headerExtension: boolean;
};

/** Offsets of reference pictures, and which are used by the picture itself. */
export type RefSet = { before: number[]; after: number[]; used: number };

/** A reference picture set that is told by another (inter_ref_pic_set_prediction_flag). */
function predictRefSet(bits: BitReader, index: number, count: number, sets: readonly RefSet[]): RefSet | null {
  const back = index === count ? golomb(bits) + 1 : 1;
  const sign = bits.bit();
  const delta = (golomb(bits) + 1) * (sign ? -1 : 1);
  const from = sets[index - back];
  if (!from) return null;
  const made: RefSet = { before: [], after: [], used: 0 };
  for (const offset of [...from.before, ...from.after, 0]) {
    const used = bits.bit() === 1;
    if (!used && bits.bit() === 0) continue;
    const place = offset + delta;
    if (used) made.used++;
    if (place < 0) made.before.push(place);
    else if (place > 0) made.after.push(place);
  }
  made.before.sort((left, right) => right - left);
  made.after.sort((left, right) => left - right);
  return made;
}

/** A reference picture set (7.3.7); `index` of `sets`, which all come before it. Null when it is broken. */
export function readRefSet(bits: BitReader, index: number, count: number, sets: readonly RefSet[]): RefSet | null {
  if (index > 0 && bits.bit() === 1) return predictRefSet(bits, index, count, sets);
  const [before, after] = [golomb(bits), golomb(bits)];
  if (before > 16 || after > 16) return null;
  const made: RefSet = { before: [], after: [], used: 0 };
  for (const [list, length, step] of [[made.before, before, -1] as const, [made.after, after, 1] as const])
    for (let place = 0, number = 0; number < length; number++) {
      place += step * (golomb(bits) + 1);
      list.push(place);
      made.used += bits.bit();
    }
  return made;
}

/** st_ref_pic_set of a sequence, all of them (7.3.2.2.1). */
function readRefSets(bits: BitReader): RefSet[] | null {
  const sets: RefSet[] = [];
  const count = golomb(bits);
  if (count > 64) return null;
  for (let index = 0; index < count; index++) {
    const set = readRefSet(bits, index, count, sets);
    if (!set) return null;
    sets.push(set);
  }
  return sets;
}

function skipScaling(bits: BitReader): void {
  for (let size = 0; size < 4; size++)
    for (let matrix = 0; matrix < 6; matrix += size === 3 ? 3 : 1) {
      if (bits.bit() === 0) {
        golomb(bits);
        continue;
      }
      if (size > 1) signedGolomb(bits);
      for (let count = Math.min(64, 16 << (2 * size)); count > 0; count--) signedGolomb(bits);
    }
}

type Sequence = Pick<
  HevcFields,
  | 'width'
  | 'height'
  | 'depth'
  | 'orderBits'
  | 'minBlock'
  | 'maxBlock'
  | 'minTransform'
  | 'maxTransform'
  | 'interDepth'
  | 'intraDepth'
  | 'amp'
  | 'sao'
  | 'temporalVectors'
  | 'strongSmoothing'
  | 'sets'
>;

function readSequence(unit: Buffer): Sequence | null {
  if (unit.length < 16 || (((unit[0] ?? 0) >> 1) & 63) !== 33) return null;
  const bits = new BitReader(unescaped(unit.subarray(2)));
  bits.skip(4);
  const layers = bits.take(3);
  bits.skip(1 + 3);
  const profile = bits.take(5);
  bits.skip(88);
  skipSubLayers(bits, layers);
  golomb(bits);
  // Main, Main 10 and their still picture have no tools beyond those read here.
  if (profile < 1 || profile > 3 || golomb(bits) !== 1) return null;
  const width = golomb(bits);
  const height = golomb(bits);
  if (bits.bit() === 1) for (let side = 0; side < 4; side++) golomb(bits);
  const depth = golomb(bits) + 8;
  golomb(bits);
  const orderBits = golomb(bits) + 4;
  for (let layer = bits.bit() === 1 ? 0 : layers; layer <= layers; layer++)
    for (let field = 0; field < 3; field++) golomb(bits);
  const minBlock = golomb(bits) + 3;
  const maxBlock = minBlock + golomb(bits);
  const minTransform = golomb(bits) + 2;
  const maxTransform = minTransform + golomb(bits);
  const interDepth = golomb(bits);
  const intraDepth = golomb(bits);
  if (bits.bit() === 1 && bits.bit() === 1) skipScaling(bits);
  const amp = bits.bit() === 1;
  const sao = bits.bit() === 1;
  if (bits.bit() === 1) return null;
  const sets = readRefSets(bits);
  if (!sets || bits.bit() === 1) return null;
  const temporalVectors = bits.bit() === 1;
  const strongSmoothing = bits.bit() === 1;
  const fits = maxBlock <= 6 && maxTransform <= 5 && width > 0 && height > 0 && width <= 8192 && height <= 8192;
  if (bits.over || !fits || depth > 10 || orderBits > 16) return null;
  return {
    ...{ width, height, depth, orderBits, minBlock, maxBlock, minTransform, maxTransform, interDepth, intraDepth },
    ...{ amp, sao, temporalVectors, strongSmoothing, sets },
  };
}

/** Reads a pair of parameter sets with their NAL headers; null where they are broken or use what is not read here. */
export function readHevcFields(sps: Buffer, pps: Buffer): HevcFields | null {
  const sequence = readSequence(sps);
  if (!sequence || (((pps[0] ?? 0) >> 1) & 63) !== 34) return null;
  const bits = new BitReader(unescaped(pps.subarray(2)));
  const flag = () => bits.bit() === 1;
  golomb(bits);
  golomb(bits);
  const [dependent, outputFlag, extraBits] = [flag(), flag(), bits.take(3)];
  const [signHiding, cabacInit] = [flag(), flag()];
  const refs = [golomb(bits) + 1, golomb(bits) + 1] as const;
  const initQp = 26 + signedGolomb(bits);
  bits.skip(1);
  const transformSkip = flag();
  const qpDelta = flag();
  const qpDeltaDepth = qpDelta ? golomb(bits) : 0;
  const chromaOffsets = [signedGolomb(bits), signedGolomb(bits)] as const;
  const [sliceChroma, weighted, weightedBoth, bypass] = [flag(), flag(), flag(), flag()];
  const tiles = flag();
  const [rows, filterAcross] = [flag(), flag()];
  let [deblockOverride, deblockOff] = [false, false];
  if (flag()) {
    [deblockOverride, deblockOff] = [flag(), flag()];
    if (!deblockOff) {
      signedGolomb(bits);
      signedGolomb(bits);
    }
  }
  if (flag()) skipScaling(bits);
  const listsModified = flag();
  golomb(bits);
  const headerExtension = flag();
  if (bits.over || tiles || refs[0] > 15 || refs[1] > 15) return null;
  return {
    ...sequence,
    ...{ dependent, outputFlag, extraBits, signHiding, cabacInit, refs, initQp, transformSkip, qpDelta, qpDeltaDepth },
    ...{ chromaOffsets, sliceChroma, weighted, weightedBoth, bypass, rows, filterAcross, deblockOverride, deblockOff },
    ...{ listsModified, headerExtension },
  };
}

function profile(bits: BitWriter, depth: number): BitWriter {
  // Main or Main 10, progressive frames, level 5.1 (7.3.3).
  const main10 = depth > 8;
  bits
    .put(2, 0)
    .put(1, 0)
    .put(5, main10 ? 2 : 1);
  for (let index = 0; index < 32; index++) bits.flag(index === 2 || (index === 1 && !main10));
  return bits.put(1, 1).put(1, 0).put(1, 0).put(1, 1).put(24, 0).put(20, 0).put(8, 153);
}

/** Writes parameter sets that say this, of pictures of `shown` pixels. */
export function writeHevcSets(
  fields: HevcFields,
  shown: { width: number; height: number },
): { vps: Buffer; sps: Buffer; pps: Buffer } {
  const vps = profile(new BitWriter().put(4, 0).put(2, 3).put(6, 0).put(3, 0).put(1, 1).put(16, 0xffff), fields.depth)
    .put(1, 1)
    .golomb(4)
    .golomb(2)
    .golomb(0)
    .put(6, 0)
    .golomb(0)
    .put(1, 0)
    .put(1, 0);
  const sps = profile(new BitWriter().put(4, 0).put(3, 0).put(1, 1), fields.depth).golomb(0).golomb(1);
  const right = (fields.width - shown.width) >> 1;
  const bottom = (fields.height - shown.height) >> 1;
  sps
    .golomb(fields.width)
    .golomb(fields.height)
    .flag(right > 0 || bottom > 0);
  if (right > 0 || bottom > 0) sps.golomb(0).golomb(right).golomb(0).golomb(bottom);
  sps
    .golomb(fields.depth - 8)
    .golomb(fields.depth - 8)
    .golomb(fields.orderBits - 4)
    .put(1, 1)
    .golomb(5)
    .golomb(2)
    .golomb(0);
  sps.golomb(fields.minBlock - 3).golomb(fields.maxBlock - fields.minBlock);
  sps.golomb(fields.minTransform - 2).golomb(fields.maxTransform - fields.minTransform);
  sps.golomb(fields.interDepth).golomb(fields.intraDepth).put(1, 0).flag(fields.amp).flag(fields.sao).put(1, 0);
  // Reference picture sets are told in the slices; no long-term references, no usability information.
  sps.golomb(0).put(1, 0).flag(fields.temporalVectors).flag(fields.strongSmoothing).put(2, 0);
  const pps = new BitWriter().golomb(0).golomb(0).flag(fields.dependent).flag(fields.outputFlag);
  pps.put(3, fields.extraBits).flag(fields.signHiding).flag(fields.cabacInit);
  pps.golomb(fields.refs[0] - 1).golomb(fields.refs[1] - 1);
  pps
    .signed(fields.initQp - 26)
    .put(1, 0)
    .flag(fields.transformSkip)
    .flag(fields.qpDelta);
  if (fields.qpDelta) pps.golomb(fields.qpDeltaDepth);
  pps.signed(fields.chromaOffsets[0]).signed(fields.chromaOffsets[1]).flag(fields.sliceChroma);
  pps.flag(fields.weighted).flag(fields.weightedBoth).flag(fields.bypass).put(1, 0).flag(fields.rows);
  pps.flag(fields.filterAcross).flag(fields.deblockOverride || fields.deblockOff);
  if (fields.deblockOverride || fields.deblockOff) {
    pps.flag(fields.deblockOverride).flag(fields.deblockOff);
    if (!fields.deblockOff) pps.signed(0).signed(0);
  }
  pps.put(1, 0).flag(fields.listsModified).golomb(0).flag(fields.headerExtension).put(1, 0);
  return { vps: vps.unit([0x40, 1]), sps: sps.unit([0x42, 1]), pps: pps.unit([0x44, 1]) };
}
