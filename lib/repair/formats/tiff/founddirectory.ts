import { undoings } from '../../core/transfer/undo';
import { type PhotoTold, tellUndone } from '../../families/photo';
import { Buffer } from '../../host/bytes';
import { openPicture } from '../../readers/pictures';
import type { EngineJob } from '../../report';
import { assemble } from './assemble';
import {
  bigTiffNumber,
  type Directory,
  isInEntry,
  scheme,
  searchDirectories,
  sizesOf,
  TiffBytes,
  tiffNumber,
} from './directory';
import { type Layout, readLayout, segmentsWanted } from './layout';
import { type Page, pageDirectories, readPage, readPages } from './pages';
import type { Outcome } from './parts';
import { rasterFromData } from './shape';
import { fromPages, wipedPixels } from './survivors';

/** Directories that are tried, the best first. */
const mostTried = 8;
/** Bytes by which lost ones in front of a directory may have moved it. */
const mostMoved = 1 << 20;
/** Least bytes in front of all that is described, and their least share of the file, in which a page of its own is looked for. */
const leastBefore = { bytes: 4096, share: 1 / 4 };

/** Looks for a directory that the head no longer leads to. */
export async function fromFoundDirectory(job: EngineJob, told: PhotoTold): Promise<Outcome> {
  return (await beforeText(job, told)) ?? fromFound(job, told);
}

/**
 * What a directory leads to in the file as it was before line ends of both kinds became one: every CRLF that it had lost a byte, and what
 * stands behind that, the directory as well, moved by as many. Null where the file does not look changed, or nothing is gained.
 */
async function beforeText(job: EngineJob, told: PhotoTold): Promise<Outcome | null> {
  for (const undone of undoings(job.bytes)) {
    const own: PhotoTold = { ...told, damages: [], steps: [], lost: [], remarks: [] };
    const outcome = await fromFound({ ...job, bytes: undone.bytes }, own);
    if (typeof outcome === 'string') continue;
    tellUndone(told, undone);
    for (const key of ['damages', 'steps', 'lost', 'remarks'] as const) told[key].push(...(own[key] as never[]));
    return outcome;
  }
  return null;
}

async function fromFound(job: EngineJob, told: PhotoTold): Promise<Outcome> {
  const found = searchDirectories(job.bytes);
  if (found.length > 0) told.damages.push({ kind: 'head', how: 'lead', offset: 0 });
  for (const { tiff, directory } of found.slice(0, mostTried)) {
    job.deadline.check();
    const outcome = await fromDirectory(job, tiff, directory, told);
    if (outcome) return outcome;
  }
  return 'lost';
}

/** What a directory leads to, with a head written that leads to it; null when that is nothing. */
async function fromDirectory(
  job: EngineJob,
  tiff: TiffBytes,
  directory: Directory,
  told: PhotoTold,
): Promise<Outcome | null> {
  const own = new TiffBytes(withHead(tiff, directory.offset), tiff.little, tiff.isBig);
  // Bytes lost before the directory moved it, and everything behind the gap, by the same distance.
  const shift = directory.offset - tiff.first;
  const moved = Math.abs(shift) < mostMoved ? shift : 0;
  const plain = await readPage(job, own, directory);
  const layout = readLayout(own, moved === 0 ? directory : movedFields(directory, moved));
  const isUntouched =
    plain.assembled?.damaged === 0 && plain.corrected.length === 0 && layout.compression !== scheme.none;
  const shifted = moved !== 0 && !isUntouched ? await readMoved(job, own, layout, moved) : null;
  if (shifted) return fromPages(job, [shifted], told, own.bytes, false);
  if (plain.assembled && plain.assembled.lost === plain.assembled.strips) return null;
  const rest = directory.next > 0 ? pageDirectories(own, false).slice(1) : [];
  const others = (await readPages(job, own, rest)) ?? [];
  if (!plain.assembled) return own.bytes.equals(job.bytes) ? 'asItIs' : asDecoded(job, own.bytes, layout, told);
  const before = await pageBefore(job, told, directory, [plain, ...others]);
  return fromPages(job, [...before, plain, ...others], told, own.bytes, before.length === 0);
}

