import { beforeTransfer } from '../../core/transfer/undo';
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
} from '../../families/photo';
import { Buffer } from '../../host/bytes';
import type { Effort, EngineJob } from '../../report';
import { pictureAt } from './bitstream';
import { type Chunk, frameHeadBytes, isPicture, readChunks, type WebpParts, writeChunk } from './chunks';
import { arePicturesRead } from './ending';
import { type HeadsRight, isContradicted, withHeads } from './heads';
import { type Restored, restoreLossless } from './lossless';
import { measureWebp } from './measure';
import { dataOf, isInOrder, isWhole, lostBefore, type Survey, survey } from './survey';
import { canvasOf, reachOf, written } from './write';

/** Bytes with which a cut picture is filled up to its length: a decoder takes zeroes for blocks without detail (RFC 6386, 13.2); lossless codes may need others. */
const fillings = [0x00, 0xff, 0x55, 0xaa];

/** Surveys a WebP file: head, lengths and chunks. Its picture data has no check sum, so that wrong bits inside are only told where lossy data ends elsewhere than it should. */
export async function examineWebp({ job, shown }: PhotoReading): Promise<PhotoExamined<WebpParts | null>> {
  const told = nothingToldYet();
  const opened = shown();
  const received = withoutTransfer(job.bytes, told);
  const asReceived = survey(received);
  const isShown = received === job.bytes && isInOrder(asReceived) && (await opened) !== null;
  const isContrary = isContradicted(received, asReceived.chunks);
  if (isShown && !isContrary && arePicturesRead(received, asReceived.chunks)) {
    told.remarks.push({ kind: 'unchecked' });
    return sound(told);
  }
  const right = withHeads(received, job.deadline.effort);
  if (right) tellHeads(right, told);
  const bytes = right?.bytes ?? received;
  const seen = right ? survey(bytes) : asReceived;
  if (isContrary && !right) told.damages.push({ kind: 'header', how: 'damaged' });
  if (isShown && !isContrary && !right) {
    // Where the data went wrong cannot be told, and decoders show all of it, so nothing that is made of it would show more.
    told.damages.push({ kind: 'data', how: 'damaged' });
    return bestAsItIs(told);
  }
  tellStructure(bytes, seen, told);
  const parts = await partsOf(job, bytes, seen, told);
  if (!parts) return gone(told, 'lost');
  told.remarks.push({ kind: 'unchecked' });
  return survived(told, parts);
}

/** The file as it was before a transfer, where that puts its structure in order. */
function withoutTransfer(bytes: Buffer, told: PhotoTold): Buffer {
  const readAs = (read: Buffer) => ({ read, worth: isInOrder(survey(read)) ? 1 : 0 });
  const before = beforeTransfer(bytes, () => readAs(bytes), readAs);
  if (before) tellUndone(told, before.undone);
  return before?.read ?? bytes;
}

/** Tells what was set right of names and heads, and what nothing proves of that. */
function tellHeads({ places, sizes, isRough, isAlphaDoubted }: HeadsRight, { damages, steps, lost }: PhotoTold): void {
  for (const offset of places) damages.push({ kind: 'header', how: 'damaged', offset });
  for (const size of sizes) steps.push({ kind: 'size', from: 'data', ...size });
  if (isRough) lost.push({ unit: 'description', count: 1, how: 'blocks' });
  if (isAlphaDoubted) lost.push({ unit: 'data', count: 1, how: 'undecoded' });
}

function tellStructure(bytes: Buffer, seen: Survey, { damages }: PhotoTold): void {
  const { head, chunks, isSized, faults } = seen;
  if (head < 0) damages.push({ kind: 'head', how: 'signature', offset: 0 });
  if (head > 0) damages.push({ kind: 'head', how: 'before', bytes: head, offset: 0 });
  if (chunks.some((chunk) => !isWhole(chunk))) damages.push({ kind: 'cut', offset: bytes.length });
  else if (head >= 0 && (!isSized || faults > 0)) damages.push({ kind: 'lengths', offset: head });
}

