import { areLineEndsLost } from '../../core/transfer/lineends';
import { beforeTransfer } from '../../core/transfer/undo';
import { claimedFormat } from '../../detect';
import {
  bestAsItIs,
  gone,
  nothingToldYet,
  type PhotoExamined,
  type PhotoReading,
  type PhotoTold,
  sound,
  survived,
  tellUndone,
  unjudged,
} from '../../families/photo';
import { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { examineScan } from './baseline';
import { keptScanSegment, scanSegment } from './encode';
import { undoExchanges } from './exchanged';
import { isDataSound, levelsOnly } from './health';
import { hasScansApart, isSegmentAt, type JpegParts, readJpegParts, usualHead } from './markers';
import { endOfImage, progressive } from './marks';
import { withOnlyValues } from './onlyvalue';
import { overwrittenTables } from './overwritten';
import type { Gone, Survivors } from './parts';
import { readPreview } from './preview';
import { examineSeparate } from './separate';
import { pixelsBefore } from './structure';
import { withTableMended } from './wrongtable';

/** Damaged segments, and exchanges, that are told of one by one. */
const mostTold = 8;
/** Bytes behind the last table that must be there to look for picture data in them. */
const leastData = 64;
/** Bytes of a segment of which its kind can be told. */
const leastSegment = 12;

/** Surveys a JPEG (ISO/IEC 10918-1): the markers and tables first, then the picture data, down to single blocks where bytes were lost. */
export async function examineJpeg({ job, shown }: PhotoReading): Promise<PhotoExamined<Survivors | null>> {
  const told = nothingToldYet();
  if (isUnjudged(job.bytes)) return unjudged(told);
  const opened = shown();
  const begins = job.bytes[0] === 0xff && job.bytes[1] === 0xd8;
  const intact = begins && isDataSound(job) !== false;
  const isWholeOfPasses = begins && isProgressiveWhole(job.bytes);
  const before = intact || isWholeOfPasses ? await opened : null;
  if (intact && before && !before.warning) return sound(told);
  const ofWhole =
    intact || !begins ? null : await examineWhole(job, told, isWholeOfPasses && before?.warning === false);
  if (ofWhole) return ofWhole;
  const own = withFieldsSet(job, told);
  const isSound = own === job ? intact : isDataSound(own) !== false;
  const mended = isSound || areLineEndsLost(own.bytes) ? null : withTableMended(own);
  if (mended) {
    told.damages.push({ kind: 'huffman' });
    told.steps.push({ kind: 'tables', from: 'data' });
    if (!mended.isSure) told.lost.push({ unit: 'tables', count: 1, how: 'doubtful' });
  }
  const inOrder = isSound || mended ? null : undoExchanges(own);
  if (inOrder) {
    for (const { first, size } of inOrder.exchanges.slice(0, mostTold))
      told.damages.push({ kind: 'exchanged', count: size, offset: first });
    told.steps.push({ kind: 'exchanged', count: inOrder.exchanges.length });
  }
  const survivors = await findSurvivors(own, told, inOrder?.bytes ?? mended?.bytes ?? own.bytes, shown);
  return typeof survivors === 'string' ? gone(told, survivors) : survived(told, survivors);
}

/** A picture of several scans that is damaged, where its scans are whole, or decoders show them as if they were; null otherwise. */
async function examineWhole(
  job: EngineJob,
  told: PhotoTold,
  isShownWhole: boolean,
): Promise<PhotoExamined<Survivors | null> | null> {
  const bytes = levelsOnly(job);
  if (bytes) {
    const own = nothingToldYet();
    const survivors = await findSurvivors({ ...job, bytes }, own, bytes);
    told.damages.push({ kind: 'data', how: 'damaged' });
    // All blocks are where they belong: more than their levels is not to be moved, nor levels that restart intervals end.
    const isOfLevels = own.steps.length > 0 && own.steps.every(({ kind }) => kind === 'levelled');
    if (typeof survivors === 'string' || !isOfLevels || readJpegParts(job.bytes).restartInterval > 0)
      return bestAsItIs(told);
    // Places in one scan are none of the file's.
    return survived({ ...own, damages: told.damages }, survivors);
  }
  if (!isShownWhole) return null;
  // A pass with blocks too many or too few that decoders take without a word: what they show hangs together, which what is moved may not.
  told.damages.push({ kind: 'data', how: 'damaged' });
  return bestAsItIs(told);
}

/** The job with fields of the head set right that can have one value only, told of; the same job where there are none. */
function withFieldsSet(job: EngineJob, told: PhotoTold): EngineJob {
  const setRight = withOnlyValues(job.bytes);
  if (!setRight) return job;
  for (const offset of setRight.places) told.damages.push({ kind: 'header', how: 'damaged', offset });
  return { ...job, bytes: setRight.bytes };
}

/** Whether the structure of a progressive picture is sound (SOF2, ISO/IEC 10918-1, table B.1), whatever its passes hold. */
function isProgressiveWhole(bytes: Buffer): boolean {
  const { frame, problems, hasEnd, quantisation, isTableMended } = readJpegParts(bytes);
  const isWhole = frame?.marker === progressive && problems.length === 0 && hasEnd && !isTableMended;
  return isWhole && overwrittenTables(quantisation).size === 0;
}

/**
 * Whether the structure is sound and the data of a kind that is not read here: lossless, hierarchical or arithmetic-coded (SOF3, SOF5 and
 * above, ISO/IEC 10918-1, table B.1). Decoders take whatever arithmetic-coded data they are given for a picture, so they prove nothing.
 */
function isUnjudged(bytes: Buffer): boolean {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return false;
  const { frame, problems, hasEnd } = readJpegParts(bytes);
  return frame !== null && frame.marker > 0xc2 && problems.length === 0 && hasEnd;
}

/** Tells that the number of lines was taken from behind the data. */
function tellLines({ frame, areLinesBehind }: JpegParts, told: PhotoTold): void {
  if (!frame || !areLinesBehind) return;
  told.damages.push({ kind: 'size', offset: frame.offset });
  told.steps.push({ kind: 'size', from: 'data', width: frame.width, height: frame.height });
}

/** What survives of damaged bytes, told on the way; `shown` tells what a decoder makes of the file as it is. */
export async function findSurvivors(
  job: EngineJob,
  told: PhotoTold,
  input: Buffer,
  shown: PhotoReading['shown'] = async () => null,
): Promise<Survivors | Gone> {
  const bytes = restoreLineEnds(input, told);
  if (areLineEndsLost(bytes)) {
    told.damages.push({ kind: 'data', how: 'damaged' });
    told.remarks.push({ kind: 'lineEnds' });
    return 'noise';
  }
  const parts = readJpegParts(bytes);
  told.damages.push(...parts.problems.slice(0, mostTold));
  tellLines(parts, told);
  if (parts.isDescriptionLost) told.lost.push({ unit: 'descriptions', count: 1, how: 'dropped' });
  mendTables(parts, told);
  if (!findPictureData(bytes, parts, told)) return 'lost';
  const around = photoAround(job, bytes, parts);
  if (around > 0) {
    told.remarks.push({ kind: 'inside' });
    told.lost.push({ unit: 'bytes', count: around, how: 'photo' });
  }
  if (!parts.hasEnd) told.damages.push({ kind: 'end', offset: bytes.length });
  const { frame } = parts;
  const { isProgressive, isSeveral } = scansOf(parts);
  parts.isShown = isProgressive && (await shown()) !== null;
  if (isSeveral && frame && frame.marker <= progressive && frame.precision === 8) {
    const separate = examineSeparate(job, bytes, parts, told);
    if (separate !== 'intact') return separate;
  }
  // Twelve bits are left as they are.
  const isKnown = frame === null || (frame.marker <= 0xc2 && frame.precision === 8);
  if (!isKnown || isSeveral) return asCoded(bytes, parts);
  return examineScan(job, bytes, parts, await readPreview(bytes, parts), told);
}

/** Sets values right that were written over tables of quantisation, and tells of Huffman tables that were set right when they were read. */
function mendTables({ quantisation, isTableMended }: JpegParts, told: PhotoTold): void {
  const mended = overwrittenTables(quantisation);
  if (isTableMended) told.damages.push({ kind: 'huffman' });
  if (mended.size > 0) told.damages.push({ kind: 'quantisation' });
  if (mended.size === 0 && !isTableMended) return;
  for (const [number, table] of mended) quantisation.set(number, table);
  told.steps.push({ kind: 'tables', from: 'rest' });
}

/** How many times as long as a picture the data of another one in front of it is at least, also where a frame stands there, as of a preview, and the share of its bytes of ones that a zero follows. */
const photo = { times: { usual: 2, behindFrame: 4 }, stuffed: 0.5 };

/**
 * Bytes of what a picture that was found stands in, behind a head that is lost: of packed data in front of it, the photo itself, or of
 * a file that by its name is of another kind and is for the most part something else. 0 where there is none.
 */
function photoAround(job: EngineJob, bytes: Buffer, { frame, problems, scanEnd }: JpegParts): number {
  if (!frame || !problems.some(({ kind }) => kind === 'head')) return 0;
  const own = scanEnd - frame.offset;
  const around = bytes.length - own;
  const claimed = claimedFormat(job.fileName);
  if (claimed !== null && claimed !== 'jpg' && around > own) return around;
  const before = bytes.subarray(0, frame.offset);
  const times = pixelsBefore(bytes, 0, frame.offset) > 0 ? photo.times.behindFrame : photo.times.usual;
  return before.length >= own * times && isPackedData(before) ? before.length : 0;
}

/** Whether a zero follows most bytes of ones, as in packed picture data (ISO/IEC 10918-1, F.1.2.3). */
function isPackedData(bytes: Buffer): boolean {
  let [ones, stuffed] = [0, 0];
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    ones++;
    if (bytes[at + 1] === 0) stuffed++;
  }
  return stuffed > ones * photo.stuffed;
}

