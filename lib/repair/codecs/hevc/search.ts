import type { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { unescaped } from '../bits';
import { likelySize, usualSizes } from '../sizes';
import { HevcData } from './data';
import type { HevcFields } from './fields';
import { readHevcSlice } from './header';
import { allBlocks, choices, depths, usual, usualBlocks, yesNo } from './likely';
import { hevcTypeOf, isIrap } from './naltypes';
import { HevcUnits, isHevcSlice } from './unit';

/** Choices for blocks that are tried where no row ends tell the width; chosen on the bench. */
const likely = 72;

/** Largest picture whose fields are looked for, in pixels on a side: a first row of it is read with all of them. */
const widest = 4096;

/** Pictures that refer to no others; those that begin the count of order anew have the shortest headers. */
const isKey = (unit: Buffer) => isIrap(hevcTypeOf(unit));
const isReset = (unit: Buffer) => hevcTypeOf(unit) === 19 || hevcTypeOf(unit) === 20;

/** Lengths of order counts: that of x265, then the other ones. */
const orders = [8, 4, 16, 5, 6, 7, 9, 10, 12];

/** Whether the header of a unit can be read with these fields: the parts that it tells of fit into it. */
function headerFits(unit: Buffer, fields: HevcFields, effort: Effort): boolean {
  effort.spend('sliceHeader');
  const slice = readHevcSlice(unescaped(unit, 2048), fields);
  if (slice?.slice_segment_address !== 0) return false;
  const told = slice.entry_point_offset.reduce((sum, size) => sum + size, slice.body);
  return told < unit.length && slice.entry_point_offset.every((size) => size > 1);
}

/** How many largest blocks the first row of a key frame has with these fields, were it as wide as can be. */
function blocksOfRow(unit: Buffer, fields: HevcFields, effort: Effort): number {
  const wide = { ...fields, pic_width_in_luma_samples: widest, pic_height_in_luma_samples: widest };
  const slice = readHevcSlice(unescaped(unit, 2048), wide);
  const [size] = slice?.entry_point_offset ?? [];
  if (!slice || size === undefined) return 0;
  const bytes = unescaped(unit).subarray(slice.body, slice.body + size);
  const data = new HevcData(wide, effort);
  data.begin(slice);
  return data.row(bytes, 0, bytes.length, 0, false).blocks;
}

/** How many blocks more than a row has its few bytes may seem to hold, where a block takes less than one of them. */
const mostBehind = 6;

/** The sizes, in smallest blocks, that pictures can have whose first row seems to have so many largest blocks: usual ones first. */
function sizesWithin(fields: HevcFields, across: number, rows: number): [number, number][] {
  const small = 1 << fields.MinCbLog2SizeY;
  const large = 1 << fields.CtbLog2SizeY;
  const found: [number, number][] = [];
  for (const [width, height] of usualSizes) {
    const behind = across - Math.ceil(width / large);
    if (behind >= -1 && behind <= mostBehind && Math.ceil(height / large) === rows)
      found.push([Math.ceil(width / small) * small, Math.ceil(height / small) * small]);
  }
  for (let width = Math.max(small, (across - 2) * large + small); width <= (across + 1) * large; width += small)
    for (let height = (rows - 1) * large + small; height <= rows * large; height += small) found.push([width, height]);
  return found;
}

/** Usual sizes in smallest blocks. */
function usualIn({ MinCbLog2SizeY: minBlock }: HevcFields): [number, number][] {
  const small = 1 << minBlock;
  const found = new Map<number, [number, number]>();
  for (const [width, height] of usualSizes) {
    const size: [number, number] = [Math.ceil(width / small) * small, Math.ceil(height / small) * small];
    found.set(size[0] * 8192 + size[1], size);
  }
  return [...found.values()];
}

/** Whether a slice that is coded in one piece ends with the picture. */
function endsPicture(unit: Buffer, fields: HevcFields, effort: Effort): boolean {
  const bytes = unescaped(unit);
  const slice = readHevcSlice(bytes, fields);
  const data = new HevcData(fields, effort);
  if (!slice) return false;
  data.begin(slice);
  return data.whole(bytes, slice.body, bytes.length, slice.slice_segment_address).next === data.across * data.down;
}

/** The number of rows of largest blocks of a picture that is coded in rows. */
function rowsOf(unit: Buffer, fields: HevcFields): number {
  return (readHevcSlice(unescaped(unit, 2048), fields)?.entry_point_offset.length ?? 0) + 1;
}

const reads = (unit: Buffer, units: HevcUnits) => {
  const { whole, parts } = units.check(unit);
  return parts > 0 && whole === parts;
};

/** Size and block fields, of those that are tried, with which a key frame can be read to its end. */
function fromKey(
  key: Buffer,
  headers: HevcFields,
  tried: Iterable<Partial<HevcFields>>,
  effort: Effort,
): HevcFields | null {
  const rows = rowsOf(key, headers);
  let count = 0;
  for (const choice of tried) {
    // Without rows each choice is read with all sizes: only the likely ones are worth their time.
    if (effort.isSpent || (rows < 2 && ++count > likely)) return null;
    const fields = { ...headers, ...choice };
    if (fields.MinCbLog2SizeY > fields.CtbLog2SizeY) continue;
    // No transform is larger than the blocks (7.4.3.2.1): the largest of them is the first choice for small blocks.
    if (fields.MaxTbLog2SizeY > fields.CtbLog2SizeY) fields.MaxTbLog2SizeY = fields.CtbLog2SizeY;
    else if (fields.MaxTbLog2SizeY === 4 && fields.CtbLog2SizeY === 4) continue;
    if (!fields.cu_qp_delta_enabled_flag && fields.diff_cu_qp_delta_depth !== 1) continue;
    const sized = sizeOf(key, fields, rows, effort);
    if (sized) return sized;
  }
  return null;
}

/** The same fields with the first size with which a key frame of so many rows can be read to its end; null where there is none. */
function sizeOf(key: Buffer, fields: HevcFields, rows: number, effort: Effort): HevcFields | null {
  const sizes = rows > 1 ? sizesWithin(fields, blocksOfRow(key, fields, effort), rows) : usualIn(fields);
  let refuted = 0;
  for (const [width, height] of sizes) {
    // The first row tells the width, the last the height.
    if (width === refuted && rows > 1) continue;
    const sized = { ...fields, pic_width_in_luma_samples: width, pic_height_in_luma_samples: height };
    const { whole, parts } = new HevcUnits(sized, effort).check(key);
    if (whole === parts && parts > 0 && (rows > 1 || endsPicture(key, sized, effort))) return sized;
    if (whole === 0) refuted = width;
    if (effort.isSpent) return null;
  }
  return null;
}

/** Slices by which fields are told apart that few of them show. */
const judging = 40;

/**
 * Fields that few slices show, such as the weights of pictures that refer to one side only among many that refer to two: of the fields
 * that were found and those that differ from them in one, the ones with which the fewest slices break.
 */
function refined(others: readonly Buffer[], keyUnit: Buffer, found: HevcFields, effort: Effort): HevcFields {
  const units = others.slice(0, judging);
  const broken = (fields: HevcFields, most: number) => {
    const reader = new HevcUnits(fields, effort);
    let count = 0;
    for (const unit of units) if (count < most && !(headerFits(unit, fields, effort) && reads(unit, reader))) count++;
    return count;
  };
  let best = { fields: found, count: broken(found, units.length) };
  const alternatives: Partial<HevcFields>[] = [
    { weighted_pred_flag: !found.weighted_pred_flag },
    { weighted_bipred_flag: !found.weighted_bipred_flag },
    { cabac_init_present_flag: !found.cabac_init_present_flag },
    { amp_enabled_flag: !found.amp_enabled_flag },
    ...[0, 1, 2, 3].map((depth) => ({ max_transform_hierarchy_depth_inter: depth })),
    ...[1, 2, 3, 4].map((count) => ({ num_ref_idx_default_active: [count, count] as const })),
    ...depthsOf(keyUnit, found, effort).map((depth) => ({ BitDepthY: depth })),
  ];
  for (const change of alternatives) {
    if (best.count === 0 || effort.isSpent) break;
    const fields = { ...found, ...change };
    const count = broken(fields, best.count);
    if (count < best.count && !effort.isSpent) best = { fields, count };
  }
  return best.fields;
}

/**
 * Depths of samples with which a key frame can be read, that of `fields` first: what tells them apart in its data are offsets of the sample
 * adaptive filter that only one of them allows (sao_offset_abs, 7.4.9.3.2), which pictures that refer to others may be the first to have.
 */
const depthsOf = (key: Buffer, fields: HevcFields, effort: Effort): number[] => [
  fields.BitDepthY,
  ...depths.filter(
    (depth) => depth !== fields.BitDepthY && reads(key, new HevcUnits({ ...fields, BitDepthY: depth }, effort)),
  ),
];

/** Fields of pictures that refer to others, by those with which `keyUnit` can be read. */
function fromOthers(others: readonly Buffer[], keyUnit: Buffer, key: HevcFields, effort: Effort): HevcFields | null {
  const keyDepths = depthsOf(keyUnit, key, effort);
  const tried = choices({
    ...{ weighted_pred_flag: [true, false], log2_max_pic_order_cnt_lsb: orders, sps_temporal_mvp_enabled_flag: yesNo },
    ...{
      weighted_bipred_flag: [false, true],
      num_ref_idx_default_active: [[1, 1] as const, [3, 3] as const, [2, 2] as const, [4, 4] as const],
    },
    ...{ lists_modification_present_flag: [false, true], cabac_init_present_flag: [false, true] },
  });
  for (const choice of tried) {
    const headers = { ...key, ...choice };
    if (effort.isSpent) return null;
    // Damaged ones, and what only looks like a unit, must not hide the fields of all the others.
    const fitting = others.filter((unit) => headerFits(unit, headers, effort));
    if (fitting.length * 4 < others.length * 3) continue;
    for (const inside of choices({
      amp_enabled_flag: [false, true],
      max_transform_hierarchy_depth_inter: [0, 1, 2, 3],
      BitDepthY: keyDepths,
    })) {
      const fields = { ...headers, ...inside };
      const units = new HevcUnits(fields, effort);
      let broken = 0;
      for (const unit of fitting) if (broken * 4 <= fitting.length && !reads(unit, units)) broken++;
      if (broken * 4 <= fitting.length) return fields;
      if (effort.isSpent) return null;
    }
  }
  return null;
}

/** Slices from which the fields are told: key frames, and pictures that refer to others. */
type Slices = { keys: readonly Buffer[]; all: readonly Buffer[]; others: readonly Buffer[] };

/** Ways to read the header of a key frame, and the key frame. */
type Start = { headers: HevcFields; key: Buffer };

/**
 * All ways to read the header of one of the key frames: of pictures that are coded in rows which can be read each for itself, where the
 * header tells how many bytes each row has, which hardly any wrong reading does, or of those in one piece.
 */
function startsOf(keys: readonly Buffer[], isInRows: boolean, effort: Effort): Start[] {
  const noReset = keys.every((key) => !isReset(key));
  const starts: Start[] = [];
  for (const choice of choices({
    ...{
      sample_adaptive_offset_enabled_flag: yesNo,
      pps_loop_filter_across_slices_enabled_flag: yesNo,
      deblocking_filter_override_enabled_flag: [false, true],
      pps_slice_chroma_qp_offsets_present_flag: [false, true],
    },
    ...(noReset ? { log2_max_pic_order_cnt_lsb: orders, sps_temporal_mvp_enabled_flag: yesNo } : {}),
  })) {
    const headers: HevcFields = {
      ...usual,
      ...choice,
      entropy_coding_sync_enabled_flag: isInRows,
      // Of the smallest blocks a picture has the most rows.
      CtbLog2SizeY: 4,
      pic_width_in_luma_samples: widest,
      pic_height_in_luma_samples: widest,
    };
    for (const key of keys)
      if (headerFits(key, headers, effort) && (!isInRows || rowsOf(key, headers) > 1)) starts.push({ headers, key });
  }
  return starts;
}

/** The fields with which slices can be read, from one of these starts, whose blocks are some of `blocks`. */
function fieldsFrom(
  starts: readonly Start[],
  { all, others }: Pick<Slices, 'all' | 'others'>,
  blocks: () => Iterable<Partial<HevcFields>>,
  effort: Effort,
): HevcFields | null {
  for (const { headers, key } of starts) {
    if (effort.isSpent) return null;
    const block = fromKey(key, headers, blocks(), effort);
    const found = block && (others.length > 0 ? fromOthers(others, key, block, effort) : block);
    if (found) return refined(all, key, found, effort);
  }
  return null;
}

/** The fields with which slices can be read; pictures in rows and usual blocks first. */
function fieldsOf(slices: Slices, effort: Effort): HevcFields | null {
  for (const isInRows of yesNo) {
    const starts = startsOf(slices.keys, isInRows, effort);
    for (const blocks of [usualBlocks, allBlocks]) {
      const found = fieldsFrom(starts, slices, blocks, effort);
      if (found) return found;
    }
  }
  return null;
}

/**
 * Tells what the lost parameter sets of a stream said, by reading its slices with one value after another until they end where they
 * must; pictures that are not coded in rows which can be read each for itself (wavefronts) must have a usual size. `units` are slices without
 * a start code or length, the first of a picture each. What no slice shows is as most encoders have it. Null when nothing fits.
 */
export function searchHevcFields(
  units: readonly Buffer[],
  effort: Effort,
): { fields: HevcFields; width: number; height: number } | null {
  const keys = units
    .filter(isReset)
    .concat(units.filter((unit) => isKey(unit) && !isReset(unit)))
    .slice(0, 4);
  const all = units.filter((unit) => isHevcSlice(unit) && !isKey(unit));
  const others = all.slice(0, 16);
  const fields = fieldsOf({ keys, all, others }, effort);
  if (!fields) return null;
  const side = 1 << fields.MinCbLog2SizeY;
  const [width, height] = likelySize(
    Math.ceil(fields.pic_width_in_luma_samples / side),
    Math.ceil(fields.pic_height_in_luma_samples / side),
    side,
  );
  return { fields, width, height };
}
