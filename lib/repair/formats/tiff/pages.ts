import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { TiffField } from '../../report/facts/photo';
import { type Assembled, assemble } from './assemble';
import { candidates, fieldsContradict, photometricFits, placesContradict } from './candidates';
import { bytesOf, type Directory, describesImage, scheme, type TiffBytes, tag } from './directory';
import { type Layout, readLayout } from './layout';
import { scanStrips } from './scan';
import { unpackable } from './segments';
import { roughnessOf } from './smooth';

/** A page as its directory tells it, or as it must be where the directory contradicts the data; `corrected` names the fields that were wrong. */
export type Page = { assembled: Assembled | null; layout: Layout; corrected: TiffField[]; shift?: number };

const mostPages = 64;
/** Share of another reading's roughness below which one is better, by what sets them apart, and the share of strips that decides before that. */
const clearlySmoother = { predictor: 0.8, fields: 0.9, colours: 0.5 };
const leastGain = 0.01;

/** Bytes of all values that a directory lists. */
const listedBytes = ({ fields }: Directory): number =>
  [...fields.values()].reduce((sum, field) => sum + bytesOf(field), 0);

/**
 * The directories that describe pictures, as the head of the file leads to them, as long as what they list has room in the file: pages that
 * share their lists are read no more often than that.
 */
export function pageDirectories(tiff: TiffBytes, lenient: boolean): Directory[] {
  const pages: Directory[] = [];
  const seen = new Set<number>();
  let offset = tiff.first;
  let room = tiff.bytes.length;
  while (offset > 0 && !seen.has(offset) && seen.size < mostPages && room > 0) {
    seen.add(offset);
    const directory = tiff.directory(offset) ?? (lenient ? tiff.directory(offset, true) : null);
    if (!directory) break;
    room -= listedBytes(directory);
    if (describesImage(directory) || (lenient && directory.fields.size > 3)) pages.push(directory);
    offset = directory.next;
  }
  return pages;
}

/** Fields of every picture (TIFF 6.0, section 3 to 6), and how many of them only a page has. */
const ofPages = [tag.width, tag.height, tag.depth, tag.compression, tag.photometric, tag.stripOffsets, tag.stripCounts];
const leastOfPage = 5;

/** Whether one of the directories that follow each other is that of a page, but lacks what a picture needs, so that readers pass over it. */
export const hasBrokenPage = (tiff: TiffBytes): boolean =>
  pageDirectories(tiff, true).some(
    (one) => !describesImage(one) && ofPages.filter((number) => one.fields.has(number)).length >= leastOfPage,
  );

/** Whether the last of these directories leads to one that is not there. */
export function leadsNowhere(tiff: TiffBytes, pages: readonly Directory[]): boolean {
  const next = pages.at(-1)?.next ?? 0;
  return next !== 0 && !pages.some(({ offset }) => offset === next) && tiff.directory(next) === null;
}

/** Whether a page gives all its strips and no field contradicts another. */
export function isConsistent(bytes: Buffer, { assembled, layout }: Page, directory: Directory): boolean {
  return (
    assembled !== null &&
    assembled.damaged === 0 &&
    assembled.over === 0 &&
    assembled.mended === 0 &&
    photometricFits(layout) &&
    !placesContradict(layout, directory) &&
    !fieldsContradict(layout, bytes)
  );
}

/** Reads a page; where its data does not fit its description, single fields are corrected and the reading with the least damage is kept. */
export async function readPage(job: EngineJob, tiff: TiffBytes, directory: Directory): Promise<Page> {
  const told = readLayout(tiff, directory);
  const first: Page = { assembled: await assemble(job, tiff.bytes, told, tiff.little), layout: told, corrected: [] };
  if (isConsistent(tiff.bytes, first, directory)) return first;
  if (!unpackable.has(told.compression) && told.compression > 1 && told.compression < 9 && !first.assembled)
    return first;
  const untrue = placesContradict(told, directory) || fieldsContradict(told, tiff.bytes);
  // Where most strips are right, their places are, and a strip that is not is damaged itself.
  const trusted =
    !untrue &&
    first.assembled !== null &&
    first.assembled.damaged * 2 <= first.assembled.strips &&
    first.assembled.damaged > 0;
  let best = untrue ? { ...first, assembled: null } : first;
  for (const candidate of candidates(job, tiff, told, directory)) {
    job.deadline.check();
    if (trusted && (candidate.moved || candidate.fields.includes('height'))) continue;
    if (fieldsContradict(candidate.layout, tiff.bytes)) continue;
    const assembled = await assemble(job, tiff.bytes, candidate.layout, tiff.little);
    if (!assembled) continue;
    // Other places are believed only when they give the whole picture, unless the told ones cannot be.
    if (candidate.moved && assembled.damaged > 0 && !untrue && insideFile(told, tiff.bytes.length)) continue;
    const page = { assembled, layout: candidate.layout, corrected: candidate.fields };
    if (isBetter(page, best)) best = page;
  }
  // A list that is longer than it need be is no fault where nothing fits better.
  if (!best.assembled && (!placesContradict(told, directory) || isMostlySound(first))) best = first;
  best = await withShift(job, tiff, best);
  if (!directory.sound) best = await withPredictor(job, tiff, best);
  return thoroughly(job, tiff, best);
}

