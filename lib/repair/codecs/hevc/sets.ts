import { Buffer } from '../../host/bytes';
import { BitReader, golomb, unescaped } from '../bits';
import type { NalHead, NalReader, Rate } from '../nal';
import { hevcTypeOf, isSliceType, nalType } from './naltypes';

/** A sequence parameter set of HEVC (ISO/IEC 23008-2, 7.3.2.2), as far as slice headers and containers need it. */
export type HevcSps = {
  id: number;
  profile: Buffer;
  chroma_format_idc: number;
  depthLuma: number;
  depthChroma: number;
  width: number;
  height: number;
  log2_max_pic_order_cnt_lsb: number;
  separate_colour_plane_flag: boolean;
};

/** A picture parameter set (7.3.2.3). */
export type HevcPps = {
  id: number;
  sps: number;
  dependent_slice_segments_enabled_flag: boolean;
  output_flag_present_flag: boolean;
  num_extra_slice_header_bits: number;
};

/** Reads a sequence parameter set with its NAL header; null when it is broken. */
export function readHevcSps(unit: Buffer): HevcSps | null {
  if (unit.length < 16 || hevcTypeOf(unit) !== nalType.sps) return null;
  const content = unescaped(unit.subarray(2));
  const bits = new BitReader(content);
  bits.skip(4);
  const layers = bits.take(3);
  bits.skip(1);
  const profile = Buffer.from(content.subarray(1, 13));
  bits.skip(96);
  skipSubLayers(bits, layers);
  const id = golomb(bits);
  const chroma = golomb(bits);
  const planes = chroma === 3 && bits.bit() === 1;
  let width = golomb(bits);
  let height = golomb(bits);
  if (bits.bit() === 1) {
    const unitX = chroma === 1 || chroma === 2 ? 2 : 1;
    const unitY = chroma === 1 ? 2 : 1;
    width -= unitX * (golomb(bits) + golomb(bits));
    height -= unitY * (golomb(bits) + golomb(bits));
  }
  const depthLuma = golomb(bits) + 8;
  const depthChroma = golomb(bits) + 8;
  const orderBits = golomb(bits) + 4;
  if (bits.over || id > 15 || chroma > 3 || orderBits > 16 || depthLuma > 16 || depthChroma > 16) return null;
  if (width <= 0 || height <= 0 || width > 16384 || height > 16384) return null;
  return {
    id,
    profile,
    chroma_format_idc: chroma,
    depthLuma,
    depthChroma,
    width,
    height,
    log2_max_pic_order_cnt_lsb: orderBits,
    separate_colour_plane_flag: planes,
  };
}

/** Reads a picture parameter set with its NAL header; null when it is broken. */
export function readHevcPps(unit: Buffer): HevcPps | null {
  if (unit.length < 4 || hevcTypeOf(unit) !== nalType.pps) return null;
  const bits = new BitReader(unescaped(unit.subarray(2), 16));
  const id = golomb(bits);
  const sps = golomb(bits);
  const dependent = bits.bit() === 1;
  const outputFlag = bits.bit() === 1;
  const extraBits = bits.take(3);
  return id > 63 || sps > 15 || bits.over
    ? null
    : {
        id,
        sps,
        dependent_slice_segments_enabled_flag: dependent,
        output_flag_present_flag: outputFlag,
        num_extra_slice_header_bits: extraBits,
      };
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

/** slice_pic_order_cnt_lsb of the first segment of a picture, from behind its parameter set's id; null where no encoder writes such. */
function readOrder(bits: BitReader, type: number, pps: HevcPps, sps: HevcSps): number | null {
  bits.skip(pps.num_extra_slice_header_bits);
  const kind = golomb(bits);
  if (kind > 2 || (type >= 16 && kind !== 2)) return null;
  if (pps.output_flag_present_flag) bits.skip(1);
  if (sps.separate_colour_plane_flag) bits.skip(2);
  // IDR pictures (types 19 and 20) have order 0.
  return type === 19 || type === 20 ? 0 : bits.take(sps.log2_max_pic_order_cnt_lsb);
}

/** Passes over profile_tier_level (7.3.3) from its sub-layers on, of which there are `layers` besides the whole. */
export function skipSubLayers(bits: BitReader, layers: number): void {
  const present: number[] = [];
  for (let layer = 0; layer < layers; layer++) present.push(bits.take(2));
  if (layers > 0) bits.skip((8 - layers) * 2);
  for (const flags of present) bits.skip((flags & 2 ? 88 : 0) + (flags & 1 ? 8 : 0));
}

type Judge = (length: number, level: number) => NalHead | null;
const isSet: Judge = (length, level) => (level === 1 && length < 1024 ? nothing : null);
const isAfter: Judge = (length) => (length < 65536 ? { ...nothing, before: false } : null);

/** Units that are no slices, by nal_unit_type (table 7-1): parameter sets, access unit delimiter, filler data and SEI. */
const unitsBeside: Readonly<Record<number, Judge>> = {
  32: isSet,
  33: isSet,
  34: isSet,
  35: (length) => (length === 3 ? nothing : null),
  38: isAfter,
  39: (length) => (length < 65536 ? nothing : null),
  40: isAfter,
};

/** Reader of HEVC units; strict where parameter sets are known. */
export class HevcReader implements NalReader {
  readonly needs = 24;
  readonly #sps = new Map<number, HevcSps>();
  readonly #pps = new Map<number, HevcPps>();

  learn(unit: Buffer): void {
    const sps = readHevcSps(unit);
    if (sps) this.#sps.set(sps.id, sps);
    const pps = readHevcPps(unit);
    if (pps) this.#pps.set(pps.id, pps);
  }

  orderRange(): number {
    const sps = this.#sps.values().next().value;
    return sps ? 2 ** sps.log2_max_pic_order_cnt_lsb : 0;
  }

  rate(): Rate | null {
    return null;
  }

  head(bytes: Buffer, length: number): NalHead | null {
    const type = ((bytes[0] ?? 0x80) >> 1) & 63;
    const layer = (((bytes[0] ?? 0) & 1) << 5) | ((bytes[1] ?? 0) >> 3);
    const level = (bytes[1] ?? 0) & 7;
    if ((bytes[0] ?? 0x80) & 0x80 || layer !== 0 || level === 0 || length < 3) return null;
    const beside = unitsBeside[type];
    if (beside) return beside(length, level);
    if (!isSliceType(type)) return null;
    if (type >= 16 && level !== 1) return null;
    return this.#slice(bytes, type, level);
  }

  /** A slice segment header (7.3.6.1) up to the picture order count. */
  #slice(bytes: Buffer, type: number, level: number): NalHead | null {
    const key = type >= 16;
    const reset = type >= 16 && type <= 20;
    // Sub-layer non-reference pictures and leading pictures are not counted from (8.3.1).
    const reference = level === 1 && (key || (type <= 5 && type % 2 === 1));
    const bits = new BitReader(unescaped(bytes.subarray(2), 20));
    const first = bits.bit() === 1;
    if (key) bits.skip(1);
    const picture = golomb(bits);
    const pps = this.#pps.get(picture);
    const sps = pps ? this.#sps.get(pps.sps) : undefined;
    if (picture > 63 || (this.#pps.size > 0 && !sps)) return null;
    const found: NalHead = { slice: true, before: false, first, key, reset, reference, order: -1, mark: type };
    if (!first || !pps || !sps) return found;
    const order = readOrder(bits, type, pps, sps);
    return order === null ? null : { ...found, order };
  }
}
