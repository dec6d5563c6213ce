import type { Buffer } from '../../host/bytes';
import { BitReader, golomb, signedGolomb, unescaped } from '../bits';
import type { NalHead, NalReader, Rate } from '../nal';

/** A sequence parameter set of H.264 (ISO/IEC 14496-10, 7.3.2.1.1), as far as slice headers and containers need it. */
export type AvcSps = {
  id: number;
  profile_idc: number;
  level_idc: number;
  width: number;
  height: number;
  log2_max_frame_num: number;
  /** 0: order counts lie in slice headers; 2: decoding order is display order. */
  pic_order_cnt_type: number;
  log2_max_pic_order_cnt_lsb: number;
  frame_mbs_only_flag: boolean;
  separate_colour_plane_flag: boolean;
  /** Macroblocks of a frame. */
  FrameSizeInMbs: number;
  rate: Rate | null;
};

/** A picture parameter set (7.3.2.2). */
export type AvcPps = { id: number; sps: number };

/** Values of profile_idc behind which chroma_format_idc stands (7.3.2.1.1). */
export const highProfiles = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

/** Passes over scaling lists (7.3.2.1.1.1). */
export function skipScaling(bits: BitReader, lists: number): void {
  for (let list = 0; list < lists; list++) {
    if (bits.bit() === 0) continue;
    let last = 8;
    let next = 8;
    for (let index = 0; index < (list < 6 ? 16 : 64); index++) {
      if (next !== 0) next = (last + signedGolomb(bits) + 256) % 256;
      if (next !== 0) last = next;
    }
  }
}

/** Passes over what comes behind pic_order_cnt_type 1. */
export function skipOrderCycle(bits: BitReader): void {
  signedGolomb(bits);
  signedGolomb(bits);
  for (let count = Math.min(255, golomb(bits)); count > 0; count--) signedGolomb(bits);
}

/** chroma_format_idc and what follows it in profiles that have it; null where no encoder writes such. */
function readChroma(bits: BitReader, profile: number): { chroma: number; planes: boolean } | null {
  if (!highProfiles.includes(profile)) return { chroma: 1, planes: false };
  const chroma = golomb(bits);
  const planes = chroma === 3 && bits.bit() === 1;
  if (golomb(bits) > 6 || golomb(bits) > 6 || chroma > 3) return null;
  bits.skip(1);
  if (bits.bit() === 1) skipScaling(bits, chroma === 3 ? 12 : 8);
  return { chroma, planes };
}

/** Sizes in macroblocks and pixels, from pic_width_in_mbs_minus1 to the cropping. */
function readSize(bits: BitReader, chroma: number) {
  const wide = golomb(bits) + 1;
  const high = golomb(bits) + 1;
  const framesOnly = bits.bit() === 1;
  if (!framesOnly) bits.skip(1);
  bits.skip(1);
  const crop = bits.bit() === 1 ? [golomb(bits), golomb(bits), golomb(bits), golomb(bits)] : [0, 0, 0, 0];
  const fields = framesOnly ? 1 : 2;
  const unitX = chroma === 1 || chroma === 2 ? 2 : 1;
  const unitY = (chroma === 1 ? 2 : 1) * fields;
  const width = wide * 16 - ((crop[0] ?? 0) + (crop[1] ?? 0)) * unitX;
  const height = high * 16 * fields - ((crop[2] ?? 0) + (crop[3] ?? 0)) * unitY;
  return { width, height, framesOnly, blocks: wide * high * fields };
}

/** Pictures a second that a stream may tell. */
const mostRate = 1000;

/** Frame rate in the usability information (annex E.1.1): a frame is two ticks. */
function readRate(bits: BitReader): Rate | null {
  if (bits.bit() === 1 && bits.take(8) === 255) bits.skip(32);
  if (bits.bit() === 1) bits.skip(1);
  if (bits.bit() === 1) {
    bits.skip(4);
    if (bits.bit() === 1) bits.skip(24);
  }
  if (bits.bit() === 1) {
    golomb(bits);
    golomb(bits);
  }
  if (bits.bit() === 0) return null;
  const units = bits.take(16) * 65536 + bits.take(16);
  const scale = bits.take(16) * 65536 + bits.take(16);
  return units > 0 && scale > 0 && scale / units < mostRate ? { units: units * 2, scale } : null;
}

/** Reads a sequence parameter set with its NAL header; null when it is broken. */
export function readAvcSps(unit: Buffer): AvcSps | null {
  if (unit.length < 5 || ((unit[0] ?? 0) & 31) !== 7) return null;
  const bits = new BitReader(unescaped(unit.subarray(1)));
  const profile = bits.take(8);
  bits.skip(8);
  const level = bits.take(8);
  const id = golomb(bits);
  const format = readChroma(bits, profile);
  if (!format) return null;
  const frameNumberBits = golomb(bits) + 4;
  const orderType = golomb(bits);
  let orderBits = 0;
  if (orderType === 0) orderBits = golomb(bits) + 4;
  else if (orderType === 1) {
    bits.skip(1);
    skipOrderCycle(bits);
  }
  if (id > 31 || frameNumberBits > 16 || orderType > 2 || orderBits > 16) return null;
  if (golomb(bits) > 16) return null;
  bits.skip(1);
  const { width, height, framesOnly, blocks } = readSize(bits, format.chroma);
  if (bits.over || width <= 0 || height <= 0 || width > 16384 || height > 16384) return null;
  const rate = bits.bit() === 1 ? readRate(bits) : null;
  return {
    id,
    profile_idc: profile,
    level_idc: level,
    width,
    height,
    log2_max_frame_num: frameNumberBits,
    pic_order_cnt_type: orderType,
    log2_max_pic_order_cnt_lsb: orderBits,
    frame_mbs_only_flag: framesOnly,
    separate_colour_plane_flag: format.planes,
    FrameSizeInMbs: blocks,
    rate,
  };
}

