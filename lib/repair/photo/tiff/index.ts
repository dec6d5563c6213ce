import { Buffer } from '../../host/bytes';
import { openPicture } from '../../readers/pictures';
import { counted, Draft, type EngineJob, type Outcome } from '../../report';
import { repairedPicture } from '../picture';
import { withoutAddedReturns } from '../textmode';
import { type Assembled, assemble } from './assemble';
import { fieldsContradict } from './candidates';
import { type Directory, describesImage, searchDirectories, TiffBytes } from './directory';
import { type Layout, readLayout, segmentsWanted } from './layout';
import { isConsistent, type Page, pageDirectories, readPage } from './pages';
import { writeTiff } from './raster';
import { rasterFromData } from './shape';
import { roughnessOf } from './smooth';
import { isLeftToDecoder, unusualKind } from './unusual';

/** The share of rows below which what came back is no picture any more. */
const leastWhole = 0.03;
/** A picture written anew; null when there is none, `hopeless` when its strips were read and hold next to nothing. */
type Rebuilt = Buffer | 'hopeless' | null;

/** What stands where nothing came back. */
const madeUp = 'rows and colours that are missing there are filled from those around them';
/** Mean difference between neighbours, as a share of their range, that no picture has and noise has. */
const noiseFrom = 0.16;

/** Repairs TIFF (TIFF 6.0): the head and directory where they survive, strips one by one where they are damaged, their shape where all is lost. */
export async function repairTiff(job: EngineJob): Promise<Outcome> {
  const draft = new Draft('tif');
  const opened = openPicture(job.bytes, job.limits, true);
  // What is unpacked meanwhile serves the repair too.
  const whole = await isWhole(job);
  const before = await opened;
  if (before && !before.warning && whole) {
    draft.kept.push({
      unit: 'pixels',
      count: before.width * before.height,
      detail: `${before.width} × ${before.height}`,
    });
    return draft.healthy(
      `Nothing is wrong with this picture of ${before.width} × ${before.height} pixels; it is returned unchanged.`,
    );
  }
  const head = readHead(job.bytes);
  const kind = head && (!before || before.warning) ? await unusualKind(job, head) : null;
  if (kind) {
    draft.note(`The picture has ${kind}, which this tool does not show, so its pixels were not looked at.`);
    return draft.healthy('The structure of this picture is in order; it is returned unchanged.');
  }
  const output = await rebuild(job, draft);
  // Where next to nothing of the strips came back, what a lenient decoder shows of them is noise too.
  return output === 'hopeless' ? repairedPicture(job, draft, null, null) : repairedPicture(job, draft, output, opened);
}

/** Whether every strip and tile of every page unpacks to what its directory says; kinds that are not unpacked here are left to the decoder. */
async function isWhole(job: EngineJob): Promise<boolean> {
  const tiff = readHead(job.bytes);
  // BigTIFF, with offsets of eight bytes, is left to the decoder.
  if (!tiff) return /^(?:II\x2b\0|MM\0\x2b)/.test(job.bytes.toString('latin1', 0, 4));
  for (const directory of pageDirectories(tiff, false)) {
    const layout = readLayout(tiff, directory);
    if (isLeftToDecoder(tiff, directory, layout)) continue;
    const assembled = await assemble(job, tiff.bytes, layout, tiff.little);
    // What is not unpacked here is left to the decoder, unless the data itself says that it is something else.
    if (!assembled && !fieldsContradict(layout, tiff.bytes)) continue;
    if (isConsistent(tiff.bytes, { assembled, layout, corrected: [] }, directory)) continue;
    if (!assembled || assembled.damaged > 0 || assembled.mended > 0) return false;
    // No strip is damaged: only another reading that fits better shows that something is wrong.
    const page = await readPage(job, tiff, directory);
    if (page.corrected.length > 0 || (page.assembled?.damaged ?? 1) > 0 || (page.assembled?.mended ?? 0) > 0)
      return false;
  }
  return true;
}

/** The bytes in their order, when a TIFF head stands at their beginning. */
function readHead(bytes: Buffer): TiffBytes | null {
  const order = bytes.toString('latin1', 0, 2);
  const tiff = new TiffBytes(bytes, order === 'II');
  return (order === 'II' || order === 'MM') && tiff.u16(2) === 42 ? tiff : null;
}

async function rebuild(job: EngineJob, draft: Draft): Promise<Rebuilt> {
  for (const bytes of candidates(job.bytes)) {
    const tiff = readHead(bytes.data);
    if (!tiff) continue;
    // What the head leads to may be a chance reading where a sound directory stands elsewhere.
    const strict = tiff.directory(tiff.u32(4));
    if (!(strict && describesImage(strict)) && searchDirectories(bytes.data).some(({ directory }) => directory.sound))
      break;
    const pages = await readPages(job, tiff, pageDirectories(tiff, true));
    if (!pages || pages.every((page) => page.assembled === null || page.assembled.lost === page.assembled.strips)) {
      if (bytes.detail === null || !(await openPicture(bytes.data, job.limits, false))) continue;
      draft.find('head', bytes.detail, 0);
      return bytes.data;
    }
    if (bytes.detail) draft.find('head', bytes.detail, 0);
    const first = pages[0]?.assembled;
    // A directory of which entries are lost, and one that fits nothing, are no better than none.
    if (strict === null && first && (first.damaged > 0 || (pages[0]?.corrected.length ?? 0) > 1)) break;
    if (first && first.damaged === first.strips && first.strips > 1 && bytes.detail === null) break;
    return fromPages(job, pages, draft, bytes.data, bytes.detail !== null);
  }
  const found = await fromFoundDirectory(job, draft);
  return found !== null && found !== 'hopeless' ? found : ((await fromData(job, draft)) ?? found);
}

