import type { Buffer } from '../../host/bytes';
import { BitReader, golomb, signedGolomb } from '../bits';
import { type HevcFields, readRefSet } from './fields';

/** A slice segment's header (ISO/IEC 23008-2, 7.3.6.1), as far as its data cannot be read without. */
export type HevcSlice = {
  /** 0: B, 1: P, 2: I. */
  kind: number;
  address: number;
  qp: number;
  saoLuma: boolean;
  saoChroma: boolean;
  refs: readonly [number, number];
  zeroSecond: boolean;
  initSwapped: boolean;
  mergeCandidates: number;
  /** First byte of the data, in the unit without emulation prevention. */
  body: number;
  /** Sizes of the parts of the data but the last, with emulation prevention. */
  entries: readonly number[];
};

/** Weights of references (7.3.6.3); false when no encoder writes them. */
function skipWeights(bits: BitReader, counts: readonly number[]): boolean {
  if (golomb(bits) > 7) return false;
  signedGolomb(bits);
  for (const count of counts) {
    const luma = Array.from({ length: count }, () => bits.bit());
    const chroma = Array.from({ length: count }, () => bits.bit());
    for (let index = 0; index < count; index++) {
      if (luma[index]) {
        if (Math.abs(signedGolomb(bits)) > 128 || Math.abs(signedGolomb(bits)) > 128) return false;
      }
      if (chroma[index])
        for (let plane = 0; plane < 2; plane++)
          if (Math.abs(signedGolomb(bits)) > 128 || Math.abs(signedGolomb(bits)) > 512) return false;
    }
  }
  return true;
}

/** Reads the header of a unit without emulation prevention; null when no encoder writes such a one, or it uses what is not read here. */
export function readHevcSlice(unit: Buffer, fields: HevcFields): HevcSlice | null {
  const type = ((unit[0] ?? 0) >> 1) & 63;
  const bits = new BitReader(unit, 2);
  const flag = () => bits.bit() === 1;
  const first = flag();
  const key = type >= 16 && type <= 23;
  if (key) bits.skip(1);
  if (golomb(bits) > 63) return null;
  const across = Math.ceil(fields.width / 2 ** fields.maxBlock);
  const blocks = across * Math.ceil(fields.height / 2 ** fields.maxBlock);
  if (!first && fields.dependent && flag()) return null;
  const address = first ? 0 : bits.take(Math.ceil(Math.log2(Math.max(2, blocks))));
  if (address >= blocks) return null;
  bits.skip(fields.extraBits);
  const kind = golomb(bits);
  if (kind > 2 || (key && kind !== 2)) return null;
  if (fields.outputFlag) bits.skip(1);
  let used = 0;
  let temporal = false;
  if (type !== 19 && type !== 20) {
    bits.skip(fields.orderBits);
    let set = null;
    if (!flag()) set = readRefSet(bits, fields.sets.length, fields.sets.length, fields.sets);
    else if (fields.sets.length > 0)
      set = fields.sets[fields.sets.length > 1 ? bits.take(Math.ceil(Math.log2(fields.sets.length))) : 0] ?? null;
    if (!set) return null;
    used = set.used;
    if (fields.temporalVectors) temporal = flag();
  }
  const saoLuma = fields.sao && flag();
  const saoChroma = fields.sao && flag();
  let refs: [number, number] = [0, 0];
  let [zeroSecond, initSwapped, mergeCandidates] = [false, false, 0];
  if (kind < 2) {
    refs = kind === 0 ? [...fields.refs] : [fields.refs[0], 0];
    if (flag()) refs = [golomb(bits) + 1, kind === 0 ? golomb(bits) + 1 : 0];
    if (refs[0] > 16 || refs[1] > 16 || used === 0) return null;
    if (fields.listsModified && used > 1)
      for (const count of refs.slice(0, kind === 0 ? 2 : 1)) if (flag()) bits.skip(count * Math.ceil(Math.log2(used)));
    zeroSecond = kind === 0 && flag();
    initSwapped = fields.cabacInit && flag();
    if (temporal) {
      const firstList = kind === 0 ? flag() : true;
      const count = firstList ? refs[0] : refs[1];
      if (count > 1 && golomb(bits) >= count) return null;
    }
    if ((fields.weighted && kind === 1) || (fields.weightedBoth && kind === 0))
      if (!skipWeights(bits, refs.slice(0, kind === 0 ? 2 : 1))) return null;
    mergeCandidates = 5 - golomb(bits);
    if (mergeCandidates < 1) return null;
  }
  const qp = fields.initQp + signedGolomb(bits);
  if (qp < -6 * (fields.depth - 8) || qp > 51) return null;
  if (fields.sliceChroma) for (let plane = 0; plane < 2; plane++) if (Math.abs(signedGolomb(bits)) > 12) return null;
  let off = fields.deblockOff;
  if (fields.deblockOverride && flag()) {
    off = flag();
    if (!off) for (let field = 0; field < 2; field++) if (Math.abs(signedGolomb(bits)) > 6) return null;
  }
  if (fields.filterAcross && (saoLuma || saoChroma || !off)) bits.skip(1);
  const entries: number[] = [];
  if (fields.rows) {
    const count = golomb(bits);
    if (count * across >= blocks && count > 0) return null;
    const length = count > 0 ? golomb(bits) + 1 : 0;
    if (length > 32) return null;
    for (let index = 0; index < count; index++)
      entries.push(bits.take(Math.max(0, length - 16)) * 65536 + bits.take(Math.min(16, length)) + 1);
  }
  if (fields.headerExtension) bits.skip(golomb(bits) * 8);
  // byte_alignment (7.3.2.12): a one, then zeroes.
  if (bits.bit() !== 1 || !bits.align() || bits.over) return null;
  return {
    ...{ kind, address, qp, saoLuma, saoChroma, refs, zeroSecond, initSwapped, mergeCandidates, entries },
    body: bits.position >> 3,
  };
}
