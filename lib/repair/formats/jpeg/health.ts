import { stepsOf } from '../../codecs/jpeg/frame';
import { layoutFor } from '../../codecs/jpeg/layout';
import { planScan } from '../../codecs/jpeg/reader';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { hasIntervalStep } from './intervalsteps';
import { hasScansApart, type JpegParts, readJpegParts } from './markers';
import { endOfImage, progressive, startOfImage } from './marks';
import { overwrittenTables } from './overwritten';
import { inOneScan } from './progressivehealth';
import { hasRasterStep } from './rastersteps';
import { Salvage } from './salvage';
import { chainsOf, spansOf } from './spans';
import { restartsOf, splitStretches } from './stretches';
import { wipedPlaces } from './zeroes';

/** Reads the data of a baseline or progressive picture itself: decoders say nothing when blocks are missing, too many or out of place. Null for other kinds. */
export function isDataSound(job: EngineJob): boolean | null {
  const { quantisation, isTableMended } = readJpegParts(job.bytes);
  if (isTableMended || overwrittenTables(quantisation).size > 0) return false;
  const read = isSoundToEnd(job);
  if (read !== false) return read;
  return earlierEnds(job.bytes).some((end) => isSoundToEnd({ ...job, bytes: job.bytes.subarray(0, end) }))
    ? true
    : read;
}

/** Ends within what was taken for data up to which it is read again. */
const mostEnds = 3;

/** The places behind end marks that have more data and another end behind them: the rest of another picture, where the data is whole up to there. */
function earlierEnds(bytes: Buffer): number[] {
  const { scanStart, scanEnd, hasEnd } = readJpegParts(bytes);
  const ends: number[] = [];
  if (scanStart < 0 || !hasEnd) return ends;
  const data = bytes.subarray(0, scanEnd);
  for (let at = data.indexOf(endOfImage, scanStart); at >= 0; at = data.indexOf(endOfImage, at + 2)) {
    if (ends.length === mostEnds) break;
    ends.push(at + endOfImage.length);
  }
  return ends;
}

/** Whether a picture is sequential, of eight bits and Huffman-coded (SOF0 and SOF1, ISO/IEC 10918-1, table B.1). */
const isSequential = ({ frame }: JpegParts) =>
  frame !== null && (frame.marker === 0xc0 || frame.marker === 0xc1) && frame.precision === 8;

/** Whether a picture that is read here has several scans: of its passes, or of its components. */
const isOfSeveralScans = (parts: JpegParts) =>
  parts.frame?.marker === progressive || (isSequential(parts) && hasScansApart(parts));

/**
 * A picture of several scans in one, where all of them are whole; null for others. What is wrong with it can then only be its brightness or
 * colours, which a wrong difference moved.
 */
export function levelsOnly(job: EngineJob): Buffer | null {
  const parts = readJpegParts(job.bytes);
  const { hasEnd, problems, isTableMended, quantisation } = parts;
  const isOrdered = hasEnd && problems.length === 0 && !isTableMended && overwrittenTables(quantisation).size === 0;
  return (isOrdered && isOfSeveralScans(parts) && inOneScan(job, parts)) || null;
}

function isSoundToEnd(job: EngineJob): boolean | null {
  const segments = readJpegParts(job.bytes);
  if (segments.hasEnd && isOfSeveralScans(segments)) {
    const bytes = inOneScan(job, segments);
    return bytes ? isSoundToEnd({ ...job, bytes }) : bytes;
  }
  const read = readThrough(job);
  if (read === null || read === false) return read;
  const { parts, frame, layout, plan, stretches, chains } = read;
  if (wipedPlaces(stretches, plan) > 0) return false;
  const tables = stepsOf(frame, parts.quantisation);
  const { deadline } = job;
  const interval = parts.restartInterval;
  const salvage = new Salvage({ layout, plan, tables, interval, hasEnd: true, deadline, strict: true }, stretches);
  salvage.run(spansOf(stretches, interval, layout.total, true, chains), chains);
  const { damages, canvas } = salvage;
  if (damages.length > 0 || canvas.isAdrift) return false;
  // What a wrong difference moves ends with its interval, where there are any.
  return !hasRasterStep(canvas, interval) && !(interval > 0 && hasIntervalStep(canvas, interval));
}

/** Whether the data of a baseline picture can be read to its end and holds as many MCUs as belong there, however they look. Other kinds pass. */
export const isDataWhole = (job: EngineJob): boolean => readThrough(job) !== false;

/** The data of a baseline picture, read once to its end; false when it does not hold what it should, null for other kinds. */
function readThrough(job: EngineJob) {
  const parts = readJpegParts(job.bytes);
  const { frame } = parts;
  if (!frame || parts.scanStart < 0) return false;
  if (!parts.hasEnd || !frame.components.every(({ quantisation }) => parts.quantisation.has(quantisation)))
    return false;
  if (!isSequential(parts) || hasScansApart(parts)) return null;
  const layout = layoutFor(frame);
  if (layout.total * layout.blocks.length * 64 > job.limits.pixels * 3) return null;
  const restarts = restartsOf(parts.restartInterval > 0, layout.total);
  const stretches = splitStretches(job.bytes, parts.scanStart, parts.scanEnd, restarts);
  const plan = planScan(layout, parts.huffman, job.deadline.effort);
  const chains = chainsOf(stretches, plan, layout.total + 64, job.deadline);
  const count = chains.reduce((sum, chain) => sum + chain.count, 0);
  // Some writers leave a few bytes behind the last MCU, which every decoder steps over.
  const whole = ({ errors, count }: { errors: number[]; count: number }) =>
    errors.length === 0 || (chains.length === 1 && count === layout.total && (errors[0] ?? 0) >= count);
  if (count !== layout.total || !chains.every(whole)) return false;
  return { parts, frame, layout, plan, stretches, chains };
}

/**
 * Whether the data of a picture of Motion JPEG can be read to its end; null for such as are not judged: without tables of their own, or in fields
 * of which two share a sample. Other kinds than baseline pass.
 */
export function isFrameWhole(job: EngineJob, bytes: Buffer): boolean | null {
  const { huffman, hasEnd, scanEnd } = readJpegParts(bytes);
  const isAlone = !hasEnd || bytes.indexOf(startOfImage, scanEnd) < 0;
  return huffman.size === 0 || !isAlone ? null : isDataWhole({ ...job, bytes });
}
