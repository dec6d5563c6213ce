import { decodeLzw } from '../../codecs/lzw/decode';
import { highest } from '../../core/extent';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { TiffField } from '../../report/facts/photo';
import { type Directory, placesOf, scheme, sizesOf, space, type TiffBytes, tag } from './directory';
import { layoutOfFrame } from './jpegframe';
import { correctedLayouts, type Layout, rowBytes, segmentSize, segmentsWanted, takenByOthers } from './layout';
import { packBitsEnd } from './packbits';
import { scanStrips } from './scan';
import { naturalLength, packingOf } from './segments';
import { runsOf } from './slip/runs';
import { seamsOf, standsOut, votes } from './slip/seams';

/** Values of PhotometricInterpretation from here on are those of raw data (DNG, 32803 and 34892). */
const firstRawSpace = 30_000;
/** Strips of a picture that are looked at one by one: pictures in more of them are laid out anew. */
const mostSegments = 20_000;

/** A reading of a page with one or two fields set right, the names of those fields, and whether its data lies elsewhere than told. */
export type Candidate = { layout: Layout; fields: TiffField[]; moved: boolean };

const mostCandidates = 40;

/** Whether the kind of colours goes with the number of samples (TIFF 6.0, section 3 to 6, 20 to 23), those beyond colour left out. */
export function photometricFits({ photometric, samples, kept }: Layout): boolean {
  const colours = samples - (kept.find((field) => field.tag === tag.extraSamples)?.values.length ?? 0);
  if (photometric === space.palette) return colours <= 2 && kept.some((field) => field.tag === tag.palette);
  if (photometric === space.whiteIsZero || photometric === space.blackIsZero || photometric === space.mask)
    return colours <= 2;
  if (photometric === space.separated) return samples >= 4;
  return (
    photometric > firstRawSpace ||
    ((photometric === space.rgb || photometric === space.yCbCr || (photometric > 7 && photometric < 11)) &&
      samples >= 3)
  );
}

/** The kind of colours that goes with the samples, where the told one does not. */
function fittingPhotometric(layout: Layout): number {
  if (photometricFits(layout)) return layout.photometric;
  if (layout.samples >= 3) return 2;
  return layout.kept.some((field) => field.tag === tag.palette) && layout.samples === 1
    ? 3
    : layout.depth === 1
      ? 0
      : 1;
}

/** Whether picture data would lie where the directory itself stands, which no writer does. */
function overlapsDirectory(layout: Layout, directory: Directory): boolean {
  const end = directory.offset + 6 + directory.fields.size * 12;
  return layout.segments.some(({ at, count }) => count > 0 && at < end && at + count > directory.offset);
}

/** Whether the places of the data cannot be: in the directory, or several strips at one place. */
export function placesContradict(layout: Layout, directory: Directory): boolean {
  const { segments } = layout;
  const first = segments[0]?.at;
  return overlapsDirectory(layout, directory) || (segments.length > 2 && segments.every(({ at }) => at === first));
}

/** Whether the list of places is longer than the picture needs, or plain data is really packed: signs of a wrong field that no strip shows. */
export function fieldsContradict(layout: Layout, bytes: Buffer): boolean {
  const wanted = segmentsWanted(layout);
  if (layout.segments.length > wanted) return true;
  if (layout.compression !== scheme.none || layout.segments.length === 0) return false;
  if (jpegInside(layout, bytes)) return true;
  const longer = layout.segments.some(({ count }, index) => count > segmentSize(layout, index));
  return longer && fitsExactly({ ...layout, compression: scheme.packBits }, bytes);
}

function jpegInside(layout: Layout, bytes: Buffer): boolean {
  return layout.segments.every(
    ({ at, count }, index) => count !== segmentSize(layout, index) && packingOf(bytes, at) === 7,
  );
}

