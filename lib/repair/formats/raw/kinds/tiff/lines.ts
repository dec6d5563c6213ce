import { type LosslessFrame, losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import { readLossless } from '../../../../codecs/ljpeg/read';
import { Buffer } from '../../../../host/bytes';
import type { EngineJob } from '../../../../report';
import type { Candidate } from '../../layout';
import { directoriesOf } from './directories';
import { sensorImage } from './image';
import { sharePlaces } from './sensor';

/** The most lines that a header can name (ISO/IEC 10918-1, B.2.2). */
const most = 0xffff;
/** Pieces whose header is tried. */
const mostTried = 64;
/** Bytes of a header in which its frame is looked for, the mark of that, and where the number of lines stands behind it. */
const searched = 2048;
const frameMark = Buffer.from([0xff, 0xc3]);
const linesAt = 5;

/** The photo with the number of lines in headers of lossless JPEG set to as many as their data holds to its last value; null where none was another. */
export function withLines(candidate: Candidate, job: EngineJob): Candidate | null {
  const directories = directoriesOf(candidate.data);
  const image = directories && sensorImage(directories);
  if (!image || sharePlaces(image, candidate.data.length)) return null;
  const data = Buffer.from(candidate.data);
  let [tried, set] = [0, 0];
  for (const { at, count } of image.pieces) {
    job.deadline.check();
    const frame = losslessFrameAt(data, at);
    if (!frame || readLossless(data, frame, at + count).fault === null || ++tried > mostTried) continue;
    const height = linesOf(data, frame, at + count);
    const mark = data.subarray(0, at + searched).indexOf(frameMark, at);
    if (height === null || mark < 0) continue;
    data.writeUInt16BE(height, mark + linesAt);
    set++;
  }
  return set > 0 ? { ...candidate, data, steps: [...candidate.steps, { kind: 'fields', fields: ['height'] }] } : null;
}

/** The lines that data holds to its last value; null where it does not end with a line. */
function linesOf(data: Buffer, frame: LosslessFrame, end: number): number | null {
  const line = frame.width * frame.components.length;
  const lines = Math.round(readLossless(data, { ...frame, height: most }, end).samples / line);
  // The bits that fill up the last byte may pass for another line's first value.
  for (const height of [lines, lines - 1, lines + 1])
    if (height > 0 && height <= most && readLossless(data, { ...frame, height }, end).fault === null) return height;
  return null;
}
