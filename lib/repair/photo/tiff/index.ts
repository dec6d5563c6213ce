import { counted, Draft, type EngineJob, type Outcome } from '../../report';
import { repairedPicture } from '../picture';
import { openPicture } from '../reader';
import { withoutAddedReturns } from '../textmode';
import { type Directory, describesImage, searchDirectories, TiffBytes } from './directory';
import { writeTiff } from './raster';
import { type Assembled, rasterFromData, rasterFromDirectory } from './strips';

/** Repairs TIFF (TIFF 6.0): the head and directory where they survive, strips one by one where they are damaged, their shape where all is lost. */
export async function repairTiff(job: EngineJob): Promise<Outcome> {
  const draft = new Draft('tif');
  const before = await openPicture(job.bytes, job.limits, true);
  const head = readHead(job.bytes);
  const strips = head ? rasterFromDirectory(job, head.tiff, head.directory) : null;
  if (before && !before.warning && head && (strips === null || strips.damaged === 0)) {
    draft.kept.push({
      unit: 'pixels',
      count: before.width * before.height,
      detail: `${before.width} × ${before.height}`,
    });
    return draft.healthy(
      `Nothing is wrong with this picture of ${before.width} × ${before.height} pixels; it is returned unchanged.`,
    );
  }
  return repairedPicture(job, draft, await rebuild(job, draft), before);
}

/** The first directory that describes an image, as the head of the file leads to it. */
export function readHead(bytes: Buffer): { tiff: TiffBytes; directory: Directory } | null {
  const order = bytes.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return null;
  const tiff = new TiffBytes(bytes, order === 'II');
  if (tiff.u16(2) !== 42) return null;
  let offset = tiff.u32(4);
  for (let step = 0; step < 16 && offset > 0; step++) {
    const directory = tiff.directory(offset);
    if (!directory) return null;
    if (describesImage(directory)) return { tiff, directory };
    offset = directory.next;
  }
  return null;
}

async function rebuild(job: EngineJob, draft: Draft): Promise<Buffer | null> {
  for (const bytes of candidates(job.bytes)) {
    const head = readHead(bytes.data);
    if (!head) continue;
    if (bytes.detail) draft.find('head', bytes.detail, 0);
    const assembled = rasterFromDirectory(job, head.tiff, head.directory);
    if (assembled) return fromStrips(assembled, draft, bytes.data, bytes.detail !== null);
    if (bytes.detail !== null && (await openPicture(bytes.data, job.limits, true))) return bytes.data;
  }
  const found = searchDirectories(job.bytes);
  if (found.length > 0)
    draft.find('head', 'The head of the file, which leads to the description of the picture, is damaged.', 0);
  for (const { tiff, directory } of found.slice(0, 8)) {
    job.deadline.check();
    const patched = Buffer.from(tiff.bytes);
    patched.write(tiff.little ? 'II' : 'MM', 0, 'latin1');
    if (tiff.little) patched.writeUInt16LE(42, 2);
    else patched.writeUInt16BE(42, 2);
    if (tiff.little) patched.writeUInt32LE(directory.offset, 4);
    else patched.writeUInt32BE(directory.offset, 4);
    // Bytes lost before the directory moved it, and everything behind the gap, by the same distance.
    const shift = directory.offset - tiff.u32(4);
    const moved = Math.abs(shift) < 1 << 20 ? shift : 0;
    const plain = rasterFromDirectory(job, new TiffBytes(patched, tiff.little), directory);
    const shifted =
      moved === 0
        ? null
        : rasterFromDirectory(job, new TiffBytes(patched, tiff.little), movedFields(directory, moved), moved);
    const assembled = shifted && (!plain || shifted.damaged < plain.damaged) ? shifted : plain;
    if (assembled === shifted && shifted) {
      const result = fromStrips(shifted, draft, patched, false);
      if (result) return result;
    }
    if (assembled && assembled.damaged === assembled.strips) continue;
    const opens = await openPicture(patched, job.limits, assembled === null);
    if (opens) {
      draft.step('Rewrite head', 'The head was written anew and leads to the description that was found.');
      return patched;
    }
    if (assembled) return fromStrips(assembled, draft, patched, true);
  }
  return fromData(job, draft);
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

function fromStrips(assembled: Assembled, draft: Draft, bytes: Buffer, changed: boolean): Buffer | null {
  const { raster, strips, damaged } = assembled;
  if (damaged === strips && raster.data.every((byte) => byte === 0)) return null;
  if (damaged === 0 && changed) return bytes;
  if (damaged > 0) {
    draft.find('strips', `${counted(damaged, 'strip')} of the picture are damaged or cut off.`);
    draft.lost.push({ unit: 'strips', count: damaged, detail: `of ${strips}, in whole or in part` });
  }
  draft.step('Rewrite picture', `The picture was put together from its ${counted(strips, 'strip')} and written anew.`);
  return writeTiff(raster);
}

function fromData(job: EngineJob, draft: Draft): Buffer | null {
  draft.find('directory', 'The description of the picture, with its size and the places of its data, was missing.');
  const assembled = rasterFromData(job, job.bytes);
  if (!assembled || assembled.raster.width * assembled.raster.height > job.limits.pixels) return null;
  const { raster } = assembled;
  draft.step(
    'Find shape',
    `By how its rows fit together the picture is ${raster.width} × ${raster.height} pixels with ${counted(raster.samples, 'colour')} each.`,
  );
  draft.note('Size and colours were found from the picture data alone, so a few rows at the end may be noise.');
  if (assembled.damaged > 0) draft.lost.push({ unit: 'strips', count: assembled.damaged });
  draft.lost.push({
    unit: 'description',
    count: 1,
    detail: 'resolution, colour profile and whatever else the file told about the picture',
  });
  return writeTiff(raster);
}
