import { Buffer } from '../../host/bytes';
import { Draft, type EngineJob } from '../../report';
import { closedJpeg, noPhotos, PictureMender, reportPhotos } from '../pictures';
import { readOle } from './container';

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

/**
 * Repairs the photos of a document in their place: nothing around them changes, so a repaired one that is larger than before stays as
 * it was. Streams whose pieces are not known for certain are left alone, and so are workbooks, which cut pictures into records.
 */
export async function mendPhotos(job: EngineJob, draft: Draft): Promise<EngineJob> {
  if (job.format === 'xls') return job;
  const file = readOle(job, new Draft(job.format));
  const mender = new PictureMender(job);
  let bytes = job.bytes;
  const count = noPhotos();
  let place: number | null = null;
  for (const stream of file.streams) {
    if (!stream.sound) continue;
    for (const found of jpegsIn(stream.data)) {
      const jpeg = closedJpeg(found);
      const isSound = await mender.isSound(jpeg);
      if (isSound === null) count.unseen++;
      if (isSound !== false) continue;
      const picture = await mender.mend(jpeg, 'jpg');
      if (!picture) continue;
      const at = job.bytes.indexOf(found);
      if (place === null && at >= 0) place = at;
      const isFitting = at >= 0 && picture.bytes.length <= found.length;
      if (isFitting && picture.state !== 'left') {
        if (bytes === job.bytes) bytes = Buffer.from(job.bytes);
        bytes.fill(0, at, at + found.length);
        bytes.set(picture.bytes, at);
      }
      count[isFitting ? picture.state : 'left']++;
    }
  }
  reportPhotos(count, draft, place);
  return bytes === job.bytes ? job : { ...job, bytes };
}