/** Reads the ids of a picture parameter set with its NAL header; null when it is broken. */
export function readAvcPps(unit: Buffer): AvcPps | null {
  if (unit.length < 2 || ((unit[0] ?? 0) & 31) !== 8) return null;
  const bits = new BitReader(unescaped(unit.subarray(1), 32));
  const id = golomb(bits);
  const sps = golomb(bits);
  return id > 255 || sps > 31 || bits.over ? null : { id, sps };
}

const nothing: NalHead = {
  slice: false,
  before: true,
  first: false,
  key: false,
  reset: false,
  reference: false,
  order: -1,
  mark: 0,
};

type Judge = (bytes: Buffer, length: number, reference: number) => NalHead | null;

/** Units that are no slices, by nal_unit_type (table 7-1): SEI, parameter sets, access unit delimiter and filler data. */
const unitsBeside: Readonly<Record<number, Judge>> = {
  6: (_, length, reference) => (reference === 0 && length < 65536 ? nothing : null),
  7: (_, length, reference) => (reference > 0 && length < 512 && length > 4 ? nothing : null),
  8: (_, length, reference) => (reference > 0 && length < 512 ? nothing : null),
  9: (bytes, length, reference) => (reference === 0 && length <= 3 && ((bytes[1] ?? 0) & 31) === 16 ? nothing : null),
  12: (bytes, _, reference) => (reference === 0 && bytes[1] === 0xff ? { ...nothing, before: false } : null),
};

/** Macroblocks of the largest picture of any level (table A-1: 36,864), with some room. */
const mostBlocks = 40_000;

/** Reader of H.264 units; strict where parameter sets are known. */
export class AvcReader implements NalReader {
  readonly needs = 24;
  readonly #sps = new Map<number, AvcSps>();
  readonly #pps = new Map<number, AvcPps>();

  learn(unit: Buffer): void {
    const sps = readAvcSps(unit);
    if (sps) this.#sps.set(sps.id, sps);
    const pps = readAvcPps(unit);
    if (pps) this.#pps.set(pps.id, pps);
  }

  #first(): AvcSps | undefined {
    return this.#sps.values().next().value;
  }

  orderRange(): number {
    const sps = this.#first();
    return sps?.pic_order_cnt_type === 0 ? 2 ** sps.log2_max_pic_order_cnt_lsb : 0;
  }

  rate(): Rate | null {
    return this.#first()?.rate ?? null;
  }

  head(bytes: Buffer, length: number): NalHead | null {
    const byte = bytes[0] ?? 0x80;
    const type = byte & 31;
    const reference = (byte >> 5) & 3;
    if (byte & 0x80 || length < 2) return null;
    const beside = unitsBeside[type];
    if (beside) return beside(bytes, length, reference);
    if ((type !== 1 && type !== 5) || (type === 5 && reference === 0)) return null;
    return this.#slice(bytes, type === 5, reference > 0);
  }

  /** A slice header (7.3.3) up to the picture order count. */
  #slice(bytes: Buffer, key: boolean, reference: boolean): NalHead | null {
    const bits = new BitReader(unescaped(bytes.subarray(1), 22));
    const block = golomb(bits);
    const kind = golomb(bits);
    const picture = golomb(bits);
    if (kind > 9 || picture > 255 || (key && kind % 5 !== 2 && kind % 5 !== 4)) return null;
    const pps = this.#pps.get(picture);
    const sps = pps ? this.#sps.get(pps.sps) : undefined;
    if (this.#pps.size > 0 && !sps) return null;
    const common = { slice: true, before: false, key, reset: key, reference };
    if (!sps) {
      if (block > mostBlocks || picture > 3) return null;
      return { ...common, first: block === 0, order: -1, mark: key ? 1 : 0 };
    }
    if (block >= sps.FrameSizeInMbs) return null;
    const told = this.#numbers(bits, sps, key);
    if (!told) return null;
    // The second field of a frame belongs to the same sample (ISO/IEC 14496-15, 5.2.2).
    return {
      ...common,
      first: block === 0 && !told.bottom,
      order: told.order,
      mark: told.number * 2 + (key ? 1 : 0),
    };
  }

  /** From colour_plane_id to pic_order_cnt_lsb; null where no encoder writes such. */
  #numbers(bits: BitReader, sps: AvcSps, key: boolean): { number: number; order: number; bottom: boolean } | null {
    if (sps.separate_colour_plane_flag) bits.skip(2);
    const number = bits.take(sps.log2_max_frame_num);
    if (key && number !== 0) return null;
    const bottom = !sps.frame_mbs_only_flag && bits.bit() === 1 && bits.bit() === 1;
    if (key && golomb(bits) > 65535) return null;
    return { number, order: sps.pic_order_cnt_type === 0 ? bits.take(sps.log2_max_pic_order_cnt_lsb) : -1, bottom };
  }
}
