import type { ByteSink, PhotoExamined, PhotoReading } from '../../families/photo';
import { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import type { Step } from '../../report/facts/photo';
import { composePlanes, composeScan } from './compose';
import { headSegments, scanSegment, writtenAnew } from './encode';
import { endOfImage } from './marks';
import type { Survivors } from './parts';
import { isFrame } from './segments';
import { spliceScan } from './splice';

/** Writes the file anew: sound headers around the data where that is whole, otherwise one scan with every block in its place. */
export async function rebuildJpeg(
  { job }: PhotoReading,
  { parts }: PhotoExamined<Survivors | null>,
  sink: ByteSink,
): Promise<readonly Step[]> {
  if (!parts) return [];
  sink.write(written(parts, job.deadline));
  const { data } = parts;
  if (data.kind === 'coded') return [{ kind: 'rewrite', of: data.isProven ? 'intactHeaders' : 'headers' }];
  return data.kind === 'planes' ? [{ kind: 'anew', firstPasses: data.firstPasses }] : [];
}

/** The file that survivors make. */
export function written({ parts, frame, quantisation, data }: Survivors, deadline: Deadline): Buffer {
  const { huffman, restartInterval } = parts;
  if (data.kind === 'coded') {
    const head = headSegments(parts, { quantisation, frame, huffman, interval: restartInterval });
    return Buffer.concat([head, data.header, data.data, endOfImage]);
  }
  if (data.kind === 'planes')
    return writtenAnew(parts, quantisation, frame, composePlanes(data.layout, data.planes, deadline));
  const { canvas, stretches, plan } = data;
  const spliced = spliceScan(canvas, stretches, plan, huffman, deadline);
  if (!spliced) return writtenAnew(parts, quantisation, frame, composeScan(canvas, stretches, plan, deadline));
  const head = headSegments(parts, { quantisation, frame, huffman, interval: 0 });
  return Buffer.concat([head, scanSegment(frame.components), spliced, endOfImage]);
}

/** Whether whole segments lead from the beginning of what was written over a frame header to its scan, and it ends as a picture does. */
export async function verifyJpeg(output: Buffer): Promise<boolean> {
  let hasFrame = false;
  let at = 2;
  for (
    ;
    at + 4 <= output.length && output[at] === 0xff && output[at + 1] !== 0xda;
    at += 2 + output.readUInt16BE(at + 2)
  )
    hasFrame ||= isFrame(output[at + 1] ?? 0);
  return hasFrame && output.readUInt16BE(at) === 0xffda && output.subarray(-2).equals(endOfImage);
}