/** The chunks that can be handed out; null when there is no picture among them. */
async function partsOf(job: EngineJob, bytes: Buffer, seen: Survey, told: PhotoTold): Promise<WebpParts | null> {
  const { chunks } = seen;
  if (chunks.some(({ type }) => type === 'ANMF')) return animation(job, bytes, seen, told);
  if (lostBefore(seen) > 0) told.lost.push({ unit: 'descriptions', count: 1, how: 'dropped' });
  const picture = chunks.find((chunk) => isPicture(chunk) && pictureAt(bytes, chunk.start));
  if (!picture) return null;
  const around = chunks.filter((chunk) => chunk !== picture && !isPicture(chunk) && isWhole(chunk));
  const promised = missingBeside(bytes, chunks, around, picture);
  // Where all parts follow each other to the end, none is missing, and the flags are wrong.
  if (lostBefore(seen) === 0 && promised > 0 && !isInOrder(seen))
    told.lost.push({ unit: 'descriptions', count: promised, how: 'dropped' });
  const partsWith = (data: Buffer) =>
    chunks
      .filter((chunk) => chunk === picture || around.includes(chunk))
      .filter(({ type }) => type !== 'VP8X')
      .map((chunk) => ({ type: chunk.type, data: chunk === picture ? data : dataOf(bytes, chunk) }));
  const data = dataOf(bytes, picture);
  const missing = picture.wanted - data.length;
  const restored = picture.type === 'VP8L' ? restoreLossless(data) : null;
  if (restored) return tellRestored([sureOf(restored, picture)], told) ? partsWith(restored.data) : null;
  if (missing === 0) {
    if (!arePicturesRead(bytes, [picture])) told.lost.push({ unit: 'data', count: 1, how: 'undecoded' });
    return partsWith(data);
  }
  for (const filling of fillings) {
    const parts = partsWith(Buffer.concat([data, Buffer.alloc(missing, filling)]));
    if (!(await measureWebp(written(parts), { job }))) continue;
    told.lost.push({ unit: 'bytes', count: missing, how: 'cut' });
    told.steps.push({ kind: 'fillData', bytes: missing });
    return parts;
  }
  return null;
}

/** What flags of `VP8X` tell of (RFC 9649, 2.7.1): transparency beside a lossy picture, colours, EXIF and XMP. */
const flagged: readonly (readonly [flag: number, type: string])[] = [
  [0x20, 'ICCP'],
  [0x10, 'ALPH'],
  [0x08, 'EXIF'],
  [0x04, 'XMP '],
];

/** How many chunks beside the picture there were by `VP8X` that are not among those that are left. */
function missingBeside(bytes: Buffer, chunks: readonly Chunk[], around: readonly Chunk[], picture: Chunk): number {
  const extended = chunks.find(({ type }) => type === 'VP8X');
  if (!extended || !isWhole(extended)) return 0;
  const flags = bytes[extended.start] ?? 0;
  const isMissing = (type: string) => !around.some((chunk) => chunk.type === type);
  return flagged.filter(
    // A lossless picture holds its own transparency.
    ([flag, type]) => (flags & flag) !== 0 && isMissing(type) && !(type === 'ALPH' && picture.type === 'VP8L'),
  ).length;
}

/** What was put together of a chunk is not surely its own where bytes of that are missing. */
const sureOf = (one: Restored, chunk: Chunk): Restored => ({ ...one, isSure: one.isSure && isWhole(chunk) });

/** The least share of rows that is worth handing out. */
const worthwhile = 0.02;

/** Tells of lossless pictures what was made up and what may be wrong; false where next to nothing is left of them. */
function tellRestored(all: readonly Restored[], { damages, lost, steps }: PhotoTold): boolean {
  const sum = (count: (one: Restored) => number) => all.reduce((total, one) => total + count(one), 0);
  const [filled, rows] = [sum((one) => one.filled), sum((one) => one.rows)];
  if (all.every(({ isSure }) => isSure)) return true;
  damages.push({ kind: 'data', how: 'damagedOrCut' });
  if (filled === 0) lost.push({ unit: 'data', count: 1, how: 'undecoded' });
  else {
    lost.push({ unit: 'rows', count: filled, how: 'filled', of: rows });
    steps.push({ kind: 'fill', rows: filled });
  }
  return rows - filled >= rows * worthwhile;
}

