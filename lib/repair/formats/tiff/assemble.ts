import { fillRows } from '../../core/rows';
import { Buffer } from '../../host/bytes';
import type { Deadline, EngineJob } from '../../report';
import { scheme, space, tag } from './directory';
import { movesOneByOne, putBack } from './drift';
import { isFax } from './faxstrip';
import { findGap, withRoom } from './gap';
import { isPlausible, type Layout, rowBytes, segmentSize, segmentsWanted } from './layout';
import { findNoise, rowsInFile } from './noise';
import { type Raster, undoPredictor } from './raster';
import { type Segment, unpackSegment, unpacks } from './segments';
import { crossingIn, goesOnBetter } from './slip/crossing';
import { findStrewn } from './strewn';
import { movedFrom } from './tilesplit';
import { fillWiped, findWiped, type Rows, type Wiped } from './wiped';

/** A raster put together from strips or tiles, how many there are, how many of them were damaged or lost, held more than they should, or had wrong bits. */
export type Assembled = {
  raster: Raster;
  strips: number;
  damaged: number;
  lost: number;
  over: number;
  mended: number;
  /** Of those with wrong bits the ones in which no check sum proves what was set right (LZW has none: TIFF 6.0, section 13). */
  unproven: number;
  /** Strips of plain samples in which bytes were overwritten with zeroes. */
  wiped: number;
  /** The share of rows of which nothing is known to be lost, from 0 to 1. */
  whole: number;
  /** The share of its bytes that was read, from 0 to 1. */
  read: number;
};

/** Unpacks all strips or tiles of a layout into a raster; segments that moved by `shift` bytes are tried at both
 * places, and with `thorough` damaged ones are read on behind the damage. Null for kinds that are not unpacked here. */
export async function assemble(
  job: EngineJob,
  bytes: Buffer,
  layout: Layout,
  little: boolean,
  { shift = 0, thorough = false }: { shift?: number; thorough?: boolean } = {},
): Promise<Assembled | null> {
  if (!unpacks(layout) || !isPlausible(layout, job.limits.pixels)) return null;
  const count = segmentsWanted(layout);
  const row = Math.ceil((layout.width * layout.samples * layout.depth) / 8);
  if (!isReadable(job.deadline, layout, count, thorough)) return null;
  const gapless = thorough ? acrossGap(bytes, layout, row, shift) : null;
  if (gapless) {
    const whole = await assemble(job, gapless, layout, little);
    return whole && { ...whole, damaged: whole.damaged + 1 };
  }
  const sheet: Sheet = { layout, row, data: Buffer.alloc(row * layout.height), spoilt: new Uint8Array(layout.height) };
  const bits = { mended: 0, unproven: 0 };
  let [damaged, lost, over, read, wanted] = [0, 0, 0, 0, 0];
  const split = movedFrom(bytes, layout, shift);
  for (let index = 0; index < count; index++) {
    job.deadline.check();
    const { data } = sheet;
    const segment = await readSegment(job, bytes, layout, index, { little, shift, split, thorough, data, row });
    // The tile before the first that moved is the one in which bytes were lost or added.
    if (!segment?.sound || index + 1 === split) damaged++;
    if (segment?.mended) countMended(bits, segment);
    // Some programs fill the last strip up with rows that are not shown.
    if (segment?.over && (count === 1 || segmentSize(layout, index) === segmentSize(layout, 0))) over++;
    if (!segment || segment.data.length === 0) lost++;
    const size = segmentSize(layout, index);
    read += Math.min(size, segment?.data.length ?? 0);
    wanted += size;
    lay(sheet, index, segment, little);
  }
  // What no check sum proves is read at any place; that others have moved says that bytes were lost or put in between, wherever that was.
  if (shift !== 0 && damaged === 0 && !isSummed(layout)) damaged = 1;
  // What was never read stands there as zeroes, too.
  const wiped = damaged > 0 ? { strips: 0, bytes: 0 } : settleWiped(sheet, bytes, little);
  conceal(layout, sheet.spoilt, sheet.data, row, little);
  const share = sheet.spoilt.reduce((sum, line) => sum + line, 0) / layout.height;
  const whole = Math.min(1 - lost / count, 1 - share);
  return {
    raster: rasterOf(sheet, little),
    strips: count,
    damaged,
    lost,
    over,
    ...bits,
    wiped: wiped.strips,
    whole,
    read: (read - wiped.bytes) / Math.max(1, wanted),
  };
}

