import type { Buffer } from '../../host/bytes';
import { BitReader, golomb, signedGolomb, unescaped } from '../bits';
import { BitWriter } from '../bitwriter';
import { highProfiles, skipOrderCycle, skipScaling } from './sets';

/** What the parameter sets of H.264 say about how slices are read (ISO/IEC 14496-10, 7.3.2.1.1 and 7.3.2.2): frames in 4:2:0. */
export type AvcFields = {
  profile_idc: number;
  /** Size in macroblocks. */
  PicWidthInMbs: number;
  FrameHeightInMbs: number;
  BitDepthY: number;
  log2_max_frame_num: number;
  pic_order_cnt_type: number;
  log2_max_pic_order_cnt_lsb: number;
  delta_pic_order_always_zero_flag: boolean;
  direct_8x8_inference_flag: boolean;
  entropy_coding_mode_flag: boolean;
  bottom_field_pic_order_in_frame_present_flag: boolean;
  num_ref_idx_default_active: readonly [number, number];
  weighted_pred_flag: boolean;
  weighted_bipred_idc: number;
  pic_init_qp: number;
  chroma_qp_index_offset: number;
  deblocking_filter_control_present_flag: boolean;
  constrained_intra_pred_flag: boolean;
  redundant_pic_cnt_present_flag: boolean;
  transform_8x8_mode_flag: boolean;
};

/** Reads a pair of parameter sets with their NAL headers; null where they are broken or use what is not read here. */
export function readAvcFields(sps: Buffer, pps: Buffer): AvcFields | null {
  if (((sps[0] ?? 0) & 31) !== 7 || ((pps[0] ?? 0) & 31) !== 8) return null;
  let bits = new BitReader(unescaped(sps.subarray(1)));
  const flag = () => bits.bit() === 1;
  const profile = bits.take(8);
  bits.skip(16);
  golomb(bits);
  let depth = 8;
  if (highProfiles.includes(profile)) {
    if (golomb(bits) !== 1) return null;
    depth = 8 + golomb(bits);
    golomb(bits);
    if (flag()) return null;
    if (flag()) skipScaling(bits, 8);
  }
  const numberBits = golomb(bits) + 4;
  const orderType = golomb(bits);
  let [orderBits, deltaOrderZero] = [0, false];
  if (orderType === 0) orderBits = golomb(bits) + 4;
  else if (orderType === 1) {
    deltaOrderZero = flag();
    skipOrderCycle(bits);
  }
  golomb(bits);
  bits.skip(1);
  const wide = golomb(bits) + 1;
  const high = golomb(bits) + 1;
  const framesOnly = flag();
  const direct8 = flag();
  if (bits.over || !framesOnly || numberBits > 16 || orderBits > 16 || wide > 512 || high > 512) return null;
  bits = new BitReader(unescaped(pps.subarray(1)));
  // more_rbsp_data (7.2): the stop bit is the last one that is set.
  const last = unescaped(pps.subarray(1));
  let length = last.length * 8;
  while (length > 0 && ((last[(length - 1) >> 3] ?? 0) & (128 >> ((length - 1) & 7))) === 0) length--;
  golomb(bits);
  golomb(bits);
  const cabac = flag();
  const bottomOrder = flag();
  if (golomb(bits) !== 0) return null;
  const refs = [golomb(bits) + 1, golomb(bits) + 1] as const;
  const weighted = flag();
  const weightedBoth = bits.take(2);
  const initQp = 26 + signedGolomb(bits);
  signedGolomb(bits);
  const chromaOffset = signedGolomb(bits);
  const deblockControl = flag();
  const constrained = flag();
  const redundant = flag();
  const transform8 = bits.position < length - 1 && flag();
  if (bits.over || refs[0] > 32 || refs[1] > 32) return null;
  return {
    ...{
      profile_idc: profile,
      PicWidthInMbs: wide,
      FrameHeightInMbs: high,
      BitDepthY: depth,
      log2_max_frame_num: numberBits,
      pic_order_cnt_type: orderType,
      log2_max_pic_order_cnt_lsb: orderBits,
      delta_pic_order_always_zero_flag: deltaOrderZero,
      direct_8x8_inference_flag: direct8,
      entropy_coding_mode_flag: cabac,
      bottom_field_pic_order_in_frame_present_flag: bottomOrder,
      num_ref_idx_default_active: refs,
    },
    ...{
      weighted_pred_flag: weighted,
      weighted_bipred_idc: weightedBoth,
      pic_init_qp: initQp,
      chroma_qp_index_offset: chromaOffset,
      deblocking_filter_control_present_flag: deblockControl,
      constrained_intra_pred_flag: constrained,
      redundant_pic_cnt_present_flag: redundant,
      transform_8x8_mode_flag: transform8,
    },
  };
}