/** The frames of an animation that are whole, and what stands beside them; null when none is. */
async function animation(job: EngineJob, bytes: Buffer, seen: Survey, told: PhotoTold): Promise<WebpParts | null> {
  const { chunks, missing } = seen;
  const { lost } = told;
  const isOwnFrame = (chunk: Chunk) => chunk.type === 'ANMF' && isWhole(chunk) && isFrame(bytes, chunk);
  const model = chunks.find(isOwnFrame);
  if (!model) return null;
  const isAnyFrame = (chunk: Chunk) => chunk.type === 'ANMF' || isPicture(chunk);
  const frames = chunks.filter(isAnyFrame);
  const beside = chunks.filter((chunk) => !isAnyFrame(chunk) && isWhole(chunk) && !unneeded.has(chunk.type));
  const kept = new Set([...beside, ...frames.filter((one) => isOwnFrame(one) || (isPicture(one) && isWhole(one)))]);
  const restored: Restored[] = [];
  const found = chunks
    .filter((chunk) => kept.has(chunk))
    .map((chunk) => {
      if (isPicture(chunk)) return frameLike(bytes, model, chunk);
      const data = dataOf(bytes, chunk);
      return { type: chunk.type, data: chunk.type === 'ANMF' ? restoreFrame(data, restored) : data };
    });
  const parts = await shownParts(job, found);
  const left = parts.filter(({ type }) => type === 'ANMF').length;
  if (left === 0) return null;
  if (left < frames.length)
    lost.push({ unit: 'frames', count: frames.length - left, how: 'unread', of: frames.length });
  if (missing > 0) lost.push({ unit: 'bytes', count: missing, how: 'cut' });
  const before = lostBefore(seen);
  if (before > 0) lost.push({ unit: 'bytes', count: before, how: 'wiped' });
  const has = (wanted: string) => beside.some(({ type }) => type === wanted);
  // What stands in front of all frames is gone, and frames may be.
  if (!has('ANIM')) lost.push({ unit: 'description', count: 1, how: 'beginning' });
  // Where no frame covers the canvas, it may have been larger, and one that reaches beyond it may stand elsewhere.
  const reach = reachOf(parts);
  const extended = parts.find(({ type }) => type === 'VP8X');
  const canvas = extended && canvasOf(extended.data);
  const isBeyond = !canvas || reach.width > canvas.width || reach.height > canvas.height;
  if (isBeyond && !reach.isCovered) lost.push({ unit: 'description', count: 1, how: 'canvas' });
  return tellRestored(restored, told) ? parts : null;
}

/** Effort for finding the frames that a decoder refuses, in units. */
const mostRefusing = 20_000;

/** What a decoder shows all of: one frame that it refuses keeps it from all others. */
async function shownParts(job: EngineJob, parts: WebpParts): Promise<WebpParts> {
  if (await measureWebp(written(parts), { job })) return parts;
  const frames = parts.filter(({ type }) => type === 'ANMF');
  const shown = new Set(await shownFrames(job, frames, job.deadline.effort.share(mostRefusing)));
  return parts.filter((part) => part.type !== 'ANMF' || shown.has(part));
}

/** The frames among some that a decoder shows, found by halves, as mostly few are refused; none where the effort is spent. */
async function shownFrames(job: EngineJob, frames: WebpParts, effort: Effort): Promise<WebpParts> {
  job.deadline.check();
  if (frames.length === 0 || effort.isSpent) return [];
  effort.spend('picture');
  effort.spend(
    'pictureByteRead',
    frames.reduce((sum, { data }) => sum + data.length, 0),
  );
  if (await measureWebp(written(frames), { job })) return frames;
  if (frames.length === 1) return [];
  const middle = frames.length >> 1;
  const before = await shownFrames(job, frames.slice(0, middle), effort);
  return [...before, ...(await shownFrames(job, frames.slice(middle), effort))];
}

/** The data of a frame, with its lossless picture put together where that is damaged. */
function restoreFrame(frame: Buffer, restored: Restored[]): Buffer {
  const { chunks } = readChunks(frame, frameHeadBytes, frame.length);
  const inner = chunks.map((chunk) => {
    const data = dataOf(frame, chunk);
    const one = chunk.type === 'VP8L' ? restoreLossless(data) : null;
    if (one) restored.push(sureOf(one, chunk));
    return writeChunk(chunk.type, one?.data ?? data);
  });
  return Buffer.concat([frame.subarray(0, frameHeadBytes), ...inner]);
}

/** What an animation has inside of frames alone. */
const unneeded = new Set(['ALPH']);

/** A frame around a picture that lost its own, shown for as long as another one. */
function frameLike(bytes: Buffer, model: Chunk, picture: Chunk): WebpParts[number] {
  const head = Buffer.from(bytes.subarray(model.start, model.start + frameHeadBytes));
  const { width, height } = pictureAt(bytes, picture.start) ?? { width: 1, height: 1 };
  head.fill(0, 0, 6);
  head.writeUIntLE(width - 1, 6, 3);
  head.writeUIntLE(height - 1, 9, 3);
  return { type: 'ANMF', data: Buffer.concat([head, writeChunk(picture.type, dataOf(bytes, picture))]) };
}

/** Whether a frame of an animation holds a whole picture. */
function isFrame(bytes: Buffer, { start, end }: Chunk): boolean {
  const { chunks, faults } = readChunks(bytes.subarray(0, end), start + frameHeadBytes, end);
  return faults === 0 && chunks.some((chunk) => isPicture(chunk) && isWhole(chunk) && pictureAt(bytes, chunk.start));
}
