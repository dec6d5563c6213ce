import type { Buffer } from '../../host/bytes';
import { BitWriter } from '../bitwriter';
import type { HevcFields } from './fields';

type Shown = { width: number; height: number };

/** Writes parameter sets that say this, of pictures of `shown` pixels. */
export const writeHevcSets = (fields: HevcFields, shown: Shown): { vps: Buffer; sps: Buffer; pps: Buffer } => ({
  vps: videoSet(fields),
  sps: sequenceSet(fields, shown),
  pps: pictureSet(fields),
});

/** profile_tier_level (7.3.3). */
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

/** video_parameter_set_rbsp (7.3.2.1). */
function videoSet(fields: HevcFields): Buffer {
  const vps = profile(
    new BitWriter().put(4, 0).put(2, 3).put(6, 0).put(3, 0).put(1, 1).put(16, 0xffff),
    fields.BitDepthY,
  )
    .put(1, 1)
    .golomb(4)
    .golomb(2)
    .golomb(0)
    .put(6, 0)
    .golomb(0)
    .put(1, 0)
    .put(1, 0);
  return vps.unit([0x40, 1]);
}

/** seq_parameter_set_rbsp (7.3.2.2). */
function sequenceSet(fields: HevcFields, shown: Shown): Buffer {
  const sps = profile(new BitWriter().put(4, 0).put(3, 0).put(1, 1), fields.BitDepthY).golomb(0).golomb(1);
  const right = (fields.pic_width_in_luma_samples - shown.width) >> 1;
  const bottom = (fields.pic_height_in_luma_samples - shown.height) >> 1;
  sps
    .golomb(fields.pic_width_in_luma_samples)
    .golomb(fields.pic_height_in_luma_samples)
    .flag(right > 0 || bottom > 0);
  if (right > 0 || bottom > 0) sps.golomb(0).golomb(right).golomb(0).golomb(bottom);
  sps
    .golomb(fields.BitDepthY - 8)
    .golomb(fields.BitDepthY - 8)
    .golomb(fields.log2_max_pic_order_cnt_lsb - 4)
    .put(1, 1)
    .golomb(5)
    .golomb(2)
    .golomb(0);
  sps.golomb(fields.MinCbLog2SizeY - 3).golomb(fields.CtbLog2SizeY - fields.MinCbLog2SizeY);
  sps.golomb(fields.MinTbLog2SizeY - 2).golomb(fields.MaxTbLog2SizeY - fields.MinTbLog2SizeY);
  sps
    .golomb(fields.max_transform_hierarchy_depth_inter)
    .golomb(fields.max_transform_hierarchy_depth_intra)
    .put(1, 0)
    .flag(fields.amp_enabled_flag)
    .flag(fields.sample_adaptive_offset_enabled_flag)
    .put(1, 0);
  // Reference picture sets are told in the slices; no long-term references, no usability information.
  sps
    .golomb(0)
    .put(1, 0)
    .flag(fields.sps_temporal_mvp_enabled_flag)
    .flag(fields.strong_intra_smoothing_enabled_flag)
    .put(2, 0);
  return sps.unit([0x42, 1]);
}

/** pic_parameter_set_rbsp (7.3.2.3). */
function pictureSet(fields: HevcFields): Buffer {
  const pps = new BitWriter()
    .golomb(0)
    .golomb(0)
    .flag(fields.dependent_slice_segments_enabled_flag)
    .flag(fields.output_flag_present_flag);
  pps
    .put(3, fields.num_extra_slice_header_bits)
    .flag(fields.sign_data_hiding_enabled_flag)
    .flag(fields.cabac_init_present_flag);
  pps.golomb(fields.num_ref_idx_default_active[0] - 1).golomb(fields.num_ref_idx_default_active[1] - 1);
  pps
    .signed(fields.init_qp - 26)
    .put(1, 0)
    .flag(fields.transform_skip_enabled_flag)
    .flag(fields.cu_qp_delta_enabled_flag);
  if (fields.cu_qp_delta_enabled_flag) pps.golomb(fields.diff_cu_qp_delta_depth);
  pps
    .signed(fields.pps_qp_offsets[0])
    .signed(fields.pps_qp_offsets[1])
    .flag(fields.pps_slice_chroma_qp_offsets_present_flag);
  pps
    .flag(fields.weighted_pred_flag)
    .flag(fields.weighted_bipred_flag)
    .flag(fields.transquant_bypass_enabled_flag)
    .put(1, 0)
    .flag(fields.entropy_coding_sync_enabled_flag);
  pps
    .flag(fields.pps_loop_filter_across_slices_enabled_flag)
    .flag(fields.deblocking_filter_override_enabled_flag || fields.pps_deblocking_filter_disabled_flag);
  if (fields.deblocking_filter_override_enabled_flag || fields.pps_deblocking_filter_disabled_flag) {
    pps.flag(fields.deblocking_filter_override_enabled_flag).flag(fields.pps_deblocking_filter_disabled_flag);
    if (!fields.pps_deblocking_filter_disabled_flag) pps.signed(0).signed(0);
  }
  pps
    .put(1, 0)
    .flag(fields.lists_modification_present_flag)
    .golomb(0)
    .flag(fields.slice_segment_header_extension_present_flag)
    .put(1, 0);
  return pps.unit([0x44, 1]);
}
