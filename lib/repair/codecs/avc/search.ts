import type { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { unescaped } from '../bits';
import { usualSizes } from '../sizes';
import type { AvcFields } from './fields';
import { type AvcSlice, readAvcSlice } from './header';
import { type AvcSliceData, isAvcSlice, sliceDataFor } from './unit';

/** What the lost parameter sets said, in pixels, and how many pictures are kept for reference. */
export type AvcFound = { fields: AvcFields; width: number; height: number; held: number };

const usual: AvcFields = {
  ...{
    profile_idc: 100,
    PicWidthInMbs: 512,
    FrameHeightInMbs: 512,
    BitDepthY: 8,
    log2_max_frame_num: 4,
    pic_order_cnt_type: 0,
    log2_max_pic_order_cnt_lsb: 4,
    delta_pic_order_always_zero_flag: true,
  },
  ...{
    direct_8x8_inference_flag: true,
    entropy_coding_mode_flag: true,
    bottom_field_pic_order_in_frame_present_flag: false,
    num_ref_idx_default_active: [1, 1],
    weighted_pred_flag: false,
    weighted_bipred_idc: 0,
    pic_init_qp: 26,
    chroma_qp_index_offset: 0,
  },
  ...{
    deblocking_filter_control_present_flag: true,
    constrained_intra_pred_flag: false,
    redundant_pic_cnt_present_flag: false,
    transform_8x8_mode_flag: true,
  },
};

/** Starts of the quantiser that encoders have: the middle, those of x264's usual qualities, then all others near them. */
const quantisers = [
  26, 23, 28, 25, 24, 22, 21, 20, 18, 27, 29, 30, 19, 17, 16, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
].concat(...[[15, 14, 13, 12, 11, 10, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51]]);

const isKey = (unit: Buffer) => ((unit[0] ?? 0) & 31) === 5;
const isReference = (unit: Buffer) => (((unit[0] ?? 0) >> 5) & 3) > 0;

/**
 * How well the headers of slices in their order can be read: numbers of frames must rise by one behind each reference, and begin again
 * at key frames, and no picture is shown when the one before it is (ISO/IEC 14496-10, 7.4.3 and 8.2.1). From 0 to 1.
 */
function headersFit(units: readonly Buffer[], fields: AvcFields, effort: Effort): number {
  effort.spend('sliceHeader', units.length);
  let good = 0;
  let next = -1;
  let order = -1;
  const range = 2 ** fields.log2_max_frame_num;
  for (const unit of units) {
    const slice = readAvcSlice(unit, fields);
    if (slice?.first_mb_in_slice !== 0) {
      next = -1;
      order = -1;
      continue;
    }
    const isShownAgain = order >= 0 && slice.pic_order_cnt_lsb === order;
    // Frames between two that are known may be lost.
    if (isKey(unit) || next < 0 || (slice.frame_num === next && !isShownAgain)) good++;
    order = slice.pic_order_cnt_lsb;
    next = isReference(unit) ? (slice.frame_num + 1) % range : slice.frame_num;
  }
  return good / units.length;
}

function* headers(isArithmetic: boolean): Generator<AvcFields> {
  for (const numberBits of [4, 5, 6, 7, 8, 9, 10, 12, 16])
    for (const orderBits of [5, 6, 4, 7, 8, 9, 10, 12, 16, 0])
      for (const weighted of [false, true])
        for (const refs of [[1, 1] as const, [3, 1] as const, [2, 1] as const, [2, 2] as const, [4, 1] as const])
          for (const deblockControl of [true, false])
            yield {
              ...usual,
              entropy_coding_mode_flag: isArithmetic,
              log2_max_frame_num: numberBits,
              log2_max_pic_order_cnt_lsb: orderBits,
              pic_order_cnt_type: orderBits === 0 ? 2 : 0,
              weighted_pred_flag: weighted,
              num_ref_idx_default_active: refs,
              deblocking_filter_control_present_flag: deblockControl,
            };
}

const reads = (unit: Buffer, slice: AvcSlice, data: AvcSliceData) => {
  const { whole, block } = data.read(slice, unit, unit.length);
  return whole && block === data.blocks;
};

/** Size, quantiser and transforms with which a key frame can be read to its end. */
function fromKey(key: Buffer, header: AvcFields, effort: Effort): AvcFound | null {
  const tried = new Set<number>();
  const shapes = usualSizes.filter(([width, height]) => {
    const shape = Math.ceil(width / 16) * 1000 + Math.ceil(height / 16);
    return !tried.has(shape) && tried.add(shape);
  });
  const readers = shapes.map(([width, height]) => {
    const shape = { PicWidthInMbs: Math.ceil(width / 16), FrameHeightInMbs: Math.ceil(height / 16) };
    const data = [true, false].map((transform8) =>
      sliceDataFor({ ...header, ...shape, transform_8x8_mode_flag: transform8 }, effort),
    );
    return { width, height, data };
  });
  // Without arithmetic coding the quantiser changes nothing in how data is read.
  for (const initQp of header.entropy_coding_mode_flag ? quantisers : [usual.pic_init_qp])
    for (const { width, height, data } of readers)
      for (const reader of data) {
        if (effort.isSpent) return null;
        const slice = readAvcSlice(key, { ...reader.fields, pic_init_qp: initQp });
        if (slice && reads(key, slice, reader))
          return { fields: { ...reader.fields, pic_init_qp: initQp }, width, height, held: 1 };
      }
  return null;
}

/** Whether key frames read with the one as with the other. */
const areAlike = (one: AvcFields, other: AvcFields) =>
  one.log2_max_frame_num === other.log2_max_frame_num &&
  one.pic_order_cnt_type === other.pic_order_cnt_type &&
  one.log2_max_pic_order_cnt_lsb === other.log2_max_pic_order_cnt_lsb &&
  one.deblocking_filter_control_present_flag === other.deblocking_filter_control_present_flag;

/** The fields with which slices can be read, all of them coded the one way or the other. */
function fieldsOf(
  units: readonly Buffer[],
  keys: readonly Buffer[],
  isArithmetic: boolean,
  effort: Effort,
): AvcFound | null {
  const fitting = [...headers(isArithmetic)].filter(
    (fields) => !effort.isSpent && headersFit(units.slice(0, 60), fields, effort) > 0.8,
  );
  const done: AvcFields[] = [];
  for (const header of fitting) {
    if (done.some((other) => areAlike(header, other))) continue;
    done.push(header);
    for (const key of keys.slice(0, 3)) {
      const found = fromKey(key, header, effort);
      const same = fitting.filter((other) => areAlike(header, other));
      const others = found && fromOthers(units, found, same, effort);
      if (others) return others;
    }
  }
  return null;
}

/**
 * Tells what the lost parameter sets of a stream said, by reading its slices with one value after another until they end where they
 * must: pictures of one slice and of a usual size, by CABAC or CAVLC. `units` are the first slices of pictures in their order. What no slice
 * shows, the weights of pictures between others and the quantiser of colours, is as x264 has it, and by CAVLC the start of the quantiser
 * as cameras have it. Null when nothing fits.
 */
export function searchAvcFields(escaped: readonly Buffer[], effort: Effort): AvcFound | null {
  const units = escaped.filter(isAvcSlice).map((unit) => unescaped(unit));
  const keys = units.filter(isKey).sort((one, other) => one.length - other.length);
  if (keys.length === 0) return null;
  return fieldsOf(units, keys, true, effort) ?? fieldsOf(units, keys, false, effort);
}

/**
 * chroma_qp_index_offset of x264 with psycho-visual optimisation, which is on unless it is switched off. Encoders in cameras weigh no
 * references, refer to one or two, and begin at the middle of the quantisers; x264 does one of them otherwise.
 */
const x264ChromaOffset = -2;
/** It is on from the preset `fast` on, of which pictures refer to two others at least. */
const leastPsychoRefs = 2;

/** Pictures that a decoder keeps, at least: more than encoders make use of by default. */
const usuallyHeld = 4;

/** How many of some slices cannot be read with these fields, up to the most that may be broken, and whether any refers to both sides. */
function brokenWith(units: readonly Buffer[], fields: AvcFields, effort: Effort): { broken: number; between: boolean } {
  const data = sliceDataFor(fields, effort);
  let broken = 0;
  let between = false;
  for (const unit of units) {
    if (broken * 4 > units.length) break;
    const slice = readAvcSlice(unit, fields);
    if (!slice || !reads(unit, slice, data)) broken++;
    else between = between || slice.slice_type === 1;
  }
  return { broken, between };
}

/** Pictures that refer to others by which fields are chosen. */
const mostOthers = 24;

/** The first of a list and as many from all over the rest: wrong widths of numbers read those of the first pictures, too, as they are small. */
const someOf = <T>(list: readonly T[], most: number): T[] => {
  const rest = list.length - most;
  const isNext = (at: number) => Math.floor((at * most) / rest) !== Math.floor(((at - 1) * most) / rest);
  return list.filter((_, index) => index < most || rest <= most || isNext(index - most));
};

/** Fields of pictures that refer to others: those with which most of them can be read. */
function fromOthers(
  units: readonly Buffer[],
  found: AvcFound,
  headers: readonly AvcFields[],
  effort: Effort,
): AvcFound | null {
  const others = someOf(
    units.filter((unit) => !isKey(unit)),
    mostOthers,
  );
  if (others.length === 0) return found;
  let best: { fields: AvcFields; broken: number; between: boolean } | null = null;
  // Key frames without a block that is predicted by itself, as the fastest encoders write, read with either transform.
  const { transform_8x8_mode_flag: transform8 } = found.fields;
  const tried = [transform8, !transform8].flatMap((transform) =>
    headers.map((header) => ({ ...header, transform_8x8_mode_flag: transform })),
  );
  for (const header of tried) {
    const { weighted_pred_flag, num_ref_idx_default_active, transform_8x8_mode_flag } = header;
    const fields = { ...found.fields, weighted_pred_flag, num_ref_idx_default_active, transform_8x8_mode_flag };
    const seen = brokenWith(others, fields, effort);
    if (seen.broken < (best?.broken ?? Number.POSITIVE_INFINITY)) best = { fields, ...seen };
    // Slices that say themselves how many pictures they refer to can be read with any usual number of them.
    if (seen.broken === 0) break;
  }
  if (!best || best.broken * 4 > others.length) return null;
  const { fields, between } = best;
  const [refs] = fields.num_ref_idx_default_active;
  const isX264 = fields.weighted_pred_flag || refs > 2 || fields.pic_init_qp !== usual.pic_init_qp;
  const told: AvcFields = {
    ...fields,
    weighted_bipred_idc: between && isX264 ? 2 : 0,
    chroma_qp_index_offset: isX264 && refs >= leastPsychoRefs ? x264ChromaOffset : 0,
  };
  // Slices may refer to more pictures than is usual for them; a decoder that keeps more of them shows the same (8.2.5.3).
  return { ...found, fields: told, held: Math.max(refs, usuallyHeld) };
}
