import type { Buffer } from '../../host/bytes';
import { BitReader, golomb, signedGolomb, unescaped } from '../bits';
import { hevcTypeOf, nalType } from './naltypes';
import { skipSubLayers } from './sets';

/** What the parameter sets of HEVC say about how slices are read (ISO/IEC 23008-2, 7.3.2.2 and 7.3.2.3), 4:2:0, without tiles and PCM. */
export type HevcFields = {
  /** Size as coded, in pixels: whole smallest coding blocks. */
  pic_width_in_luma_samples: number;
  pic_height_in_luma_samples: number;
  BitDepthY: number;
  log2_max_pic_order_cnt_lsb: number;
  /** Sizes of blocks as logarithms. */
  MinCbLog2SizeY: number;
  CtbLog2SizeY: number;
  MinTbLog2SizeY: number;
  MaxTbLog2SizeY: number;
  max_transform_hierarchy_depth_inter: number;
  max_transform_hierarchy_depth_intra: number;
  amp_enabled_flag: boolean;
  sample_adaptive_offset_enabled_flag: boolean;
  sps_temporal_mvp_enabled_flag: boolean;
  strong_intra_smoothing_enabled_flag: boolean;
  /** Reference picture sets of the sequence: for each how many pictures before and after, and how many of them are used. */
  st_ref_pic_set: readonly RefSet[];
  dependent_slice_segments_enabled_flag: boolean;
  output_flag_present_flag: boolean;
  num_extra_slice_header_bits: number;
  sign_data_hiding_enabled_flag: boolean;
  cabac_init_present_flag: boolean;
  num_ref_idx_default_active: readonly [number, number];
  init_qp: number;
  transform_skip_enabled_flag: boolean;
  cu_qp_delta_enabled_flag: boolean;
  diff_cu_qp_delta_depth: number;
  pps_qp_offsets: readonly [number, number];
  pps_slice_chroma_qp_offsets_present_flag: boolean;
  weighted_pred_flag: boolean;
  weighted_bipred_flag: boolean;
  transquant_bypass_enabled_flag: boolean;
  entropy_coding_sync_enabled_flag: boolean;
  pps_loop_filter_across_slices_enabled_flag: boolean;
  deblocking_filter_override_enabled_flag: boolean;
  pps_deblocking_filter_disabled_flag: boolean;
  lists_modification_present_flag: boolean;
  slice_segment_header_extension_present_flag: boolean;
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
  | 'pic_width_in_luma_samples'
  | 'pic_height_in_luma_samples'
  | 'BitDepthY'
  | 'log2_max_pic_order_cnt_lsb'
  | 'MinCbLog2SizeY'
  | 'CtbLog2SizeY'
  | 'MinTbLog2SizeY'
  | 'MaxTbLog2SizeY'
  | 'max_transform_hierarchy_depth_inter'
  | 'max_transform_hierarchy_depth_intra'
  | 'amp_enabled_flag'
  | 'sample_adaptive_offset_enabled_flag'
  | 'sps_temporal_mvp_enabled_flag'
  | 'strong_intra_smoothing_enabled_flag'
  | 'st_ref_pic_set'
>;

function readSequence(unit: Buffer): Sequence | null {
  if (unit.length < 16 || hevcTypeOf(unit) !== nalType.sps) return null;
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
    ...{
      pic_width_in_luma_samples: width,
      pic_height_in_luma_samples: height,
      BitDepthY: depth,
      log2_max_pic_order_cnt_lsb: orderBits,
      MinCbLog2SizeY: minBlock,
      CtbLog2SizeY: maxBlock,
      MinTbLog2SizeY: minTransform,
      MaxTbLog2SizeY: maxTransform,
      max_transform_hierarchy_depth_inter: interDepth,
      max_transform_hierarchy_depth_intra: intraDepth,
    },
    ...{
      amp_enabled_flag: amp,
      sample_adaptive_offset_enabled_flag: sao,
      sps_temporal_mvp_enabled_flag: temporalVectors,
      strong_intra_smoothing_enabled_flag: strongSmoothing,
      st_ref_pic_set: sets,
    },
  };
}

/** Reads a pair of parameter sets with their NAL headers; null where they are broken or use what is not read here. */
export function readHevcFields(sps: Buffer, pps: Buffer): HevcFields | null {
  const sequence = readSequence(sps);
  if (!sequence || hevcTypeOf(pps) !== nalType.pps) return null;
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
    ...{
      dependent_slice_segments_enabled_flag: dependent,
      output_flag_present_flag: outputFlag,
      num_extra_slice_header_bits: extraBits,
      sign_data_hiding_enabled_flag: signHiding,
      cabac_init_present_flag: cabacInit,
      num_ref_idx_default_active: refs,
      init_qp: initQp,
      transform_skip_enabled_flag: transformSkip,
      cu_qp_delta_enabled_flag: qpDelta,
      diff_cu_qp_delta_depth: qpDeltaDepth,
    },
    ...{
      pps_qp_offsets: chromaOffsets,
      pps_slice_chroma_qp_offsets_present_flag: sliceChroma,
      weighted_pred_flag: weighted,
      weighted_bipred_flag: weightedBoth,
      transquant_bypass_enabled_flag: bypass,
      entropy_coding_sync_enabled_flag: rows,
      pps_loop_filter_across_slices_enabled_flag: filterAcross,
      deblocking_filter_override_enabled_flag: deblockOverride,
      pps_deblocking_filter_disabled_flag: deblockOff,
    },
    ...{ lists_modification_present_flag: listsModified, slice_segment_header_extension_present_flag: headerExtension },
  };
}