/** Whether a picture is progressive, and whether its components stand in scans of their own. */
function scansOf(parts: JpegParts): { isProgressive: boolean; isSeveral: boolean } {
  const { frame, scanHeader } = parts;
  const count = scanHeader?.[2] ?? 0;
  const isProgressive = frame ? frame.marker === 0xc2 : scanHeader !== null && scanHeader[4 + count * 2] === 0;
  return {
    isProgressive,
    isSeveral: isProgressive ? count !== (frame?.components.length ?? count) : hasScansApart(parts),
  };
}

/** The file as it was before a transfer, where that begins as a picture does and is in no worse order. */
function restoreLineEnds(input: Buffer, told: PhotoTold): Buffer {
  const problemsOf = (read: Buffer) =>
    read[0] === 0xff ? readJpegParts(read).problems.length : Number.POSITIVE_INFINITY;
  const before = beforeTransfer(
    input,
    () => ({ read: input, worth: -readJpegParts(input).problems.length }),
    // What shows in every line end counts for half a problem.
    (read) => ({ read, worth: 0.5 - problemsOf(read) }),
  );
  if (before) tellUndone(told, before.undone);
  return before?.read ?? input;
}

/** Without a scan header the data begins behind the last table; false when there is nothing that looks like data. */
function findPictureData(bytes: Buffer, parts: JpegParts, told: PhotoTold): boolean {
  if (parts.scanStart >= 0) return parts.scanStart < bytes.length;
  const last = Math.max(lastSegment(bytes, 0xc4), lastSegment(bytes, 0xc0));
  const after = last >= 0 ? last + 2 + bytes.readUInt16BE(Math.min(last + 2, bytes.length - 2)) : 0;
  if (after >= bytes.length - leastData) return false;
  const components = parts.frame?.components.length ?? 3;
  parts.scanStart = last >= 0 ? Math.min(after + 8 + components * 2, bytes.length) : 0;
  const zeroes = bytes.subarray(parts.scanStart).findIndex((byte) => byte !== 0);
  const data = last < 0 ? Math.max(zeroes, plainBytes(bytes)) : zeroes;
  if (data > leastData) {
    parts.scanStart += data;
    parts.wiped = Math.max(0, data - (last < 0 ? usualHead : 0));
  }
  // Without any table before it, the data is cut or overwritten somewhere in the picture.
  parts.isBeginLost = data > leastData || last < 0;
  parts.scanEnd = bytes.length;
  const end = bytes.lastIndexOf(endOfImage);
  if (end > parts.scanStart) {
    parts.scanEnd = end;
    parts.hasEnd = true;
  }
  parts.scans = 1;
  told.damages.push({ kind: 'scan', offset: after });
  return true;
}