/** Readings of a page with one or two fields set right, each with the names of those fields. */
export function candidates(job: EngineJob, tiff: TiffBytes, told: Layout, directory: Directory): Candidate[] {
  const list: Candidate[] = [];
  const base = { ...told, photometric: fittingPhotometric(told) };
  const fields: TiffField[] = base.photometric === told.photometric ? [] : ['photometric'];
  const trusted = !placesContradict(told, directory);
  const inside = trusted ? base.segments.filter(({ at }) => at >= 8 && at < tiff.bytes.length) : [];
  const seen = inside.slice(0, 2).map(({ at }) => packingOf(tiff.bytes, at));
  if (seen[0] === 7) return jpegCandidates(tiff, told);
  if (fields.length > 0 && trusted) list.push({ layout: base, fields, moved: false });
  if (trusted) list.push(...byNumberOfPlaces(tiff, base, directory, fields));
  for (const compression of packings(base, seen, tiff.bytes, directory)) {
    const packed = { ...base, compression };
    const own: TiffField[] = compression === told.compression ? fields : [...fields, 'compression'];
    const segments = foundSegments(job, tiff, packed, directory);
    if (trusted) list.push(...byLengths(job, tiff, told, { layout: packed, fields: own, moved: false }));
    if (!segments) continue;
    const found: Candidate = { layout: { ...packed, segments }, fields: [...own, 'places'], moved: true };
    list.push(...byLengths(job, tiff, told, found));
  }
  return list.slice(0, mostCandidates);
}

/** A reading, if any field of it is set right, and those with one more field set right by what its strips unpack to. */
function byLengths(job: EngineJob, tiff: TiffBytes, told: Layout, candidate: Candidate): Candidate[] {
  const { layout, fields, moved } = candidate;
  if (layout.segments.length === 0) return [];
  // What a strip lacks that the file ends in says nothing about fields that all agree with each other.
  const isAgreed = layout.compression === scheme.none && fieldsAgree(told, tiff.bytes);
  if (isAgreed && isSameData(layout, told)) return [];
  const lengths = isAgreed ? null : segmentLengths(job, tiff.bytes, layout);
  const corrected = (lengths ? correctedLayouts(layout, lengths) : []).map((fixed) => {
    const photometric = fittingPhotometric({ ...fixed.layout, photometric: told.photometric });
    // With another field set right the kind of colours may be right as it was told.
    const others = photometric === told.photometric ? fields.filter((field) => field !== 'photometric') : fields;
    return { layout: { ...fixed.layout, photometric }, fields: [...others, fixed.field], moved };
  });
  return fields.length > 0 ? [candidate, ...corrected] : corrected;
}

/** Whether a page of plain rows has as many strips or tiles as its size needs, each as long as it has to be. */
const fieldsAgree = (told: Layout, bytes: Buffer): boolean =>
  told.compression === scheme.none && told.segments.length === segmentsWanted(told) && fitsExactly(told, bytes);

/** Whether two layouts read the same bytes. */
const isSameData = ({ segments }: Layout, other: Layout): boolean =>
  segments.length === other.segments.length &&
  segments.every(({ at, count }, index) => at === other.segments[index]?.at && count === other.segments[index]?.count);

/** Kinds of packing to try: the told one, those that show in the data, and where none shows those whose lengths fit exactly. */
function packings(base: Layout, seen: readonly (number | null)[], bytes: Buffer, directory: Directory): number[] {
  const list = new Set<number>([base.compression]);
  for (const packing of seen) if (packing !== null) list.add(packing);
  if (!directory.fields.has(tag.compression)) list.add(scheme.packBits);
  if (base.segments.length > 0 && (seen.every((packing) => packing === null) || base.compression === scheme.none)) {
    const plain = fitsExactly({ ...base, compression: 1 }, bytes);
    const runs = fitsExactly({ ...base, compression: scheme.packBits }, bytes);
    if (runs && !plain) return [scheme.packBits];
    if (plain) list.add(1);
  }
  return [...list].slice(0, 5);
}