/** Units that reading strips of one file may take in all: pages may share theirs, and each of many candidates reads all of them. */
const mostReading = 20_000;
/** What a strip costs that is plain or packed, which may end in an error, and a byte of rows, in units (`report/effort.ts`), by files of such strips alone. */
const costs = { plain: 0.005, packed: 0.1, byte: 1e-5 } as const;
const taken = new WeakMap<Deadline, number>();

/** Whether strips are listed, and may still be read, as they may be where it is clear how they are stored (`isSettled`); they count then. */
function isReadable(deadline: Deadline, layout: Layout, count: number, isSettled: boolean): boolean {
  const { segments, compression, width, height, samples, depth } = layout;
  if (segments.length === 0 || count > mostSegments) return false;
  const each = compression === scheme.none ? costs.plain : costs.packed;
  const before = taken.get(deadline) ?? 0;
  const after = before + count * each + ((width * samples * depth) / 8) * height * costs.byte;
  if (before > 0 && after > mostReading && !isSettled) return false;
  taken.set(deadline, after);
  return true;
}

/** Counts a strip in which bits were set right. */
function countMended(bits: { mended: number; unproven: number }, { isProven }: Segment): void {
  bits.mended++;
  if (!isProven) bits.unproven++;
}

/** Whether strips end with a check sum (RFC 1950, 2.2). */
const isSummed = ({ compression }: Layout): boolean => compression === scheme.flate || compression === scheme.oldFlate;

/** Finds and fills what was overwritten in plain strips, with zeroes or with bytes of chance; in how many of them, and how many bytes. */
function settleWiped({ layout, row, data }: Sheet, bytes: Buffer, little: boolean): { strips: number; bytes: number } {
  const { compression, tile, planes, samples, depth, photometric } = layout;
  const isPlain = compression === scheme.none && photometric !== space.palette;
  if (!isPlain || (depth !== 8 && depth !== 16 && depth !== 1)) return { strips: 0, bytes: 0 };
  const isApart = tile !== null || planes;
  const own: Rows = { data, row, pixel: Math.ceil((samples * depth) / 8), isBits: depth === 1 };
  const asStrips = isApart ? rowsInFile(bytes, layout) : { rows: own, layout };
  if (!asStrips) return { strips: 0, bytes: 0 };
  const { rows, layout: inFile } = asStrips;
  const high = depth === 16 ? (little ? 1 : 0) : null;
  // Tiles are filled up with zeroes at the borders, and what lies above in the file is another tile.
  const wiped = [
    () => (tile ? [] : findWiped(rows, inFile)),
    () => findNoise(rows, inFile, high),
    () => (depth === 8 && !isApart ? findStrewn(rows, inFile) : []),
  ].reduce<Wiped[]>((found, look) => (found.length > 0 ? found : look()), []);
  fillWiped(rows, wiped, depth === 16 ? (little ? 'little' : 'big') : null);
  const size = rows.row * inFile.rowsPerStrip;
  const strips = new Set<number>();
  for (const { from, to } of wiped) for (let at = Math.floor(from / size); at * size < to; at++) strips.add(at);
  if (isApart)
    for (const index of strips) {
      const length = segmentSize(layout, index);
      place(layout, index, Buffer.from(rows.data.buffer, index * size, length), length, data, row);
    }
  return { strips: strips.size, bytes: wiped.reduce((sum, { from, to }) => sum + to - from, 0) };
}

/** The most strips or tiles that are read. */
const mostSegments = 400_000;

/** The picture so far: its rows, of so many bytes, and 1 for those that are lost. */
type Sheet = { layout: Layout; row: number; data: Buffer; spoilt: Uint8Array };

/** Lays what was read of a segment where it belongs, and marks rows that are lost. */
function lay({ layout, row, data, spoilt }: Sheet, index: number, segment: Segment | null, little: boolean): void {
  const isStrip = !layout.tile && !layout.planes;
  if (!segment || segment.data.length === 0) {
    if (isStrip) markLost(spoilt, layout, index, null);
    return;
  }
  if (segment.known && isStrip) markLost(spoilt, layout, index, segment.known);
  const own = Buffer.alloc(segmentSize(layout, index));
  const { length } = segment.data;
  segment.data.copy(own);
  if (layout.predictor === 2)
    undoPredictor(own.subarray(0, length), rowBytes(layout), layout.planes ? 1 : layout.samples, layout.depth, little);
  place(layout, index, own, length, data, row);
}

