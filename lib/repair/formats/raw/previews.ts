import { Buffer } from '../../host/bytes';
import { openPicture } from '../../readers/pictures';
import type { EngineJob } from '../../report';

/** Beginnings of pictures that are looked at. */
const mostStarts = 200;
/** Pixels of a preview that is large enough not to look for more. */
const largePreview = 500_000;

/** A JPEG found inside a raw photo: where it lies, in bytes, and its size in pixels. */
type Preview = { start: number; end: number; width: number; height: number };

/** Finds the JPEG pictures inside a file that decode without faults, largest first. Cameras put a thumbnail, a preview and often a full-size picture there. */
export async function findPreviews(job: EngineJob, most = 8): Promise<Preview[]> {
  const { bytes } = job;
  const starts: { start: number; end: number; pixels: number }[] = [];
  const mark = Buffer.from([0xff, 0xd8, 0xff]);
  for (let at = bytes.indexOf(mark); at >= 0 && starts.length < mostStarts; at = bytes.indexOf(mark, at + 3)) {
    job.deadline.check();
    const found = walkJpeg(bytes, at);
    if (found) starts.push({ start: at, ...found });
  }
  const previews: Preview[] = [];
  for (const candidate of starts.sort((left, right) => right.pixels - left.pixels).slice(0, most)) {
    job.deadline.check();
    const picture = await openPicture(bytes.subarray(candidate.start, candidate.end), job.limits, false);
    if (picture)
      previews.push({ start: candidate.start, end: candidate.end, width: picture.width, height: picture.height });
    if (previews.length > 0 && candidate.pixels > largePreview) break;
  }
  return previews;
}

/** Follows the segments of a JPEG up to its end; null for lossless frames, as sensor data uses them, and for what has no end. */
function walkJpeg(bytes: Buffer, start: number): { end: number; pixels: number } | null {
  let at = start + 2;
  let pixels = 0;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (marker === 0xc3 || length < 2) return null;
    if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2)
      pixels = bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7);
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
    if (next === 0xd9) return { end: place + 2, pixels };
  }
  return null;
}
