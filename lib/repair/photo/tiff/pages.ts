import type { EngineJob } from '../../report';
import { type Assembled, assemble } from './assemble';
import { type Directory, describesImage, type TiffBytes } from './directory';
import { correctedLayouts, type Layout, readLayout, rowBytes, segmentSize, segmentsWanted } from './layout';
import { decodeLzw, packBitsEnd } from './lzw';
import { scanStrips } from './scan';
import { naturalLength, packingOf, unpackable } from './segments';
import { roughnessOf } from './smooth';

/** A page as its directory tells it, or as it must be where the directory contradicts the data; `corrected` names the fields that were wrong. */
export type Page = { assembled: Assembled | null; layout: Layout; corrected: string[] };

const mostPages = 64;

/** The directories that describe pictures, as the head of the file leads to them. */
export function pageDirectories(tiff: TiffBytes, lenient: boolean): Directory[] {
  const pages: Directory[] = [];
  const seen = new Set<number>();
  let offset = tiff.u32(4);
  while (offset > 0 && !seen.has(offset) && seen.size < mostPages) {
    seen.add(offset);
    const directory = tiff.directory(offset) ?? (lenient ? tiff.directory(offset, true) : null);
    if (!directory) break;
    if (describesImage(directory) || (lenient && directory.fields.size > 3)) pages.push(directory);
    offset = directory.next;
  }
  return pages;
}

/** Reads a page; where its data does not fit its description, single fields are corrected and the reading with the least damage is kept. */
export async function readPage(job: EngineJob, tiff: TiffBytes, directory: Directory): Promise<Page> {
  const told = readLayout(tiff, directory);
  const first: Page = { assembled: await assemble(job, tiff.bytes, told, tiff.little), layout: told, corrected: [] };
  if (first.assembled?.damaged === 0 && photometricFits(told) && !overlapsDirectory(told, directory)) return first;
  if (!unpackable.has(told.compression) && told.compression > 1 && told.compression < 9 && !first.assembled)
    return first;
  // Where most strips are right, their places are, and a strip that is not is damaged itself.
  const trusted =
    first.assembled !== null && first.assembled.damaged * 2 <= first.assembled.strips && first.assembled.damaged > 0;
  let best = overlapsDirectory(told, directory) ? { ...first, assembled: null } : first;
  for (const candidate of candidates(job, tiff, told, directory)) {
    job.deadline.check();
    if (trusted && (candidate.moved || candidate.fields.includes('height'))) continue;
    const assembled = await assemble(job, tiff.bytes, candidate.layout, tiff.little);
    if (!assembled) continue;
    // Other places are believed only when they give the whole picture, unless the told ones cannot be.
    if (candidate.moved && assembled.damaged > 0 && insideFile(told, tiff.bytes.length)) continue;
    const page = { assembled, layout: candidate.layout, corrected: candidate.fields };
    if (isBetter(page, best)) best = page;
  }
  best = await withShift(job, tiff, best);
  return directory.sound ? best : withPredictor(job, tiff, best);
}

/** Bytes lost or added somewhere moved all strips behind that place; where the last strip begins now tells by how much. */
async function withShift(job: EngineJob, tiff: TiffBytes, page: Page): Promise<Page> {
  const { assembled, layout } = page;
  if (!assembled || assembled.damaged < 2 || layout.tile || (layout.compression !== 5 && layout.compression !== 8))
    return page;
  const found = scanStrips(job, tiff.bytes, 8).at(-1)?.at ?? 0;
  const told = layout.segments.at(-1)?.at ?? 0;
  if (found === 0 || found === told || Math.abs(found - told) > 1 << 20) return page;
  const moved = await assemble(job, tiff.bytes, layout, tiff.little, found - told);
  if (!moved || moved.damaged >= assembled.damaged) return page;
  return { assembled: moved, layout, corrected: [...page.corrected, 'places of the strips behind lost bytes'] };
}

/** Where entries of the directory are lost, the one that tells of differences between neighbours may be among them. */
async function withPredictor(job: EngineJob, tiff: TiffBytes, page: Page): Promise<Page> {
  const { assembled, layout } = page;
  if (!assembled || layout.predictor !== 1 || (layout.compression !== 5 && layout.compression !== 8)) return page;
  const next = { ...layout, predictor: 2 };
  const other = await assemble(job, tiff.bytes, next, tiff.little);
  if (!other || roughnessOf(other.raster) > roughnessOf(assembled.raster) * 0.8) return page;
  return { assembled: other, layout: next, corrected: [...page.corrected, 'differences between neighbours'] };
}

const insideFile = ({ segments }: Layout, size: number) =>
  segments.length > 0 && segments.every(({ at, count }) => at >= 8 && count > 0 && at + count <= size);

function isBetter(page: Page, best: Page): boolean {
  if (!page.assembled) return false;
  if (!best.assembled) return true;
  if (photometricFits(page.layout) !== photometricFits(best.layout) && page.assembled.damaged <= best.assembled.damaged)
    return photometricFits(page.layout);
  const share = ({ damaged, strips }: Assembled) => damaged / Math.max(1, strips);
  const gain = share(best.assembled) - share(page.assembled);
  if (Math.abs(gain) > 0.01) return gain > 0;
  return roughnessOf(page.assembled.raster) < roughnessOf(best.assembled.raster) * 0.9;
}

/** Whether the kind of colours goes with the number of samples (section 3 to 6, 20 to 23), those beyond colour left out. */
export function photometricFits({ photometric, samples, kept }: Layout): boolean {
  const colours = samples - (kept.find(({ tag }) => tag === 338)?.values.length ?? 0);
  if (photometric === 3) return colours <= 2 && kept.some(({ tag }) => tag === 320);
  if (photometric === 0 || photometric === 1 || photometric === 4) return colours <= 2;
  if (photometric === 5) return samples >= 4;
  return (
    photometric > 30_000 ||
    ((photometric === 2 || photometric === 6 || (photometric > 7 && photometric < 11)) && samples >= 3)
  );
}