async function readPages(job: EngineJob, tiff: TiffBytes, directories: readonly Directory[]): Promise<Page[] | null> {
  const pages: Page[] = [];
  let bytes = 0;
  for (const directory of directories) {
    const page = await readPage(job, tiff, directory);
    bytes += page.assembled?.raster.data.length ?? 0;
    // All pages together are held in memory until they are written.
    if (bytes > 200 << 20) break;
    pages.push(page);
  }
  return pages.length > 0 ? pages : null;
}

/** Looks for a directory that the head no longer leads to. */
async function fromFoundDirectory(job: EngineJob, draft: Draft): Promise<Rebuilt> {
  const found = searchDirectories(job.bytes);
  if (found.length > 0)
    draft.find('head', 'The head of the file, which leads to the description of the picture, is damaged.', 0);
  for (const { tiff, directory } of found.slice(0, 8)) {
    job.deadline.check();
    const patched = withHead(tiff, directory.offset);
    // Bytes lost before the directory moved it, and everything behind the gap, by the same distance.
    const shift = directory.offset - tiff.u32(4);
    const moved = Math.abs(shift) < 1 << 20 ? shift : 0;
    const own = new TiffBytes(patched, tiff.little);
    const plain = await readPage(job, own, directory);
    const told = readLayout(own, moved === 0 ? directory : movedFields(directory, moved));
    const untouched = plain.assembled?.damaged === 0 && plain.corrected.length === 0 && told.compression !== 1;
    if (moved !== 0 && !untouched && fitsFile(told, patched.length - moved)) {
      const shifted = await assemble(job, patched, told, tiff.little, { shift: moved, thorough: true });
      if (shifted && shifted.lost < shifted.strips)
        return fromPages(job, [{ assembled: shifted, layout: told, corrected: [] }], draft, patched, false);
    }
    if (plain.assembled && plain.assembled.lost === plain.assembled.strips) continue;
    const rest = directory.next > 0 ? pageDirectories(own, false).slice(1) : [];
    const others = (await readPages(job, own, rest)) ?? [];
    if (plain.assembled) {
      const before = await pageBefore(job, draft, directory, [plain, ...others]);
      return fromPages(job, [...before, plain, ...others], draft, patched, before.length === 0);
    }
    const opened = await openPicture(patched, job.limits, true);
    if (opened) {
      draft.step('Rewrite head', 'The head was written anew and leads to the description that was found.');
      if (opened.warning || wipedPixels(told, job.bytes) > 0)
        draft.lost.push({ unit: 'data', count: 1, detail: 'of the picture is damaged where a decoder cannot follow' });
      return patched;
    }
  }
  return null;
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
async function pageBefore(job: EngineJob, draft: Draft, directory: Directory, pages: readonly Page[]): Promise<Page[]> {
  const [first] = pages;
  const places = pages.flatMap(({ layout }) => layout.segments.map(({ at }) => at));
  const front = Math.min(directory.offset, ...places.filter((at) => at >= 8));
  if (!first || front < job.bytes.length / 4 || front < 4096) return [];
  const assembled = await rasterFromData(job, job.bytes.subarray(0, front));
  if (!assembled) {
    draft.lost.push({ unit: 'pages', count: 1, detail: 'data before the other pages that nothing describes' });
    return [];
  }
  draft.lost.push({ unit: 'description', count: 1, detail: 'of the first page, whose shape was found from its data' });
  return [{ assembled, layout: first.layout, corrected: [] }];
}

function withHead(tiff: TiffBytes, offset: number): Buffer {
  const patched = Buffer.from(tiff.bytes);
  patched.write(tiff.little ? 'II' : 'MM', 0, 'latin1');
  if (tiff.little) patched.writeUInt16LE(42, 2);
  else patched.writeUInt16BE(42, 2);
  if (tiff.little) patched.writeUInt32LE(offset, 4);
  else patched.writeUInt32BE(offset, 4);
  return patched;
}

/** A directory whose values outside it lie `shift` bytes away from where it says. */
function movedFields(directory: Directory, shift: number): Directory {
  const inside = (at: number) => at >= directory.offset && at < directory.offset + 6 + directory.fields.size * 12;
  const fields = new Map(
    [...directory.fields].map(([number, field]) => [
      number,
      inside(field.at) ? field : { ...field, at: field.at + shift },
    ]),
  );
  return { ...directory, fields };
}

/** The file itself, and the file without what a transfer or a bad copy put into it. */
function candidates(bytes: Buffer): { data: Buffer; detail: string | null }[] {
  const list: { data: Buffer; detail: string | null }[] = [{ data: bytes, detail: null }];
  const stripped = withoutAddedReturns(bytes);
  if (stripped)
    list.push({ data: stripped, detail: 'Every line end was changed, as happens when a file is sent in text mode.' });
  for (const mark of [Buffer.from('49492a00', 'hex'), Buffer.from('4d4d002a', 'hex')]) {
    const at = bytes.subarray(0, 1 << 16).indexOf(mark);
    if (at > 0)
      list.push({
        data: bytes.subarray(at),
        detail: `Before the picture there were ${at} bytes that do not belong to it.`,
      });
  }
  return list;
}

async function fromPages(
  job: EngineJob,
  pages: readonly Page[],
  draft: Draft,
  bytes: Buffer,
  changed: boolean,
): Promise<Rebuilt> {
  const readable = pages.flatMap(({ assembled }) => (assembled ? [assembled] : []));
  const corrected = [...new Set(pages.flatMap((page) => page.corrected))];
  const sum = (count: (page: Assembled) => number) => readable.reduce((total, page) => total + count(page), 0);
  const mended = sum((page) => page.mended);
  const [damaged, strips] = [sum((page) => page.damaged), sum((page) => page.strips)];
  if (readable.length === 0 || readable.every(({ raster }) => raster.data.every((byte) => byte === 0))) return null;
  // What is as rough as noise is none of the picture, whatever its size; numbers of a palette are rough in any picture.
  const noise = readable.every(
    ({ raster, damaged: some }) => some > 0 && raster.photometric !== 3 && roughnessOf(raster) > noiseFrom,
  );
  if (noise || readable.every(({ whole }) => whole < leastWhole)) {
    return 'hopeless';
  }
  if (corrected.length > 0) {
    draft.find('fields', `The description of the picture did not fit its data: ${corrected.join(', ')}.`);
    draft.step('Correct description', `Set right by what the data itself shows: ${corrected.join(', ')}.`);
  }
  if (
    damaged === 0 &&
    mended === 0 &&
    corrected.length === 0 &&
    changed &&
    (await openPicture(bytes, job.limits, false))
  ) {
    draft.step('Rewrite head', 'The head was written anew and leads to the description that was found.');
    return bytes;
  }
  if (mended > 0) {
    draft.find('bits', `${counted(mended, 'strip')} held wrong bits.`);
    draft.step('Set bits right', 'Single wrong bits were found by how rows fit together once they are right.');
    // LZW has no check sum that proves it.
    const unproven = pages.reduce(
      (sum, { assembled, layout }) => sum + (layout.compression === 5 ? (assembled?.mended ?? 0) : 0),
      0,
    );
    if (unproven > 0)
      draft.lost.push({
        unit: 'strips',
        count: unproven,
        detail: 'exact to the last bit: what was set right cannot be proven',
      });
  }
  const wiped = Math.max(0, ...pages.map(({ layout }) => wipedPixels(layout, job.bytes)));
  if (wiped > 0)
    draft.lost.push({
      unit: 'bytes',
      count: wiped,
      detail: 'of the picture, wiped together with the head of the file',
    });
  if (damaged > 0) {
    draft.find('strips', `${counted(damaged, 'strip')} of the picture are damaged or cut off.`);
    draft.lost.push({ unit: 'strips', count: damaged, detail: `of ${strips}, in whole or in part; ${madeUp}` });
  }
  if (readable.length < pages.length)
    draft.lost.push({ unit: 'pages', count: pages.length - readable.length, detail: `of ${pages.length}` });
  draft.step('Rewrite picture', `The picture was put together from its ${counted(strips, 'strip')} and written anew.`);
  return writeTiff(readable.map(({ raster }) => raster));
}

/** Bytes of picture data in a stretch of zeroes that begins with the file: a head that was wiped, and what came behind it. */
function wipedPixels({ segments }: Layout, bytes: Buffer): number {
  const end = bytes.subarray(0, 1 << 20).findIndex((byte) => byte !== 0);
  const first = Math.min(...segments.map(({ at }) => at));
  return end > 8 && first < end ? end - first : 0;
}

async function fromData(job: EngineJob, draft: Draft): Promise<Buffer | null> {
  draft.find('directory', 'The description of the picture, with its size and the places of its data, was missing.');
  const assembled = await rasterFromData(job, job.bytes);
  if (!assembled || assembled.raster.width * assembled.raster.height > job.limits.pixels) return null;
  if (roughnessOf(assembled.raster) > noiseFrom) return null;
  const { raster } = assembled;
  draft.step(
    'Find shape',
    `By how its rows fit together the picture is ${raster.width} × ${raster.height} pixels with ${counted(raster.samples, 'colour')} each.`,
  );
  draft.note('Size and colours were found from the picture data alone, so a few rows at the end may be noise.');
  if (assembled.damaged > 0) draft.lost.push({ unit: 'strips', count: assembled.damaged, detail: madeUp });
  draft.lost.push({
    unit: 'description',
    count: 1,
    detail: 'resolution, colour profile and whatever else the file told about the picture',
  });
  return writeTiff([raster]);
}