/** Values of profile_idc (A.2). */
export const profileIdc = { baseline: 66, main: 77, high: 100, ten: 110, full: 244 } as const;

/** Writes parameter sets that say this, of pictures of `width` by `height` pixels; `held` is how many pictures a decoder keeps. */
export function writeAvcSets(
  fields: AvcFields,
  width: number,
  height: number,
  held: number,
): { sps: Buffer; pps: Buffer } {
  const profile = fields.transform_8x8_mode_flag ? profileIdc.high : profileIdc.main;
  const sps = new BitWriter().put(8, profile).put(8, 0).put(8, 51).golomb(0);
  if (profile === profileIdc.high) sps.golomb(1).golomb(0).golomb(0).put(2, 0);
  sps.golomb(fields.log2_max_frame_num - 4).golomb(fields.pic_order_cnt_type);
  if (fields.pic_order_cnt_type === 0) sps.golomb(fields.log2_max_pic_order_cnt_lsb - 4);
  sps
    .golomb(held)
    .put(1, 0)
    .golomb(fields.PicWidthInMbs - 1)
    .golomb(fields.FrameHeightInMbs - 1)
    .put(1, 1)
    .flag(fields.direct_8x8_inference_flag);
  const right = (fields.PicWidthInMbs * 16 - width) >> 1;
  const bottom = (fields.FrameHeightInMbs * 16 - height) >> 1;
  sps.flag(right > 0 || bottom > 0);
  if (right > 0 || bottom > 0) sps.golomb(0).golomb(right).golomb(0).golomb(bottom);
  // Usability information with nothing but the limits of reordering (annex E.1.1).
  const reorder = fields.pic_order_cnt_type === 2 ? 0 : 2;
  sps.put(1, 1).put(8, 0).put(1, 1).put(1, 1).golomb(0).golomb(0).golomb(11).golomb(11).golomb(reorder);
  sps.golomb(Math.max(held, reorder + 1));
  const pps = new BitWriter()
    .golomb(0)
    .golomb(0)
    .flag(fields.entropy_coding_mode_flag)
    .flag(fields.bottom_field_pic_order_in_frame_present_flag)
    .golomb(0);
  pps
    .golomb(fields.num_ref_idx_default_active[0] - 1)
    .golomb(fields.num_ref_idx_default_active[1] - 1)
    .flag(fields.weighted_pred_flag)
    .put(2, fields.weighted_bipred_idc);
  pps
    .signed(fields.pic_init_qp - 26)
    .signed(0)
    .signed(fields.chroma_qp_index_offset)
    .flag(fields.deblocking_filter_control_present_flag)
    .flag(fields.constrained_intra_pred_flag);
  pps.flag(fields.redundant_pic_cnt_present_flag);
  if (fields.transform_8x8_mode_flag) pps.put(1, 1).put(1, 0).signed(fields.chroma_qp_index_offset);
  return { sps: sps.unit([0x67]), pps: pps.unit([0x68]) };
}