/** JPEG strips tell their own size, colours and packing. */
function jpegCandidates({ bytes }: TiffBytes, told: Layout): Candidate[] {
  const layout = layoutOfFrame(told, bytes);
  if (!layout) return [];
  const fields: TiffField[] = [];
  if (layout.compression !== told.compression) fields.push('compression');
  if (layout.photometric !== told.photometric) fields.push('photometric');
  if (layout.samples !== told.samples) fields.push('samples');
  if (layout.depth !== told.depth) fields.push('depth');
  if (layout.width !== told.width) fields.push('width');
  if (layout.height !== told.height) fields.push('height');
  if (!layout.tile && layout.segments.length > 1 && layout.rowsPerStrip !== told.rowsPerStrip)
    fields.push('rowsPerStrip');
  return fields.length > 0 ? [{ layout, fields, moved: false }] : [];
}

/** Fields that the number of strips or tiles shows to be wrong: the samples of planes, the width of tiles. */
function byNumberOfPlaces(tiff: TiffBytes, base: Layout, directory: Directory, fields: TiffField[]): Candidate[] {
  const { segments, tile, height } = base;
  const count = segments.length;
  const planar = tiff.value(directory, tag.planar, 1) === 2;
  if (planar) {
    const each = segmentsWanted({ ...base, planes: false });
    const samples = count / each;
    if (samples === base.samples || !Number.isInteger(samples) || samples < 2 || samples > 5) return [];
    const layout = { ...base, samples, planes: true };
    return [
      {
        layout: { ...layout, photometric: fittingPhotometric(layout) },
        fields: [...fields, 'samples'],
        moved: false,
      },
    ];
  }
  if (!tile || tile.width < 1 || tile.height < 1) return [];
  if (count === segmentsWanted(base)) return [];
  const [across, down] = [Math.ceil(base.width / tile.width), Math.ceil(height / tile.height)];
  const list: Candidate[] = [];
  if (count % across === 0)
    list.push({
      layout: { ...base, height: (count / across) * tile.height },
      fields: [...fields, 'height'],
      moved: false,
    });
  if (count % down === 0)
    list.push({ layout: { ...base, width: (count / down) * tile.width }, fields: [...fields, 'width'], moved: false });
  return list;
}

/** Whether every strip takes exactly the bytes that plain rows, or rows packed by run lengths, would take. */
function fitsExactly(layout: Layout, bytes: Buffer): boolean {
  return layout.segments.every(({ at, count }, index) => {
    const wanted = segmentSize(layout, index);
    if (layout.compression === scheme.none) return count === wanted;
    return count > 0 && packBitsEnd(bytes, at, wanted) === at + count;
  });
}

function segmentLengths(job: EngineJob, bytes: Buffer, layout: Layout): number[] | null {
  const lengths: number[] = [];
  let budget = 128 << 20;
  for (const [index, { at, count }] of layout.segments.entries()) {
    job.deadline.check();
    if (at < 8 || at >= bytes.length || index > mostSegments || budget <= 0) return null;
    const next = layout.segments[index + 1]?.at ?? bytes.length;
    const size = count > 0 ? count : next > at ? next - at : bytes.length - at;
    const length = naturalLength(
      job,
      bytes.subarray(at, Math.min(bytes.length, at + size)),
      layout.compression,
      Math.min(budget, 64 << 20),
    );
    if (length === null) return null;
    budget -= length;
    lengths.push(length);
  }
  return lengths;
}

/** Where strips must lie, one behind the other, when the list of their places is wrong or gone; null when they are not found. */
function foundSegments(
  job: EngineJob,
  tiff: TiffBytes,
  layout: Layout,
  directory: Directory,
): Layout['segments'] | null {
  const { bytes } = tiff;
  const wanted =
    layout.width > 0 && layout.height > 0 && rowBytes(layout) > 0 ? Math.min(20_000, segmentsWanted(layout)) : 0;
  if (layout.samples < 1) return null;
  const occupied = placesOf(directory).filter(({ to }) => to < bytes.length);
  // What another page is told to be is not this one.
  const others = takenByOthers(tiff, directory);
  const behind = highest(
    occupied.map(({ to }) => to),
    8,
  );
  // Plain rows behind a directory in front end where the file does, whatever else stands between.
  const total = layout.compression === scheme.none && directory.next === 0 ? totalSize(layout, wanted) : 0;
  const fromEnd = total > 0 && bytes.length - total >= behind ? [bytes.length - total] : [];
  const { head } = sizesOf(tiff.isBig);
  for (const start of directory.offset < 4096 ? [...fromEnd, behind, behind + 1, head] : [head, 16]) {
    if (start >= bytes.length || !mayBegin(tiff, layout, behind, start)) continue;
    const segments = inRow(job, bytes, layout, start, wanted);
    const isFree = segments.every(({ at, count }) =>
      [...occupied, ...others].every(({ from, to }) => at >= to || at + count <= from),
    );
    if (segments.length === wanted && isFree) return segments;
  }
  if (layout.tile || (layout.compression !== scheme.lzw && layout.compression !== scheme.flate)) return null;
  const scanned = scanStrips(job, bytes, 8).filter((strip) => strip.packing === layout.compression);
  // A strip too few means that one is damaged, not that the picture is smaller.
  if (layout.segments.length > 1 && scanned.length !== layout.segments.length) return null;
  return scanned.length > 0 ? scanned.map(({ at, end }) => ({ at, count: end - at })) : null;
}

