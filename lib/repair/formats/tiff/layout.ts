import type { Buffer } from '../../host/bytes';
import type { TiffField } from '../../report/facts/photo';
import { type Directory, scheme, type TiffBytes, tag } from './directory';

/** Bits of the largest picture that is read: 400 million samples of eight. */
const mostBits = 8 * 400e6;

/** How a picture is stored (TIFF 6.0): its samples, and where each strip or tile lies in the file, in bytes. */
export type Layout = {
  width: number;
  height: number;
  samples: number;
  depth: number;
  compression: number;
  photometric: number;
  /** 1 for none, 2 for differences between neighbours (TIFF 6.0, section 14), 3 for those of floating-point numbers. */
  predictor: number;
  planes: boolean;
  rowsPerStrip: number;
  tile: { width: number; height: number } | null;
  segments: { at: number; count: number }[];
  /** Whether some of them have a place without a length or a length without a place; pieces that programs leave out have neither (GDAL, sparse files). */
  isWiped?: boolean;
  jpegTables: Buffer | null;
  /** T4Options or T6Options of fax (TIFF 6.0, section 11): bit 0 for rows by the one above among others of T.4, bit 1 for pieces that are not packed. */
  faxOptions: number;
  /** Whether the first pixel stands in the lowest bit of a byte (FillOrder 2; TIFF 6.0, section 8). */
  isTurned: boolean;
  /** Pixels that share colour differences, across and down (TIFF 6.0, section 21). */
  subsampling: readonly number[];
  /** Fields to be carried over as they are. */
  kept: KeptField[];
};
export type KeptField = { tag: number; type: number; values: number[] };

const keptTags = new Set([
  266, 274, 282, 283, 296, 320, 332, 336, 338, 339, 34675, 270, 271, 272, 305, 306, 315, 33432,
]);
const depths = [1, 2, 4, 8, 16, 32];

/** Bytes of one row, of a plane of its own where samples are apart. */
export function rowBytes({ width, samples, depth, planes, tile }: Layout): number {
  return Math.ceil(((tile?.width ?? width) * (planes ? 1 : samples) * depth) / 8);
}

/** Reads a directory leniently: what is missing gets its default, or 0 where there is none. */
export function readLayout(tiff: TiffBytes, directory: Directory): Layout {
  const get = (number: number, fallback: number) => tiff.value(directory, number, fallback);
  const list = (number: number) => tiff.values(directory.fields.get(number));
  const tiled = directory.fields.has(tag.tileOffsets);
  const counts = list(tiled ? tag.tileCounts : tag.stripCounts);
  const listed = list(tiled ? tag.tileOffsets : tag.stripOffsets);
  const places = withCutOff(withWiped(listed, counts), counts);
  const height = get(tag.height, 0);
  const samples = get(tag.samples, directory.fields.get(tag.depth)?.count ?? 1);
  const depth = usual(list(tag.depth)) ?? 1;
  const tables = directory.fields.get(tag.jpegTables);
  return {
    width: get(tag.width, 0),
    height,
    samples,
    depth,
    compression: get(tag.compression, 1),
    photometric: get(tag.photometric, samples >= 3 ? 2 : depth === 1 ? 0 : 1),
    predictor: get(tag.predictor, 1),
    planes: get(tag.planar, 1) === 2 && samples > 1,
    rowsPerStrip: Math.max(1, Math.min(height, get(tag.rowsPerStrip, height) || height)),
    tile: tiled ? { width: get(322, 0), height: get(323, 0) } : null,
    segments: places.map((at, index) => ({ at, count: counts[index] ?? 0 })),
    isWiped: listed.some((at, index) => at > 0 !== (counts[index] ?? 0) > 0) && counts.some((count) => count > 0),
    faxOptions: get(get(tag.compression, 1) === scheme.fax4 ? tag.fax4Options : tag.fax3Options, 0),
    isTurned: get(tag.fillOrder, 1) === 2,
    subsampling: directory.fields.has(tag.subsampling) ? list(tag.subsampling) : [2, 2],
    jpegTables: tables ? tiff.bytes.subarray(tables.at, tables.at + tables.count) : null,
    kept: [...directory.fields.values()]
      .filter((field) => keptTags.has(field.tag) && field.type !== 13)
      .map((field) => keptField(tiff, field))
      .filter((field) => field.values.length > 0 && isSane(field)),
  };
}

/** Directories of other pages that are asked for their strips. */
const mostOthers = 64;

/** Where strips and tiles of other pages are told to stand that the head leads to, from the first byte up to the one behind the last. */
export function takenByOthers(tiff: TiffBytes, own: Directory): { from: number; to: number }[] {
  const taken: { from: number; to: number }[] = [];
  let directory = tiff.directory(tiff.first);
  for (let count = 0; directory && count < mostOthers; count++) {
    if (directory.offset !== own.offset)
      for (const { at, count: bytes } of readLayout(tiff, directory).segments) taken.push({ from: at, to: at + bytes });
    directory = directory.next > 0 ? tiff.directory(directory.next) : null;
  }
  return taken;
}

/** Places of strips or tiles, with those that were overwritten with zeroes where each other one begins at the end of the one before. */
function withWiped(places: readonly number[], counts: readonly number[]): readonly number[] {
  if (!places.some((at, index) => at === 0 && (counts[index] ?? 0) > 0)) return places;
  const all = [...places];
  for (let index = 1; index < all.length; index++) {
    const end = (all[index - 1] ?? 0) + (counts[index - 1] ?? 0);
    if (all[index] === 0) all[index] = end;
    else if (all[index] !== end) return places;
  }
  return all[0] === 0 ? places : all;
}

