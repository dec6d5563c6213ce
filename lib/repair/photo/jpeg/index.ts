import { Buffer } from '../../host/bytes';
import { openPicture } from '../../readers/pictures';
import { counted, Draft, type EngineJob, type Outcome } from '../../report';
import { repairedPicture } from '../picture';
import { withoutAddedReturns } from '../textmode';
import { rebuildBaseline } from './baseline';
import { endOfImage, headSegments, scanSegment } from './encode';
import { isDataSound } from './health';
import { type JpegParts, readJpegParts } from './markers';
import { readPreview } from './preview';
import { rebuildSeparate } from './separate';

/** Repairs JPEG (ISO/IEC 10918-1): the markers and tables first, then the picture data, down to single blocks where bytes were lost. */
export async function repairJpeg(job: EngineJob): Promise<Outcome> {
  const draft = new Draft('jpg');
  const opened = openPicture(job.bytes, job.limits, true);
  const intact = job.bytes[0] === 0xff && job.bytes[1] === 0xd8 && isDataSound(job) !== false;
  const before = intact ? await opened : null;
  if (before && !before.warning) {
    draft.kept.push({
      unit: 'pixels',
      count: before.width * before.height,
      detail: `${before.width} × ${before.height}`,
    });
    return draft.healthy(
      `Nothing is wrong with this photo of ${before.width} × ${before.height} pixels; it is returned unchanged.`,
    );
  }
  const output = await rebuildJpeg(job, draft, job.bytes);
  job.progress(0.7);
  // Noise may open in a lenient decoder too; that is no reason to hand it out.
  return output === 'noise' ? repairedPicture(job, draft, null, null) : repairedPicture(job, draft, output, opened);
}

/** Rebuilds a JPEG from damaged bytes; null when there is no picture data, `noise` when it cannot be unpacked. Findings and steps go into the draft. */
export async function rebuildJpeg(job: EngineJob, draft: Draft, input: Buffer): Promise<Buffer | 'noise' | null> {
  const bytes = restoreLineEnds(input, draft);
  const parts = readJpegParts(bytes);
  for (const problem of parts.problems.slice(0, 8)) draft.find(problem.kind, problem.detail, problem.offset);
  if (!findPictureData(bytes, parts, draft)) return null;
  if (!parts.hasEnd) draft.find('end', 'The end of the picture was missing.', bytes.length);
  const { frame } = parts;
  const first = parts.scanHeader;
  const count = first?.[2] ?? 0;
  const known = frame === null || frame.marker <= 0xc2;
  const progressive = frame ? frame.marker === 0xc2 : first !== null && first[4 + count * 2] === 0;
  // Sequential pictures of several scans, and twelve bits, are left as they are.
  const several = progressive ? count !== (frame?.components.length ?? count) : parts.scans > 1;
  if (progressive && several && frame?.precision === 8) {
    const rebuilt = rebuildSeparate(job, bytes, parts, draft);
    if (rebuilt !== 'intact') return rebuilt;
  }
  if (!known || several || (frame && frame.precision !== 8)) return rewrap(bytes, parts, draft);
  return rebuildBaseline(job, bytes, parts, await readPreview(bytes, parts), draft);
}

function restoreLineEnds(input: Buffer, draft: Draft): Buffer {
  const stripped = withoutAddedReturns(input);
  if (stripped?.[0] !== 0xff || readJpegParts(stripped).problems.length > readJpegParts(input).problems.length)
    return input;
  draft.find('textmode', 'Every line end was changed, as happens when a file is sent in text mode.', null);
  draft.step(
    'Restore line ends',
    `${counted(input.length - stripped.length, 'byte')} that the transfer had added were taken out.`,
  );
  return stripped;
}

/** Without a scan header the data begins behind the last table; null when there is nothing that looks like data. */
function findPictureData(bytes: Buffer, parts: JpegParts, draft: Draft): boolean {
  if (parts.scanStart >= 0) return parts.scanStart < bytes.length;
  const tables = [Buffer.from([0xff, 0xc4]), Buffer.from([0xff, 0xc0])]
    .map((mark) => bytes.lastIndexOf(mark))
    .filter((at) => at >= 0);
  const last = Math.max(-1, ...tables);
  const after = last >= 0 ? last + 2 + bytes.readUInt16BE(Math.min(last + 2, bytes.length - 2)) : 0;
  if (after >= bytes.length - 64) return false;
  const components = parts.frame?.components.length ?? 3;
  parts.scanStart = last >= 0 ? Math.min(after + 8 + components * 2, bytes.length) : 0;
  parts.scanEnd = bytes.length;
  const end = bytes.lastIndexOf(endOfImage);
  if (end > parts.scanStart) {
    parts.scanEnd = end;
    parts.hasEnd = true;
  }
  parts.scans = 1;
  draft.find('scan', 'The header before the picture data was missing.', after);
  return true;
}

/** Progressive and other kinds of frames: sound headers around the data as it is. */
function rewrap(bytes: Buffer, parts: JpegParts, draft: Draft): Buffer | null {
  if (!parts.frame) return null;
  const tables = parts.quantisation;
  if (tables.size === 0) return null;
  draft.step('Rewrite headers', 'The headers were written anew around the picture data.');
  const scan = parts.scanHeader
    ? Buffer.concat([Buffer.from([0xff, 0xda]), parts.scanHeader])
    : scanSegment(parts.frame.components);
  return Buffer.concat([
    headSegments(parts, {
      quantisation: tables,
      frame: parts.frame,
      huffman: parts.huffman,
      interval: parts.restartInterval,
    }),
    scan,
    bytes.subarray(parts.scanStart, parts.scanEnd),
    endOfImage,
  ]);
}
