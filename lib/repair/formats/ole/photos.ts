import { type DocumentTold, nothingToldYet } from '../../families/document';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { closedJpeg, type MendedPicture, noPhotos, PictureMender, tellPhotos } from '../embedded';
import { type OleFile, readOle } from './container';

/** Kind of a record that holds a JPEG ([MS-ODRAW] 2.2.27), and by its instance the bytes between its head and the picture. */
const jpegRecord = 0xf01d;
const before: Record<number, number> = { 18080: 17, 28192: 17, 18096: 33, 28208: 33 };

/** The JPEG pictures of a stream, without the records around them. */
function jpegsIn(data: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const mark = Buffer.from([jpegRecord & 255, jpegRecord >> 8]);
  for (let at = data.indexOf(mark, 2); at >= 2; at = data.indexOf(mark, at + 1)) {
    const skip = before[data.readUInt16LE(at - 2)];
    if (skip === undefined || at + 6 > data.length) continue;
    const end = at + 6 + data.readUInt32LE(at + 2);
    const start = at + 6 + skip;
    if (end > data.length || end - start < 256 || data[start] !== 0xff || data[start + 1] !== 0xd8) continue;
    found.push(data.subarray(start, end));
    at = end - 1;
  }
  return found;
}

/** A photo of the document that is damaged, by where it lies in the file, and what came of it. */
type Found = { at: number; length: number; picture: MendedPicture };

/** Damaged photos: repaired in streams whose pieces are known for certain, left as they are in others; those left alone for want of effort are counted. */
async function damagedPhotos(job: EngineJob, file: OleFile): Promise<{ found: Found[]; unseen: number }> {
  const mender = new PictureMender(job);
  const found: Found[] = [];
  let unseen = 0;
  const read = file.streams.filter(({ sound, data, size }) => sound || data.length === size);
  for (const { bytes, sound } of read.flatMap(({ data, sound }) => jpegsIn(data).map((bytes) => ({ bytes, sound })))) {
    const jpeg = closedJpeg(bytes);
    const isSound = await mender.isSound(jpeg);
    if (isSound === null) unseen++;
    if (isSound !== false) continue;
    const left: MendedPicture = { state: 'left', bytes, width: 0, height: 0 };
    const picture = sound ? await mender.mend(jpeg, 'jpg') : left;
    if (picture) found.push({ at: job.bytes.indexOf(bytes), length: bytes.length, picture });
  }
  return { found, unseen };
}

/**
 * Repairs the photos of a document in their place: nothing around them changes, so a repaired one that is larger than before stays as
 * it was. Streams whose pieces are not known for certain are left alone, and so are workbooks, which cut pictures into records.
 */
export async function mendPhotos(job: EngineJob, told: DocumentTold): Promise<EngineJob> {
  if (job.format === 'xls') return job;
  const { found, unseen } = await damagedPhotos(job, readOle(job, nothingToldYet()));
  const count = { ...noPhotos(), unseen };
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
