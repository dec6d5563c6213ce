import { type DocumentTold, nothingToldYet } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import {
  closedJpeg,
  endedJpeg,
  isPngSound,
  type MendedPicture,
  noPhotos,
  PictureMender,
  pictureFormat,
  tellPhotos,
} from '../embedded';
import { endOfImage } from '../jpeg/marks';
import { biff, readRecords } from './biff';
import { type Blip, blipsIn, isMetafileSound, lostBlips } from './blips';
import { type OleFile, readOle, topStream } from './container';
import { mainStream } from './content';

/** What a picture is that its record calls a JPEG or PNG: by its first bytes, or by its record where these are gone; null for others. */
function formatOf({ kind, bytes }: Blip): 'jpg' | 'png' | null {
  const format = pictureFormat(bytes, '');
  if (format || kind === 'metafile') return format;
  const isWiped = bytes.subarray(0, leastHead).every((byte) => byte === 0);
  const isNamed = ['JFIF', 'Exif', 'IHDR'].some((name) => bytes.subarray(0, headLength).includes(name));
  return isWiped || isNamed || bytes.lastIndexOf(endOfImage) >= bytes.length - 2 ? kind : null;
}

/** Zeroes at the beginning of a picture that no kind begins with, and bytes within which its kind is named. */
const leastHead = 16;
const headLength = 32;
/** Smaller JPEG pictures are none that anybody would miss. */
const leastBytes = 256;

/** A photo of the document that is damaged, by where it lies in the file, and what came of it. */
type Found = { at: number; length: number; picture: MendedPicture };

/** Looks at one picture of a stream, and repairs it where the pieces of that are known for certain; null when it is sound, `unseen` without effort. */
async function look(
  job: EngineJob,
  mender: PictureMender,
  blip: Blip,
  sound: boolean,
): Promise<Found | null | 'unseen'> {
  const left: MendedPicture = { state: 'left', bytes: blip.bytes, width: 0, height: 0 };
  const format = formatOf(blip);
  const bytes = format === 'jpg' ? closedJpeg(blip.bytes) : blip.bytes;
  const tell = (picture: MendedPicture | null): Found | null =>
    picture && { at: job.bytes.indexOf(blip.bytes), length: blip.bytes.length, picture };
  if (blip.kind === 'metafile') return isMetafileSound(bytes, job.limits.inflatedBytes) ? null : tell(left);
  if (!format || (format === 'jpg' && bytes.length < leastBytes)) return null;
  const isSound = format === 'png' ? isPngSound(bytes) : await mender.isSound(bytes);
  if (isSound !== false) return isSound === null ? 'unseen' : null;
  return tell(sound ? await mender.mend(format === 'jpg' ? endedJpeg(blip.bytes) : bytes, format) : left);
}

/** The drawings of a workbook, which are cut into records ([MS-XLS] 2.4.171): put together again. */
function drawingsOf(workbook: Buffer): Buffer {
  const parts: Buffer[] = [];
  let isInside = false;
  for (const { type, data } of readRecords(workbook).records) {
    isInside = type === biff.drawings || (isInside && type === biff.continued);
    if (isInside) parts.push(data);
  }
  return Buffer.concat(parts);
}

/** Streams that may hold pictures; a stream in which they are cut up can be looked into, but nothing can be set right in its place. */
function streamsWithPictures(format: string, file: OleFile): { data: Buffer; sound: boolean }[] {
  if (format !== 'xls') return file.streams.filter(({ sound, data, size }) => sound || data.length === size);
  const workbook = mainStream(file, format);
  return workbook ? [{ data: drawingsOf(workbook), sound: false }] : [];
}

/** Damaged photos: repaired in streams whose pieces are known for certain, left as they are in others; those left alone for want of effort are counted. */
async function damagedPhotos(job: EngineJob, file: OleFile): Promise<{ found: Found[]; unseen: number; lost: number }> {
  const mender = new PictureMender(job);
  const found: Found[] = [];
  let unseen = 0;
  for (const { data, sound } of streamsWithPictures(job.format, file)) {
    for (const blip of blipsIn(data)) {
      const one = await look(job, mender, blip, sound);
      if (one === 'unseen') unseen++;
      else if (one) found.push(one);
    }
  }
  return { found, unseen, lost: job.format === 'ppt' ? lostPictures(file) : 0 };
}

/** Pictures of a presentation whose record is gone from the stream that holds them ([MS-PPT] 2.1.3). */
function lostPictures(file: OleFile): number {
  const [list, pictures] = [mainStream(file, 'ppt'), topStream(file, 'Pictures')];
  return list && pictures?.sound ? lostBlips(list, pictures.data, blipsIn(pictures.data)) : 0;
}

/**
 * Repairs the photos of a document in their place: nothing around them changes, so a repaired one that is larger than before stays as
 * it was. Streams whose pieces are not known for certain are only looked into, and so are workbooks, which cut pictures into records.
 */
export async function mendPhotos(job: EngineJob, told: DocumentTold): Promise<EngineJob> {
  const { found, unseen, lost } = await damagedPhotos(job, readOle(job, nothingToldYet()));
  const count = { ...noPhotos(), unseen, left: lost };
  let bytes = job.bytes;
  for (const { at, length, picture } of found) {
    const isFitting = at >= 0 && picture.bytes.length <= length;
    count[isFitting ? picture.state : 'left']++;
    if (!isFitting || picture.state === 'left') continue;
    if (bytes === job.bytes) bytes = Buffer.from(job.bytes);
    bytes.fill(0, at, at + length);
    bytes.set(picture.bytes, at);
  }
  const place = found.find(({ at }) => at >= 0)?.at;
  tellPhotos(count, told, place);
  return bytes === job.bytes ? job : { ...job, bytes };
}
