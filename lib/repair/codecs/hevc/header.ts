import type { Buffer } from '../../host/bytes';
import { BitReader, golomb, signedGolomb } from '../bits';
import { type HevcFields, readRefSet } from './fields';
import { nalType } from './naltypes';

/** A slice segment's header (ISO/IEC 23008-2, 7.3.6.1), as far as its data cannot be read without. */
export type HevcSlice = {
  /** 0: B, 1: P, 2: I. */
  slice_type: number;
  slice_segment_address: number;
  SliceQpY: number;
  slice_sao_luma_flag: boolean;
  slice_sao_chroma_flag: boolean;
  num_ref_idx_active: readonly [number, number];
  mvd_l1_zero_flag: boolean;
  cabac_init_flag: boolean;
  MaxNumMergeCand: number;
  /** First byte of the data, in the unit without emulation prevention. */
  body: number;
  /** Sizes of the parts of the data but the last, with emulation prevention. */
  entry_point_offset: readonly number[];
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

/** Largest slice_cb_qp_offset, and largest slice_beta_offset_div2 (7.4.7.1). */
const mostChromaOffset = 12;
const mostDeblockOffset = 6;

/** Two numbers with a sign; false where one is larger than `most`. */
function skipOffsets(bits: BitReader, most: number): boolean {
  for (let field = 0; field < 2; field++) if (Math.abs(signedGolomb(bits)) > most) return false;
  return true;
}

type Pictures = { used: number; temporal: boolean };

/** From slice_pic_order_cnt_lsb to slice_temporal_mvp_enabled_flag: how many pictures this one uses. Null where no encoder writes such. */
function readPictures(bits: BitReader, fields: HevcFields): Pictures | null {
  const { st_ref_pic_set: sets } = fields;
  bits.skip(fields.log2_max_pic_order_cnt_lsb);
  let set = null;
  if (bits.bit() === 0) set = readRefSet(bits, sets.length, sets.length, sets);
  else if (sets.length > 0) set = sets[sets.length > 1 ? bits.take(Math.ceil(Math.log2(sets.length))) : 0] ?? null;
  return set && { used: set.used, temporal: fields.sps_temporal_mvp_enabled_flag && bits.bit() === 1 };
}

/** ref_pic_lists_modification (7.3.6.2). */
function skipModification(bits: BitReader, lists: readonly number[], used: number): void {
  for (const count of lists) if (bits.bit() === 1) bits.skip(count * Math.ceil(Math.log2(used)));
}

type Inter = Pick<HevcSlice, 'num_ref_idx_active' | 'mvd_l1_zero_flag' | 'cabac_init_flag' | 'MaxNumMergeCand'>;
const intra: Inter = {
  num_ref_idx_active: [0, 0],
  mvd_l1_zero_flag: false,
  cabac_init_flag: false,
  MaxNumMergeCand: 0,
};

/** What P and B slices have besides, from num_ref_idx_active_override_flag to five_minus_max_num_merge_cand. */
function readInter(bits: BitReader, kind: number, { used, temporal }: Pictures, fields: HevcFields): Inter | null {
  const flag = () => bits.bit() === 1;
  const both = kind === 0;
  let refs: [number, number] = both
    ? [...fields.num_ref_idx_default_active]
    : [fields.num_ref_idx_default_active[0], 0];
  if (flag()) refs = [golomb(bits) + 1, both ? golomb(bits) + 1 : 0];
  if (refs[0] > 16 || refs[1] > 16 || used === 0) return null;
  const lists = refs.slice(0, both ? 2 : 1);
  if (fields.lists_modification_present_flag && used > 1) skipModification(bits, lists, used);
  const zeroSecond = both && flag();
  const initSwapped = fields.cabac_init_present_flag && flag();
  if (temporal) {
    const count = !both || flag() ? refs[0] : refs[1];
    if (count > 1 && golomb(bits) >= count) return null;
  }
  if ((both ? fields.weighted_bipred_flag : fields.weighted_pred_flag) && !skipWeights(bits, lists)) return null;
  const mergeCandidates = 5 - golomb(bits);
  return mergeCandidates < 1
    ? null
    : {
        num_ref_idx_active: refs,
        mvd_l1_zero_flag: zeroSecond,
        cabac_init_flag: initSwapped,
        MaxNumMergeCand: mergeCandidates,
      };
}

/** Sizes of the parts of the data, which are rows of blocks (entropy_coding_sync_enabled_flag); null where there are more than rows. */
function readEntries(bits: BitReader, across: number, blocks: number): number[] | null {
  const count = golomb(bits);
  if (count * across >= blocks && count > 0) return null;
  const length = count > 0 ? golomb(bits) + 1 : 0;
  if (length > 32) return null;
  const entries: number[] = [];
  for (let index = 0; index < count; index++)
    entries.push(bits.take(Math.max(0, length - 16)) * 65536 + bits.take(Math.min(16, length)) + 1);
  return entries;
}

/** slice_segment_address of a segment that depends on no other; -1 where no encoder writes such. */
function readAddress(bits: BitReader, key: boolean, blocks: number, fields: HevcFields): number {
  const first = bits.bit() === 1;
  if (key) bits.skip(1);
  if (golomb(bits) > 63) return -1;
  if (!first && fields.dependent_slice_segments_enabled_flag && bits.bit() === 1) return -1;
  const address = first ? 0 : bits.take(Math.ceil(Math.log2(Math.max(2, blocks))));
  return address < blocks ? address : -1;
}

/** The largest QP (7.4.9.10). */
const mostQp = 51;

/** SliceQpY, and the offsets of chroma behind slice_qp_delta; null where no encoder writes such. */
function readQp(bits: BitReader, fields: HevcFields): number | null {
  const qp = fields.init_qp + signedGolomb(bits);
  if (qp < -6 * (fields.BitDepthY - 8) || qp > mostQp) return null;
  return fields.pps_slice_chroma_qp_offsets_present_flag && !skipOffsets(bits, mostChromaOffset) ? null : qp;
}

/** Deblocking, from deblocking_filter_override_flag on: whether it is off; null where no encoder writes such. */
function readDeblocking(bits: BitReader, fields: HevcFields): boolean | null {
  if (!fields.deblocking_filter_override_enabled_flag || bits.bit() === 0)
    return fields.pps_deblocking_filter_disabled_flag;
  const off = bits.bit() === 1;
  return off || skipOffsets(bits, mostDeblockOffset) ? off : null;
}

/** Reads the header of a unit without emulation prevention; null when no encoder writes such a one, or it uses what is not read here. */
export function readHevcSlice(unit: Buffer, fields: HevcFields): HevcSlice | null {
  const type = ((unit[0] ?? 0) >> 1) & 63;
  const bits = new BitReader(unit, 2);
  const flag = () => bits.bit() === 1;
  const across = Math.ceil(fields.pic_width_in_luma_samples / 2 ** fields.CtbLog2SizeY);
  const blocks = across * Math.ceil(fields.pic_height_in_luma_samples / 2 ** fields.CtbLog2SizeY);
  const key = type >= nalType.firstIrap && type <= nalType.lastReservedIrap;
  const address = readAddress(bits, key, blocks, fields);
  if (address < 0) return null;
  bits.skip(fields.num_extra_slice_header_bits);
  const kind = golomb(bits);
  if (kind > 2 || (key && kind !== 2)) return null;
  if (fields.output_flag_present_flag) bits.skip(1);
  const pictures = type === 19 || type === 20 ? { used: 0, temporal: false } : readPictures(bits, fields);
  if (!pictures) return null;
  const saoLuma = fields.sample_adaptive_offset_enabled_flag && flag();
  const saoChroma = fields.sample_adaptive_offset_enabled_flag && flag();
  const inter = kind < 2 ? readInter(bits, kind, pictures, fields) : intra;
  if (!inter) return null;
  const qp = readQp(bits, fields);
  if (qp === null) return null;
  const off = readDeblocking(bits, fields);
  if (off === null) return null;
  if (fields.pps_loop_filter_across_slices_enabled_flag && (saoLuma || saoChroma || !off)) bits.skip(1);
  const entries = fields.entropy_coding_sync_enabled_flag ? readEntries(bits, across, blocks) : [];
  if (!entries) return null;
  if (fields.slice_segment_header_extension_present_flag) bits.skip(golomb(bits) * 8);
  // byte_alignment (7.3.2.12): a one, then zeroes.
  if (bits.bit() !== 1 || !bits.align() || bits.over) return null;
  return {
    slice_type: kind,
    slice_segment_address: address,
    SliceQpY: qp,
    slice_sao_luma_flag: saoLuma,
    slice_sao_chroma_flag: saoChroma,
    ...inter,
    entry_point_offset: entries,
    body: bits.position >> 3,
  };
}
