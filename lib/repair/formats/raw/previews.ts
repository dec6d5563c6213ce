import { Buffer } from '../../host/bytes';
import { openPicture } from '../../readers/pictures';
import type { EngineJob } from '../../report';

/** Beginnings of pictures that are looked at. */
const mostStarts = 200;
/** Pixels of a preview that is large enough not to look for more. */
const largePreview = 500_000;

/** A JPEG found inside a raw photo: where it lies, in bytes, and its size in pixels. */
type Preview = { start: number; end: number; width: number; height: number };

/** Where a JPEG begins and ends, and the pixels that its frame tells; `isOpen` where nothing ends it but the file. */
type Found = { start: number; end: number; pixels: number; isOpen: boolean };

/** The JPEG pictures inside a file, largest first. */
function findStarts({ bytes, deadline }: EngineJob): Found[] {
  const starts: Found[] = [];
  const mark = Buffer.from([0xff, 0xd8, 0xff]);
  for (let at = bytes.indexOf(mark); at >= 0 && starts.length < mostStarts; at = bytes.indexOf(mark, at + 3)) {
    deadline.check();
    const found = walkJpeg(bytes, at);
    if (found) starts.push({ start: at, ...found });
  }
  return starts.sort((left, right) => right.pixels - left.pixels);
}

/** Finds the JPEG pictures inside a file that decode without faults, largest first. Cameras put a thumbnail, a preview and often a full-size picture there. */
export async function findPreviews(job: EngineJob, most = 8): Promise<Preview[]> {
  const previews: Preview[] = [];
  const closed = findStarts(job).filter(({ isOpen }) => !isOpen);
  for (const { start, end, pixels } of closed.slice(0, most)) {
    job.deadline.check();
    const picture = await openPicture(job.bytes.subarray(start, end), job.limits, false);
    if (picture) previews.push({ start, end, width: picture.width, height: picture.height });
    if (previews.length > 0 && pixels > largePreview) break;
  }
  return previews;
}

/** The largest pictures inside, whole or not. */
export const largestPictures = (job: EngineJob, most: number): readonly Found[] => findStarts(job).slice(0, most);

/** Follows the segments of a JPEG up to its end; null for lossless frames, as sensor data uses them. */
function walkJpeg(bytes: Buffer, start: number): Omit<Found, 'start'> | null {
  let at = start + 2;
  let pixels = 0;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (marker === 0xc3 || length < 2) return null;
    if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2)
      pixels = at + 9 <= bytes.length ? bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7) : 0;
    at += 2 + length;
    if (marker === 0xda) break;
  }
  if (pixels === 0) return null;
  for (
    let place = bytes.indexOf(0xff, at);
    place >= 0 && place + 1 < bytes.length;
    place = bytes.indexOf(0xff, place + 1)
  ) {
    const next = bytes[place + 1] ?? 0;
    if (next === 0xd9) return { end: place + 2, pixels, isOpen: false };
  }
  return { end: bytes.length, pixels, isOpen: true };
}