/** The rows as a raster, whose samples have the byte order of little-endian files. */
function rasterOf({ layout, data }: Sheet, little: boolean): Raster {
  const { width, height, samples, depth, compression } = layout;
  // What was read of fax has the bits of its bytes in the usual order.
  const kept = isFax(compression) ? layout.kept.filter((field) => field.tag !== tag.fillOrder) : layout.kept;
  if (depth === 16 && !little) data.swap16();
  if (depth === 32 && !little) data.swap32();
  const photometric = compression === scheme.jpeg && samples === 3 ? 2 : layout.photometric;
  return { width, height, samples, depth, photometric, data, kept };
}

/**
 * The file with plain strips where they are told to stand, with room where bytes are missing and without what was put in between; null where
 * nothing of that kind shows.
 */
function acrossGap(bytes: Buffer, layout: Layout, row: number, shift: number): Buffer | null {
  const { segments, compression, tile, planes, depth, samples } = layout;
  const [first, last] = [segments[0], segments.at(-1)];
  if (!first || !last || compression !== scheme.none || tile || depth < 8) return null;
  if (segments.some(({ at, count }, index) => index > 0 && at !== segmentEnd(segments[index - 1]) && count > 0))
    return null;
  const end = segmentEnd(last);
  const own = planes ? row / samples : row;
  const pixel = ((planes ? 1 : samples) * depth) / 8;
  const rows = Math.floor((end - first.at) / own);
  const back = () => putBack(bytes, { start: first.at, row: own, pixel, rows }, shift);
  const data = movesOneByOne(shift)
    ? (back() ?? withGap(bytes, layout, row, shift))
    : (withGap(bytes, layout, row, shift) ?? back());
  return data && Buffer.concat([bytes.subarray(0, first.at), data]);
}

/** Plain rows with room for bytes that are missing at one place. */
function withGap(
  bytes: Buffer,
  { segments, planes, samples, depth }: Layout,
  row: number,
  shift: number,
): Buffer | null {
  const [start, end] = [segments[0]?.at ?? 0, segmentEnd(segments.at(-1))];
  const missing = shift < 0 ? -shift : end - bytes.length;
  if (planes || missing <= 0 || missing > mostMissing || start + missing > bytes.length) return null;
  const data = bytes.subarray(start, Math.min(bytes.length, end - missing));
  const pixel = (samples * depth) / 8;
  const place = findGap(data, row, pixel, missing);
  if (place < 0) return null;
  // A file that only lost its end is too short as well: its rows do not go on better with room made for what is missing.
  const run = { at: 0, row, pixel, rows: Math.floor(data.length / row), size: Math.max(1, depth >> 3), high: 0 };
  const by = aroundGap * row;
  const crossing = shift === 0 ? crossingIn(data, run, -missing, Math.max(0, place - by), place + by) : null;
  if (shift === 0 && !(crossing && goesOnBetter(crossing))) return null;
  return withRoom(data, row, place, missing, end - start);
}

const mostMissing = 1 << 20;
/** Rows around a gap in which it is looked at whether they go on better. */
const aroundGap = 2;
const segmentEnd = (segment: Layout['segments'][number] | undefined) => (segment?.at ?? 0) + (segment?.count ?? 0);

/** Marks rows of a strip that are lost, as a whole or in part. */
function markLost(spoilt: Uint8Array, layout: Layout, index: number, known: Uint8Array | null): void {
  const row = rowBytes(layout);
  const top = index * layout.rowsPerStrip;
  for (let line = 0; line * row < segmentSize(layout, index); line++)
    if (!known || known.subarray(line * row, line * row + row).includes(0)) spoilt[top + line] = 1;
}