/** A page all of whose data moved with its directory; null when it does not fit the file so, or no strip can be read. */
async function readMoved(
  job: EngineJob,
  { bytes, little }: TiffBytes,
  layout: Layout,
  shift: number,
): Promise<Page | null> {
  if (!fitsFile(layout, bytes.length - shift)) return null;
  const assembled = await assemble(job, bytes, layout, little, { shift, thorough: true });
  return assembled && assembled.lost < assembled.strips ? { assembled, layout, corrected: [] } : null;
}

/** A file of a kind that is not unpacked here, with a head that leads a decoder to its directory; null when that cannot open it. */
async function asDecoded(job: EngineJob, data: Buffer, layout: Layout, { lost }: PhotoTold): Promise<Outcome | null> {
  const opened = await openPicture(data, job.limits, true);
  if (!opened) return null;
  if (opened.warning || wipedPixels(layout, job.bytes) > 0) lost.push({ unit: 'data', count: 1, how: 'undecoded' });
  return { kind: 'file', data, isHeadNew: true };
}

/** Whether a layout has as many strips as it needs, one behind the other inside a file of `size` bytes. */
function fitsFile(layout: Layout, size: number): boolean {
  const { segments } = layout;
  return (
    layout.width > 0 &&
    layout.height > 0 &&
    segments.length === segmentsWanted(layout) &&
    segments.every(({ at, count }, index) => at >= 8 && at + count <= size && at >= (segments[index - 1]?.at ?? 0))
  );
}

/** A page whose directory is gone, where much data stands before all that the found ones describe. */
async function pageBefore(
  job: EngineJob,
  { lost }: PhotoTold,
  directory: Directory,
  pages: readonly Page[],
): Promise<Page[]> {
  const [first] = pages;
  const places = pages.flatMap(({ layout }) => layout.segments.map(({ at }) => at));
  const front = Math.min(directory.offset, ...places.filter((at) => at >= 8));
  if (!first || front < job.bytes.length * leastBefore.share || front < leastBefore.bytes) return [];
  const assembled = await rasterFromData(job, job.bytes.subarray(0, front));
  if (!assembled) {
    lost.push({ unit: 'pages', count: 1, how: 'undescribed' });
    return [];
  }
  lost.push({ unit: 'description', count: 1, how: 'firstPage' });
  return [{ assembled, layout: first.layout, corrected: [] }];
}

/** A head that leads to a directory (TIFF 6.0, section 2; BigTIFF, libtiff). */
function headOf({ little, isBig }: TiffBytes, offset: number): Buffer {
  const { head, place } = sizesOf(isBig);
  const bytes = Buffer.alloc(head);
  bytes.write(little ? 'II' : 'MM', 0, 'latin1');
  const number = isBig ? bigTiffNumber : tiffNumber;
  if (little) bytes.writeUInt16LE(number, 2);
  else bytes.writeUInt16BE(number, 2);
  // BigTIFF tells the bytes of a place first.
  if (isBig && little) bytes.writeUInt16LE(place, 4);
  else if (isBig) bytes.writeUInt16BE(place, 4);
  if (little) bytes.writeUIntLE(offset, head - place, 4);
  else bytes.writeUIntBE(offset, head - 4, 4);
  return bytes;
}

function withHead(tiff: TiffBytes, offset: number): Buffer {
  const patched = Buffer.from(tiff.bytes);
  headOf(tiff, offset).copy(patched);
  return patched;
}

/** A directory whose values outside it lie `shift` bytes away from where it says. */
function movedFields(directory: Directory, shift: number): Directory {
  const fields = new Map(
    [...directory.fields].map(([number, field]) => [
      number,
      isInEntry(field, directory.isBig) ? field : { ...field, at: field.at + shift },
    ]),
  );
  return { ...directory, fields };
}
