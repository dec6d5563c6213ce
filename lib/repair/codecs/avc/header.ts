import type { Buffer } from '../../host/bytes';
import { BitReader, golomb, signedGolomb } from '../bits';
import type { AvcFields } from './fields';

/** A slice header of H.264 (ISO/IEC 14496-10, 7.3.3), as far as its data cannot be read without. */
export type AvcSlice = {
  /** 0: P, 1: B, 2: I. */
  slice_type: number;
  first_mb_in_slice: number;
  frame_num: number;
  pic_order_cnt_lsb: number;
  /** Above 0 for slices of redundant pictures. */
  redundant_pic_cnt: number;
  /** What all slices of a picture share, and not with those of the next one (7.4.1.2.4). */
  picture: readonly number[];
  num_ref_idx_active: readonly [number, number];
  /** 0 for I slices, else cabac_init_idc plus one. */
  contexts: number;
  SliceQPY: number;
  /** First byte of the data, in the unit without emulation prevention, and its first bit where it is not coded arithmetically. */
  body: number;
  data: number;
};

function skipWeights(bits: BitReader, counts: readonly number[]): boolean {
  if (golomb(bits) > 7 || golomb(bits) > 7) return false;
  for (const count of counts)
    for (let index = 0; index < count; index++)
      for (let planes = 1; planes < 3; planes++)
        if (bits.bit() === 1)
          for (let value = 0; value < planes * 2; value++) if (Math.abs(signedGolomb(bits)) > 128) return false;
  return true;
}

/** Operations on the lists of references, and on the references themselves, before the one that ends them: two for each of 32 pictures, and two more. */
const mostOperations = 66;

/** Reference list modification (7.3.3.1) and, for references, their marking (7.3.3.3); false when no encoder writes them. */
function skipLists(bits: BitReader, kind: number): boolean {
  for (let list = 0; list < (kind === 1 ? 2 : 1); list++) {
    if (bits.bit() === 0) continue;
    for (let count = 0; ; count++) {
      const operation = golomb(bits);
      if (operation === 3) break;
      if (operation > 3 || count > mostOperations) return false;
      golomb(bits);
    }
  }
  return true;
}

function skipMarking(bits: BitReader, key: boolean): boolean {
  if (key) {
    bits.skip(2);
    return true;
  }
  if (bits.bit() === 0) return true;
  for (let count = 0; count <= mostOperations; count++) {
    const operation = golomb(bits);
    if (operation === 0) return true;
    if (operation > 6) return false;
    if (operation !== 5) golomb(bits);
    if (operation === 3) golomb(bits);
  }
  return false;
}

/** pic_order_cnt_lsb, or -1 where there is none, and the differences that stand behind it or in its place. */
function readOrder(bits: BitReader, fields: AvcFields): { order: number; deltas: [number, number] } {
  const hasBottom = fields.bottom_field_pic_order_in_frame_present_flag;
  if (fields.pic_order_cnt_type === 0) {
    const order = bits.take(fields.log2_max_pic_order_cnt_lsb);
    return { order, deltas: [hasBottom ? signedGolomb(bits) : 0, 0] };
  }
  if (fields.pic_order_cnt_type !== 1 || fields.delta_pic_order_always_zero_flag) return { order: -1, deltas: [0, 0] };
  const first = signedGolomb(bits);
  return { order: -1, deltas: [first, hasBottom ? signedGolomb(bits) : 0] };
}

/** How many pictures the two lists hold, from direct_spatial_mv_pred_flag to the weights; null where no encoder writes such. */
function readReferences(bits: BitReader, kind: number, fields: AvcFields): [number, number] | null {
  if (kind === 2) return [0, 0];
  const both = kind === 1;
  if (both) bits.skip(1);
  let refs: [number, number] = both
    ? [...fields.num_ref_idx_default_active]
    : [fields.num_ref_idx_default_active[0], 0];
  if (bits.bit() === 1) refs = [golomb(bits) + 1, both ? golomb(bits) + 1 : 0];
  if (refs[0] > 32 || refs[1] > 32 || !skipLists(bits, kind)) return null;
  const weighted = both ? fields.weighted_bipred_idc === 1 : fields.weighted_pred_flag;
  return weighted && !skipWeights(bits, refs.slice(0, kind + 1)) ? null : refs;
}

/** disable_deblocking_filter_idc and the offsets behind it; false where no encoder writes such. */
function skipDeblocking(bits: BitReader): boolean {
  const off = golomb(bits);
  if (off > 2) return false;
  if (off !== 1) for (let field = 0; field < 2; field++) if (Math.abs(signedGolomb(bits)) > 6) return false;
  return true;
}

/** The largest QP (7.4.3). */
const mostQp = 51;

/** Reads the header of a unit without emulation prevention; null when no encoder writes such a one, or it uses what is not read here. */
export function readAvcSlice(unit: Buffer, fields: AvcFields): AvcSlice | null {
  const key = ((unit[0] ?? 0) & 31) === 5;
  const reference = (((unit[0] ?? 0) >> 5) & 3) > 0;
  const bits = new BitReader(unit, 1);
  const address = golomb(bits);
  const kind = golomb(bits) % 5;
  const set = golomb(bits);
  if (set > 255 || address >= fields.PicWidthInMbs * fields.FrameHeightInMbs || kind > 2 || (key && kind !== 2))
    return null;
  const number = bits.take(fields.log2_max_frame_num);
  const id = key ? golomb(bits) : -1;
  if (key && (number !== 0 || id > 65535 || !reference)) return null;
  const { order, deltas } = readOrder(bits, fields);
  const redundant = fields.redundant_pic_cnt_present_flag ? golomb(bits) : 0;
  const refs = readReferences(bits, kind, fields);
  if (!refs || (reference && !skipMarking(bits, key))) return null;
  const contexts = kind === 2 || !fields.entropy_coding_mode_flag ? 0 : golomb(bits) + 1;
  const qp = fields.pic_init_qp + signedGolomb(bits);
  if (contexts > 3 || qp < -6 * (fields.BitDepthY - 8) || qp > mostQp) return null;
  if (fields.deblocking_filter_control_present_flag && !skipDeblocking(bits)) return null;
  // cabac_alignment_one_bit
  while (fields.entropy_coding_mode_flag && bits.position & 7) if (bits.bit() === 0) return null;
  if (bits.over) return null;
  return {
    slice_type: kind,
    first_mb_in_slice: address,
    frame_num: number,
    pic_order_cnt_lsb: order,
    redundant_pic_cnt: redundant,
    picture: [set, number, id, reference ? 1 : 0, order, ...deltas],
    num_ref_idx_active: refs,
    contexts,
    SliceQPY: qp,
    body: bits.position >> 3,
    data: bits.position,
  };
}