/** The last place of a marker with a segment that can be; -1 without one. */
function lastSegment(bytes: Buffer, marker: number): number {
  const mark = Buffer.from([0xff, marker]);
  for (let at = bytes.lastIndexOf(mark); at >= 0; at = at > 0 ? bytes.lastIndexOf(mark, at - 1) : -1)
    if (at + leastSegment <= bytes.length && isSegmentAt(bytes, at, bytes.length)) return at;
  return -1;
}

/** Bytes of a sector, and of how many kinds they are at least where it holds entropy-coded data, which has about 200. */
const sector = { bytes: 512, kinds: 128 };

/** The bytes at the beginning that are no entropy-coded data but text or whatever else was written over a head, in whole sectors. */
function plainBytes(bytes: Buffer): number {
  let at = 0;
  while (at + sector.bytes <= bytes.length && new Set(bytes.subarray(at, at + sector.bytes)).size < sector.kinds)
    at += sector.bytes;
  return at;
}

/** Kinds of frames that are not read here, progressive ones of whole passes among them: the data as it is, in sound headers. */
function asCoded(bytes: Buffer, parts: JpegParts): Survivors | Gone {
  const { frame, quantisation, scanHeader } = parts;
  if (!frame || quantisation.size === 0) return 'lost';
  const header = scanHeader ? keptScanSegment(scanHeader) : scanSegment(frame.components);
  const data = bytes.subarray(parts.scanStart, parts.scanEnd);
  return { parts, frame, quantisation, data: { kind: 'coded', header, data, isProven: false } };
}