function fittingPhotometric(layout: Layout): number {
  if (photometricFits(layout)) return layout.photometric;
  if (layout.samples >= 3) return 2;
  return layout.kept.some(({ tag }) => tag === 320) && layout.samples === 1 ? 3 : layout.depth === 1 ? 0 : 1;
}

type Candidate = { layout: Layout; fields: string[]; moved: boolean };

/** Readings of a page with one or two fields set right, each with the names of those fields. */
function candidates(job: EngineJob, tiff: TiffBytes, told: Layout, directory: Directory): Candidate[] {
  const list: Candidate[] = [];
  const base = { ...told, photometric: fittingPhotometric(told) };
  const fields = base.photometric === told.photometric ? [] : ['kind of colours'];
  if (fields.length > 0) list.push({ layout: base, fields, moved: false });
  const inside = base.segments.filter(({ at }) => at >= 8 && at < tiff.bytes.length);
  const packings = new Set<number>([base.compression]);
  const seen = inside.slice(0, 2).map(({ at }) => packingOf(tiff.bytes, at));
  for (const packing of seen) if (packing !== null) packings.add(packing);
  // Without anything that shows how data is packed, only lengths that fit exactly are evidence of plain or run-length data.
  if (seen.every((packing) => packing === null) || base.compression === 1) {
    for (const packing of [1, 32773])
      if (fitsExactly({ ...base, compression: packing }, tiff.bytes)) packings.add(packing);
  }
  for (const compression of [...packings].slice(0, 5)) {
    const packed = { ...base, compression };
    const names = compression === told.compression ? fields : [...fields, 'compression'];
    const places = [{ layout: packed, names, moved: false }];
    const found = foundSegments(job, tiff, packed, directory);
    if (found)
      places.push({ layout: { ...packed, segments: found }, names: [...names, 'places of the data'], moved: true });
    for (const { layout, names: own, moved } of places) {
      if (layout.segments.length === 0) continue;
      if (own.length > 0) list.push({ layout, fields: own, moved });
      const lengths = segmentLengths(job, tiff.bytes, layout);
      for (const fixed of lengths ? correctedLayouts(layout, lengths) : [])
        list.push({
          layout: { ...fixed.layout, photometric: fittingPhotometric(fixed.layout) },
          fields: [...own, fixed.field],
          moved,
        });
    }
  }
  return list.slice(0, 40);
}

/** Whether every strip takes exactly the bytes that plain rows, or rows packed by run lengths, would take. */
function fitsExactly(layout: Layout, bytes: Buffer): boolean {
  return layout.segments.every(({ at, count }, index) => {
    const wanted = segmentSize(layout, index);
    if (layout.compression === 1) return count === wanted;
    return count > 0 && packBitsEnd(bytes, at, wanted) === at + count;
  });
}

function segmentLengths(job: EngineJob, bytes: Buffer, layout: Layout): number[] | null {
  const lengths: number[] = [];
  let budget = 128 << 20;
  for (const [index, { at, count }] of layout.segments.entries()) {
    job.deadline.check();
    if (at < 8 || at >= bytes.length || index > 20_000 || budget <= 0) return null;
    const next = layout.segments[index + 1]?.at ?? bytes.length;
    const size = count > 0 ? count : next > at ? next - at : bytes.length - at;
    const length = naturalLength(
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
  const ends = [...directory.fields.values()].map(({ at, count, type }) =>
    at > directory.offset ? at + count * (type === 3 ? 2 : 4) : 0,
  );
  const behind = Math.max(
    directory.offset + 6 + directory.fields.size * 12,
    ...ends.filter((end) => end < bytes.length),
  );
  for (const start of directory.offset < 4096 ? [behind, behind + 1, 8] : [8, 16]) {
    if (start >= bytes.length) continue;
    const segments = inRow(job, bytes, layout, start, wanted);
    if (segments.length === wanted) return segments;
  }
  if (layout.tile || (layout.compression !== 5 && layout.compression !== 8)) return null;
  const scanned = scanStrips(job, bytes, 8).filter((strip) => strip.packing === layout.compression);
  // A strip too few means that one is damaged, not that the picture is smaller.
  if (layout.segments.length > 1 && scanned.length !== layout.segments.length) return null;
  return scanned.length > 0 ? scanned.map(({ at, end }) => ({ at, count: end - at })) : null;
}

function inRow(job: EngineJob, bytes: Buffer, layout: Layout, start: number, wanted: number): Layout['segments'] {
  const segments: Layout['segments'] = [];
  let at = start;
  while (segments.length < wanted && at < bytes.length) {
    job.deadline.check();
    const size = segmentSize(layout, segments.length);
    const told = layout.segments[segments.length]?.count ?? 0;
    let count = told;
    if (layout.compression === 1) count = size;
    else if (layout.compression === 5 || layout.compression === 8) {
      let skip = 0;
      while (skip < 4 && packingOf(bytes, at + skip) !== layout.compression) skip++;
      if (skip === 4) break;
      at += skip;
      if (count === 0) count = layout.compression === 5 ? decodeLzw(bytes, at, size).end - at + 2 : 0;
    }
    if (count === 0) break;
    segments.push({ at, count });
    at += count;
  }
  return segments;
}

/** Whether picture data would lie where the directory itself stands, which no writer does. */
export function overlapsDirectory(layout: Layout, directory: Directory): boolean {
  const end = directory.offset + 6 + directory.fields.size * 12;
  return layout.segments.some(({ at, count }) => count > 0 && at < end && at + count > directory.offset);
}
