import type { HevcFields } from './fields';

/** Fields as most encoders write them; the search changes one after another. */
export const usual: HevcFields = {
  ...{
    pic_width_in_luma_samples: 64,
    pic_height_in_luma_samples: 64,
    BitDepthY: 8,
    log2_max_pic_order_cnt_lsb: 8,
    MinCbLog2SizeY: 3,
    CtbLog2SizeY: 6,
    MinTbLog2SizeY: 2,
    MaxTbLog2SizeY: 5,
  },
  ...{
    max_transform_hierarchy_depth_inter: 0,
    max_transform_hierarchy_depth_intra: 0,
    amp_enabled_flag: false,
    sample_adaptive_offset_enabled_flag: true,
    sps_temporal_mvp_enabled_flag: true,
    strong_intra_smoothing_enabled_flag: true,
    st_ref_pic_set: [],
  },
  ...{
    dependent_slice_segments_enabled_flag: false,
    output_flag_present_flag: false,
    num_extra_slice_header_bits: 0,
    sign_data_hiding_enabled_flag: true,
    cabac_init_present_flag: false,
    num_ref_idx_default_active: [1, 1],
    init_qp: 26,
  },
  ...{
    transform_skip_enabled_flag: false,
    cu_qp_delta_enabled_flag: true,
    diff_cu_qp_delta_depth: 1,
    pps_qp_offsets: [0, 0],
    pps_slice_chroma_qp_offsets_present_flag: false,
  },
  ...{
    weighted_pred_flag: false,
    weighted_bipred_flag: false,
    transquant_bypass_enabled_flag: false,
    entropy_coding_sync_enabled_flag: true,
    pps_loop_filter_across_slices_enabled_flag: true,
    deblocking_filter_override_enabled_flag: false,
  },
  ...{
    pps_deblocking_filter_disabled_flag: false,
    lists_modification_present_flag: false,
    slice_segment_header_extension_present_flag: false,
  },
};

/** All ways to choose one value for each of some fields, those of the first values first. */
export function* choices(
  lists: { [Key in keyof HevcFields]?: readonly HevcFields[Key][] },
): Generator<Partial<HevcFields>> {
  const names = Object.keys(lists) as (keyof HevcFields)[];
  const values = names.map((name) => lists[name] ?? []);
  const count = values.reduce((product, list) => product * list.length, 1);
  for (let number = 0; number < count; number++) {
    const chosen: Partial<Record<keyof HevcFields, unknown>> = {};
    let rest = number;
    for (const [index, name] of names.entries()) {
      const list = values[index] ?? [];
      chosen[name] = list[rest % list.length];
      rest = Math.floor(rest / list.length);
    }
    yield chosen as Partial<HevcFields>;
  }
}

export const yesNo = [true, false];

/** Depths of samples, in bits. */
export const depths = [8, 10];

/** Blocks as x265 lays them out in its presets `medium`, `superfast` and `ultrafast`, and as encoders of devices do. */
const layouts: Partial<HevcFields>[] = [
  { CtbLog2SizeY: 6, MinCbLog2SizeY: 3, diff_cu_qp_delta_depth: 1, sign_data_hiding_enabled_flag: true },
  { CtbLog2SizeY: 5, MinCbLog2SizeY: 4, diff_cu_qp_delta_depth: 0, sign_data_hiding_enabled_flag: false },
  { CtbLog2SizeY: 5, MinCbLog2SizeY: 3, diff_cu_qp_delta_depth: 0, sign_data_hiding_enabled_flag: false },
  { CtbLog2SizeY: 5, MinCbLog2SizeY: 3, diff_cu_qp_delta_depth: 2, sign_data_hiding_enabled_flag: false },
  { CtbLog2SizeY: 4, MinCbLog2SizeY: 3, diff_cu_qp_delta_depth: 0, sign_data_hiding_enabled_flag: false },
];

/** What is tried of a key frame before everything else: the usual layouts, with and without steps of the quantizer. */
export function* usualBlocks(): Generator<Partial<HevcFields>> {
  for (const layout of layouts) yield layout;
  for (const layout of layouts) yield { ...layout, cu_qp_delta_enabled_flag: false, diff_cu_qp_delta_depth: 1 };
}

/** All layouts of blocks in a key frame, the likelier ones first. */
export const allBlocks = () =>
  choices({
    ...{
      CtbLog2SizeY: [6, 5, 4],
      MinCbLog2SizeY: [3, 4],
      diff_cu_qp_delta_depth: [1, 0, 2],
      BitDepthY: depths,
      sign_data_hiding_enabled_flag: yesNo,
      cu_qp_delta_enabled_flag: yesNo,
    },
    ...{
      max_transform_hierarchy_depth_intra: [0, 1, 2, 3],
      transform_skip_enabled_flag: [false, true],
      MaxTbLog2SizeY: [5, 4],
      transquant_bypass_enabled_flag: [false, true],
    },
  });