/** Places of strips or tiles, with those of a list that was cut off: where each one that is listed begins at the end of the one before, the rest do. */
function withCutOff(places: readonly number[], counts: readonly number[]): readonly number[] {
  const behind = (index: number, at: number) => at + (counts[index] ?? 0);
  const isInRow = places.every((at, index) => index === 0 || at === behind(index - 1, places[index - 1] ?? 0));
  if (places.length < 2 || !isInRow) return places;
  const all = [...places];
  for (let last = all.length - 1; last + 1 < counts.length; last++) all.push(behind(last, all[last] ?? 0));
  return all;
}

/** Whether values of fields that a decoder is strict about can be what they say (TIFF 6.0, section 8, 18, 19). */
function isSane({ tag: number, values }: KeptField): boolean {
  const most: Record<number, number> = { 266: 2, 274: 8, 296: 3, 338: 2, 339: 6, 332: 2 };
  const limit = most[number];
  if (limit !== undefined) return values.length <= 8 && values.every((value) => value <= limit);
  return number !== tag.palette || [6, 12, 48, 768, 196_608].includes(values.length);
}

/** The value most samples have; the first of equally frequent ones. */
function usual(values: readonly number[]): number | null {
  const counts = new Map<number, number>();
  for (const value of values.slice(0, 16)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0] ?? null;
}

/** The last type of fields that files with places of four bytes have. */
const mostType = 13;

/** Fractions count as two numbers each. */
function keptField(tiff: TiffBytes, field: { tag: number; type: number; count: number; at: number }): KeptField {
  const fraction = field.type === 5 || field.type === 10;
  const wide = fraction ? { ...field, type: 4, count: field.count * 2 } : field;
  return { tag: field.tag, type: field.type > mostType ? 4 : field.type, values: tiff.values(wide, 4_000_000) };
}

/** Strips or tiles a picture of this layout has. */
export function segmentsWanted(layout: Layout): number {
  const { width, height, samples, planes, tile, rowsPerStrip } = layout;
  const each = tile
    ? Math.ceil(width / Math.max(1, tile.width)) * Math.ceil(height / Math.max(1, tile.height))
    : Math.ceil(height / rowsPerStrip);
  return each * (planes ? samples : 1);
}

/** Bytes that strip or tile `index` holds once it is unpacked. */
export function segmentSize(layout: Layout, index: number): number {
  const { height, tile, rowsPerStrip } = layout;
  if (tile) return rowBytes(layout) * tile.height;
  const perPlane = Math.ceil(height / rowsPerStrip);
  return Math.min(rowsPerStrip, height - (index % perPlane) * rowsPerStrip) * rowBytes(layout);
}

export function isPlausible(layout: Layout, pixels: number): boolean {
  const { width, height, samples, depth, tile } = layout;
  return (
    width > 0 &&
    height > 0 &&
    width * height <= pixels &&
    samples > 0 &&
    samples <= 8 &&
    depths.includes(depth) &&
    width * height * samples * depth <= mostBits &&
    (!tile || (tile.width > 0 && tile.height > 0 && tile.width * tile.height <= pixels))
  );
}

/**
 * Layouts that differ in one field from the given one and fit strips of these unpacked lengths: a strip holds whole rows, and all strips
 * together hold all of them.
 */
export function correctedLayouts(layout: Layout, lengths: readonly number[]): { layout: Layout; field: TiffField }[] {
  if (layout.tile) {
    const pixels = layout.tile.width * layout.tile.height;
    const bytes = (lengths[0] ?? 0) / pixels / (layout.depth / 8);
    const fits = lengths.every((length) => length === lengths[0]) && [1, 2, 3, 4].includes(bytes) && !layout.planes;
    return fits && bytes !== layout.samples ? [{ layout: { ...layout, samples: bytes }, field: 'samples' }] : [];
  }
  const planes = layout.planes ? layout.samples : 1;
  const own = lengths.slice(0, Math.ceil(lengths.length / planes));
  const total = own.reduce((sum, length) => sum + length, 0);
  const first = own[0] ?? 0;
  const found: { layout: Layout; field: TiffField }[] = [];
  const tryOut = (field: TiffField, change: Partial<Layout>) => {
    const next = { ...layout, ...change };
    if (own.length > 1 && first > 0) next.rowsPerStrip = first / rowBytes(next);
    else if (own.length === 1) next.rowsPerStrip = next.height;
    const row = rowBytes(next);
    if (!Number.isInteger(next.rowsPerStrip) || next.rowsPerStrip < 1 || next.width < 1) return;
    if (row * next.height === total && Math.ceil(next.height / next.rowsPerStrip) === own.length)
      found.push({ layout: next, field });
  };
  const { height, samples, depth } = layout;
  const perPixel = (layout.planes ? 1 : samples) * depth;
  tryOut('rowsPerStrip', {});
  if (height > 0) tryOut('width', { width: Math.floor((total / height / perPixel) * 8) });
  const row = rowBytes(layout);
  if (row > 0) tryOut('height', { height: Math.round(total / row) });
  for (const count of [3, 1, 4, 2]) if (count !== samples && !layout.planes) tryOut('samples', { samples: count });
  for (const bits of [8, 16, 1, 4, 2]) if (bits !== depth) tryOut('depth', { depth: bits });
  return found;
}