/** Standard deviations by which the borders of rows of either half have to speak for another place of all of them than the one that can be as it is told. */
const clearlyMoved = 3;

/** Whether rows may begin at a place, plain ones rather than where they are told to: a file that lost bytes of its last rows, or of any, ends too early as well. */
function mayBegin(tiff: TiffBytes, layout: Layout, behind: number, place: number): boolean {
  const told = layout.segments[0]?.at ?? 0;
  if (layout.compression !== scheme.none || place === told || told < behind || told >= tiff.bytes.length) return true;
  const runs = runsOf(tiff.bytes, [layout], tiff.little).filter(({ isBits }) => !isBits);
  // Where borders cannot be asked, places are believed that all other fields agree with.
  if (runs.length === 0) return !fieldsAgree(layout, tiff.bytes);
  const [seams, by] = [seamsOf(tiff.bytes, runs, place - told), place - told];
  // In a frame of one colour nothing stands out where rows do begin, and halves of samples tell nothing.
  const isFramed = seams.reduce((sum, seam) => sum + seam.told, 0) < seams.length;
  if (isFramed || by % (layout.depth >> 3) !== 0) return false;
  // Where only rows behind some place moved, those before it do not say so.
  const half = seams.length >> 1;
  const halves = [seams.slice(0, half), seams.slice(half)];
  return halves.every((part) => standsOut(part, 'moved') && votes(part) >= clearlyMoved);
}

function totalSize(layout: Layout, count: number): number {
  let total = 0;
  for (let index = 0; index < count; index++) total += segmentSize(layout, index);
  return total;
}

/** Bytes that may stand between strips. */
const mostBetween = 3;

/** Strips that follow each other from a place on, as many as can be read. */
function inRow(job: EngineJob, bytes: Buffer, layout: Layout, start: number, wanted: number): Layout['segments'] {
  const segments: Layout['segments'] = [];
  let end = start;
  while (segments.length < wanted && end < bytes.length) {
    job.deadline.check();
    const segment = segmentAt(bytes, layout, segments.length, end);
    if (!segment) break;
    segments.push(segment);
    end = segment.at + segment.count;
  }
  return segments;
}

/** The strip that begins at a place, or a few bytes behind it; null when none does. */
function segmentAt(bytes: Buffer, layout: Layout, index: number, from: number): Layout['segments'][number] | null {
  const { compression } = layout;
  const size = segmentSize(layout, index);
  const told = layout.segments[index]?.count ?? 0;
  const segment = (at: number, count: number) => (count > 0 ? { at, count } : null);
  if (compression === scheme.none) return segment(from, size);
  if (compression === scheme.packBits)
    return segment(from, told > 0 ? told : Math.max(0, packBitsEnd(bytes, from, size) - from));
  if (compression !== scheme.lzw && compression !== scheme.flate) return segment(from, told);
  let at = from;
  while (at <= from + mostBetween && packingOf(bytes, at) !== compression) at++;
  if (at > from + mostBetween) return null;
  if (told > 0 || compression === scheme.flate) return segment(at, told);
  return segment(at, decodeLzw(bytes, at, size).end - at + 2);
}