/** Whether most strips of a page unpack as they are told to, which what is wrong with the others does not change. */
const isMostlySound = ({ assembled }: Page): boolean =>
  assembled !== null && assembled.damaged * 2 < assembled.strips && assembled.strips > 1;

/** Once it is clear how a page is stored, its damaged strips are worked on. */
async function thoroughly(job: EngineJob, tiff: TiffBytes, page: Page): Promise<Page> {
  if (!page.assembled || page.assembled.damaged + page.assembled.over === 0) return page;
  const options = { shift: page.shift ?? 0, thorough: true };
  return { ...page, assembled: await assemble(job, tiff.bytes, page.layout, tiff.little, options) };
}

/** Bytes lost or added somewhere moved all strips behind that place; where the last strip begins now tells by how much. */
async function withShift(job: EngineJob, tiff: TiffBytes, page: Page): Promise<Page> {
  const { assembled, layout } = page;
  if (
    !assembled ||
    assembled.damaged < 2 ||
    layout.tile ||
    (layout.compression !== scheme.lzw && layout.compression !== scheme.flate)
  )
    return page;
  const found = scanStrips(job, tiff.bytes, 8).at(-1)?.at ?? 0;
  const told = layout.segments.at(-1)?.at ?? 0;
  if (found === 0 || found === told || Math.abs(found - told) > 1 << 20) return page;
  const moved = await assemble(job, tiff.bytes, layout, tiff.little, { shift: found - told });
  if (!moved || moved.damaged >= assembled.damaged) return page;
  const corrected: TiffField[] = [...page.corrected, 'shift'];
  return { assembled: moved, layout, corrected, shift: found - told };
}

/** Where entries of the directory are lost, the one that tells of differences between neighbours may be among them. */
async function withPredictor(job: EngineJob, tiff: TiffBytes, page: Page): Promise<Page> {
  const { assembled, layout } = page;
  if (
    !assembled ||
    layout.predictor !== 1 ||
    (layout.compression !== scheme.lzw && layout.compression !== scheme.flate)
  )
    return page;
  const next = { ...layout, predictor: 2 };
  const other = await assemble(job, tiff.bytes, next, tiff.little);
  if (!other || roughnessOf(other.raster) > roughnessOf(assembled.raster) * clearlySmoother.predictor) return page;
  return { assembled: other, layout: next, corrected: [...page.corrected, 'predictor'] };
}

const insideFile = ({ segments }: Layout, size: number) =>
  segments.length > 0 && segments.every(({ at, count }) => at >= 8 && count > 0 && at + count <= size);

function isBetter(page: Page, best: Page): boolean {
  if (!page.assembled) return false;
  if (!best.assembled) return true;
  if (photometricFits(page.layout) !== photometricFits(best.layout) && page.assembled.damaged <= best.assembled.damaged)
    return photometricFits(page.layout);
  const share = ({ damaged, over, strips }: Assembled) => (damaged + over) / Math.max(1, strips);
  const gain = share(best.assembled) - share(page.assembled);
  if (Math.abs(gain) > leastGain) return gain > 0;
  const [one, other] = [page, best].map(({ layout }) => layout.samples);
  return (
    roughnessOf(page.assembled.raster) < roughnessOf(best.assembled.raster) * neededShare(page, best, one !== other)
  );
}

/**
 * Share of the best reading's roughness below which another one is believed. Whether samples are colours of one pixel or of several is told
 * by three fields, so that one fewer of them is wrong where what was told stays, and samples beside each other are often smoother alone.
 */
function neededShare(page: Page, best: Page, isRecoloured: boolean): number {
  if (!isRecoloured) return clearlySmoother.fields;
  const fewer = best.corrected.length - page.corrected.length;
  if (page.corrected.length > 0 && fewer > 0) return 1 / clearlySmoother.colours;
  const isDearer = best.corrected.length > 0 && fewer < 0;
  return isDearer || isToldRight(best) ? clearlySmoother.colours : clearlySmoother.fields;
}

/** Whether a reading that sets a field right leaves the number of colours as it was told. */
const isToldRight = ({ corrected }: Page): boolean => corrected.length === 1 && !corrected.includes('samples');

/** Bytes of rows of all pages together, which are held in memory until they are written. */
const mostRows = 200 << 20;

/** Reads pages one after another, as many as can be held; null when there is none. */
export async function readPages(
  job: EngineJob,
  tiff: TiffBytes,
  directories: readonly Directory[],
): Promise<Page[] | null> {
  const pages: Page[] = [];
  let bytes = 0;
  for (const directory of directories) {
    const page = await readPage(job, tiff, directory);
    bytes += page.assembled?.raster.data.length ?? 0;
    if (bytes > mostRows) break;
    pages.push(page);
  }
  return pages.length > 0 ? pages : null;
}