/** Fills lost rows between their neighbours. */
function conceal(layout: Layout, spoilt: Uint8Array, data: Buffer, row: number, little: boolean): void {
  const { samples, depth, height, photometric } = layout;
  if (depth !== 8 && depth !== 16) return;
  const wide = depth === 16 ? (little ? 'little' : 'big') : null;
  const kind = { pixel: (samples * depth) / 8, wide, numbers: photometric !== space.palette } as const;
  for (let from = spoilt.indexOf(1); from >= 0; ) {
    let to = from;
    while (to < height && spoilt[to] === 1) to++;
    if (to - from < height) fillRows(data, row, from, to, height, kind);
    from = spoilt.indexOf(1, to);
  }
}

/** How strips are read: their byte order, how far they may have moved, whether damage is worked on, and the picture so far with the bytes of a row. */
type Reading = {
  little: boolean;
  shift: number;
  /** The first tile that moved, where that is known. */
  split: number | null;
  thorough: boolean;
  data: Buffer;
  row: number;
};

async function readSegment(
  job: EngineJob,
  bytes: Buffer,
  layout: Layout,
  index: number,
  { little, shift, split, thorough, data, row }: Reading,
): Promise<Segment | null> {
  const told = layout.segments[index];
  if (!told) return null;
  const wanted = segmentSize(layout, index);
  const next = layout.segments[index + 1]?.at ?? 0;
  const options: Segment[] = [];
  for (const at of placesOf(told.at, shift, split === null ? null : index >= split)) {
    if (at < 0 || at >= bytes.length) continue;
    // A length of nothing, or one beyond the next strip, is none.
    const count = told.count > 0 ? told.count : next > told.at ? next - told.at : bytes.length;
    options.push(
      await unpackSegment(job, bytes.subarray(at, Math.min(bytes.length, at + count)), layout, wanted, {
        little,
        thorough,
      }),
    );
  }
  const above = layout.tile
    ? null
    : data.subarray(Math.max(0, index * layout.rowsPerStrip - 1) * row, index * layout.rowsPerStrip * row);
  return better(options, above ?? Buffer.alloc(0));
}

/** Where a segment may stand: as told, moved, or either where `isMoved` is not known. */
function placesOf(at: number, shift: number, isMoved: boolean | null): number[] {
  if (shift === 0) return [at];
  if (isMoved === null) return [at, at + shift];
  return [isMoved ? at + shift : at];
}

/** Of two readings of a strip the sound and longer one; of equals the one whose first row continues the row above. */
function better(options: readonly Segment[], above: Buffer): Segment | null {
  const [first, second] = options;
  if (!first || !second) return first ?? null;
  if (first.sound !== second.sound) return first.sound ? first : second;
  if (first.data.length !== second.data.length) return first.data.length > second.data.length ? first : second;
  const gap = (data: Buffer) => above.reduce((sum, byte, at) => sum + Math.abs(byte - (data[at] ?? 0)), 0);
  return gap(second.data) < gap(first.data) ? second : first;
}

/** Lays an unpacked segment out: a strip as it is, a plane sample by sample, a tile row by row. */
function place(layout: Layout, index: number, own: Buffer, length: number, data: Buffer, row: number): void {
  const { width, height, samples, depth, tile, rowsPerStrip, planes } = layout;
  const size = Math.max(1, depth >> 3);
  const each = segmentsWanted(layout) / (planes ? samples : 1);
  const [plane, part] = [planes ? Math.floor(index / each) : 0, planes ? index % each : index];
  if (!tile && !planes) {
    own.copy(data, part * rowsPerStrip * row, 0, length);
    return;
  }
  const step = rowBytes(layout);
  const across = tile ? Math.ceil(width / tile.width) : 1;
  const left = tile ? (part % across) * tile.width : 0;
  const top = tile ? Math.floor(part / across) * tile.height : part * rowsPerStrip;
  const wide = Math.min(tile?.width ?? width, width - left);
  for (let line = 0; line < Math.min(tile?.height ?? rowsPerStrip, height - top); line++) {
    if (line * step >= length) return;
    if (!planes) {
      const pixel = (samples * depth) / 8;
      own.copy(data, (top + line) * row + Math.floor(left * pixel), line * step, line * step + Math.ceil(wide * pixel));
      continue;
    }
    for (let column = 0; column < wide; column++)
      for (let byte = 0; byte < size; byte++)
        data[(top + line) * row + ((left + column) * samples + plane) * size + byte] =
          own[line * step + column * size + byte] ?? 0;
  }
}
