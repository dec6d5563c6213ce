import type { Mended } from '../../core/deflate/mended';
import { mendPackedRows } from '../../core/deflate/mendrows';
import { inflateStrict, inflateZlib, zlibHeaderLength } from '../../core/deflate/whole';
import { beforeTransfer } from '../../core/transfer/undo';
import {
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
import type { EngineJob } from '../../report';
import { type Chunk, pngSignature, readChunks, writeChunk } from './chunks';
import { writtenTo } from './cut';
import {
  adlerFits,
  correctBySum,
  falselyCorrected,
  type PictureData,
  pairsBySum,
  pictureData,
  type Span,
  suspects,
  withoutEmptyEnd,
} from './data';
import { type FoundHeader, findHeader, tallerHeight } from './find';
import { inflatedSize, type PngHeader, readHeader } from './header';
import { type Chunked, mendChunks } from './mendchunks';
import { findPalette, isPaletteProven } from './palette';
import { passesOf } from './passes';
import { correctPairs } from './prove';
import { type Rendered, render } from './render';
import { PngRows } from './rows';
import { fromFirstBlock } from './start';

/** Milliseconds that the search for single wrong bits may take in all, and in pictures of more bytes than `largePicture`. */
const patience = 1400;
const shortPatience = 700;
const largePicture = 4 << 20;
/** Damaged chunks that are told of one by one. */
const mostTold = 6;
/** Largest inflated picture that is mended row by row, in bytes; three buffers of this size are needed. */
const mostMended = 120 << 20;
const mostRows = 400_000;
/** Share of rows that must be known for the greater part; a picture with fewer is mostly invented. */
const leastTrusted = 0.04;
/** Share of rows from which on a picture with so many lost is none. */
const mostLost = 0.98;
/** Share of the rows with doubtful colours that may have impossible ones, where no row is beyond doubt. */
const mostWrong = 0.05;
/** Share of the rows that may be as rough as noise, where no row or not even the size is beyond doubt. */
const mostRough = 0.3;
/** Rows, and their share, that must be above all doubt where no band of rows is. */
const leastSure = 12;
const leastShareSure = 0.03;
/** Share of the rows with doubtful colours that may have impossible ones even so. */
const mostWrongAlone = 0.1;

/** Parts that are told of on their own, and the bytes from the beginning of a file to its picture data where nothing else stands there, with some to spare. */
const essential = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
const headLength = 48;

/** How the rows of a picture survived: packed as they were, with their filters, or as pixels of a picture without passes. */
export type PngRowData = { kind: 'packed' | 'filtered' | 'pixels'; data: Uint8Array };

/** What survives of a file: its header, the chunks beside it and the picture data as they are to be written, and the rows. */
export type PngParts = { header: PngHeader; others: Buffer[]; rows: PngRowData };

/** Surveys a PNG (ISO/IEC 15948): chunks by their types, a lost header from the rows themselves, pixels up to and behind damage. */
export async function examinePng({ job, shown }: PhotoReading): Promise<PhotoExamined<PngParts | null>> {
  const told = nothingToldYet();
  const opened = shown();
  const chunks = readChunks(job.bytes);
  const intact =
    job.bytes.subarray(0, 8).equals(pngSignature) &&
    chunks.at(-1)?.type === 'IEND' &&
    chunks.every((chunk) => chunk.sound && !chunk.mended);
  const before = intact && isComplete(job, chunks) ? await opened : null;
  if (before && !before.warning) return sound(told);
  const parts = findParts(job, told);
  return typeof parts === 'string' ? gone(told, parts) : survived(told, parts);
}

/** Whether the picture data is whole, and holds no more rows than the header tells, of which decoders complain. */
function isComplete(job: EngineJob, chunks: readonly Chunk[]): boolean {
  const data = Buffer.concat(
    chunks.filter((chunk) => chunk.type === 'IDAT').map((chunk) => job.bytes.subarray(chunk.start, chunk.end)),
  );
  const most = { maxOutput: job.limits.inflatedBytes * 2, deadline: job.deadline, readOn: false };
  const { complete, data: rows } = inflateZlib(data, most);
  const at = chunks.find((chunk) => chunk.type === 'IHDR')?.start;
  const told = at === undefined ? null : readHeader(job.bytes.subarray(at, at + 13));
  return complete && (!told || tallerHeight(told, rows) === null);
}

/** Everything that survives of a damaged file, as far as it can be put in its place. */
function findParts(job: EngineJob, told: PhotoTold): PngParts | 'lost' | 'noise' {
  const read = withoutTransfer(job.bytes, told);
  const given = { bytes: read, chunks: readChunks(read) };
  tellChunks(given, told);
  const proves = (packed: Buffer) => readStrict(job, packed) !== null;
  const { bytes, chunks } = mendChunks(given, told, job.deadline.effort, proves);
  const all = pictureData(bytes, chunks);
  if (all.bytes.length < 8) return 'lost';
  // Without any head the first part begins with remains of what stood before it.
  const headless = chunks[0]?.type === 'IDAT' && !chunks[0].sound && chunks[0].start < 8;
  const begun = headless ? fromFirstBlock(job, all) : all;
  const pairs = correctPairs(begun, job.deadline.effort, proves);
  if (pairs > 0) told.steps.push({ kind: 'bits', bits: pairs, by: 'sums' });
  const strict = readStrict(job, begun.bytes);
  const data = strict ? begun : withoutEmptyEnd(begun);
  const found = findHeader(job, bytes, chunks, data.bytes, strict);
  if (!found) return 'lost';
  const { header } = found;
  if (found.found) {
    told.damages.push({ kind: 'header', how: 'lost' });
    told.steps.push({ kind: 'size', from: 'rows', width: header.width, height: header.height });
    if (found.isGuess) told.lost.push({ unit: 'description', count: 1, how: 'shape' });
  }
  if (header.width * header.height > job.limits.pixels) return 'lost';
  const others = otherChunks(bytes, chunks, header, told);
  if (!others) return 'lost';
  tellDescriptions(chunks, headless ? all.bytes.length - begun.bytes.length : 0, told);
  const isWhole = strict !== null && strict.length === inflatedSize(header);
  const rows = isWhole
    ? ({ kind: 'packed', data: data.bytes } as const)
    : mendRows(job, found, { data, hole: holeOf(header, others) }, told);
  return typeof rows === 'string' ? rows : { header, others, rows };
}

/** Tells what is wrong with the chunks and what stands before them. */
function tellChunks({ bytes, chunks }: Chunked, { damages }: PhotoTold): void {
  const signature = bytes.indexOf(pngSignature);
  if (signature !== 0) damages.push({ kind: 'head', how: signature < 0 ? 'signature' : 'before', offset: 0 });
  for (const { type, start } of chunks.filter((candidate) => !candidate.sound || candidate.mended).slice(0, mostTold))
    damages.push({ kind: 'chunk', type: type === '????' ? null : type, offset: Math.max(0, start - 8) });
  if (chunks.at(-1)?.type !== 'IEND') damages.push({ kind: 'end', offset: bytes.length });
}

/** The file as it was before a transfer, where more chunks are whole in that. */
function withoutTransfer(bytes: Buffer, told: PhotoTold): Buffer {
  const readAs = (read: Buffer) => ({ read, worth: readChunks(read).filter((chunk) => chunk.sound).length });
  const before = beforeTransfer(bytes, () => readAs(bytes), readAs);
  if (before) tellUndone(told, before.undone);
  return before?.read ?? bytes;
}

/** The inflated data when it is whole, its check sum included; null otherwise. */
function readStrict(job: EngineJob, data: Buffer): Buffer | null {
  if (zlibHeaderLength(data) === 0) return null;
  const strict = inflateStrict(data.subarray(2), Math.min(job.limits.pixels * 8, job.limits.inflatedBytes * 2));
  return strict && adlerFits(data, (strict.consumed + 2) * 8, strict.data) ? strict.data : null;
}

/** The chunks beside header and picture data that are whole; null when the colours of a palette picture are lost. */
function otherChunks(bytes: Buffer, chunks: readonly Chunk[], header: PngHeader, told: PhotoTold): Buffer[] | null {
  const others = chunks
    .filter(
      (chunk) =>
        !['IHDR', 'IDAT', 'IEND', 'acTL', 'fcTL', 'fdAT', '????', 'PLTE'].includes(chunk.type) &&
        (chunk.sound || chunk.type === 'tRNS'),
    )
    .map((chunk) => writeChunk(chunk.type, bytes.subarray(chunk.start, chunk.end)));
  const palette = findPalette(bytes, chunks, header);
  if (palette)
    others.splice(
      others.findIndex((chunk) => chunk.toString('latin1', 4, 8) === 'tRNS'),
      0,
      writeChunk('PLTE', palette),
    );
  if (header.colour === 3 && palette && !isPaletteProven(bytes, palette))
    told.lost.push({ unit: 'colours', count: 1, how: 'unproven' });
  if (header.colour === 3 && !palette) {
    told.remarks.push({ kind: 'palette' });
    return null;
  }
  return others;
}

/** The byte of pixels whose colour is not seen at all by tRNS (ISO/IEC 15948, 11.3.2.1), of colours by number; null where there is none. */
function holeOf({ colour, depth }: PngHeader, others: readonly Buffer[]): number | null {
  const seen = colour === 3 ? others.find((chunk) => chunk.toString('latin1', 4, 8) === 'tRNS')?.subarray(8, -4) : null;
  const number = seen?.indexOf(0) ?? -1;
  const last = 2 ** depth - 1;
  return number >= 0 && number <= last ? number * (255 / last) : null;
}

/** Tells of parts beside the picture that are not in the result: those that are damaged, and those in `lost` bytes of the beginning. */
function tellDescriptions(chunks: readonly Chunk[], lost: number, told: PhotoTold): void {
  const dropped = chunks.filter(({ type, sound }) => type === '????' || (!sound && !essential.includes(type))).length;
  const count = dropped + (lost > headLength ? 1 : 0);
  if (count > 0) told.lost.push({ unit: 'descriptions', count, how: 'dropped' });
}

/** Reads the rows through the damage; tells what was set right and what is lost. 'lost' when the picture is too large for it, 'noise' when next to nothing is left. */
function mendRows(
  job: EngineJob,
  found: FoundHeader,
  read: { data: PictureData; hole: number | null },
  told: PhotoTold,
): PngRowData | 'lost' | 'noise' {
  const { header } = found;
  const lines = passesOf(header).reduce((sum, { height }) => sum + height, 0);
  if (inflatedSize(header) > mostMended || lines > mostRows) return 'lost';
  told.damages.push({ kind: 'data', how: 'packed' });
  return restorePixels(job, found, read, told);
}

/** The mended rows without filters, or with them where they are proven; on return the buffers that it took are free. */
function restorePixels(
  job: EngineJob,
  found: FoundHeader,
  { data, hole }: { data: PictureData; hole: number | null },
  told: PhotoTold,
): PngRowData | 'noise' {
  const { header } = found;
  const { model, mended } = mendBits(job, found, data);
  model.release();
  job.progress(0.5);
  const exact = mended.finished && mended.gaps.length === 0;
  const proven = exact && adlerFits(data.bytes, mended.bit, mended.data);
  if (mended.flips.length > 0) told.steps.push({ kind: 'bits', bits: mended.flips.length, by: 'rows' });
  if (proven) return { kind: 'filtered', data: mended.data };
  const rendered = render(header, model, mended, job.deadline, hole);
  if (isNoise(found, rendered)) return 'noise';
  // Without its last four bytes the data cannot be proven, but nothing of the picture is missing.
  const cut = exact && mended.flips.length === 0 && mended.bit + 32 > data.bytes.length * 8;
  tellRows(rendered, mended.gaps.length, cut, told);
  return { kind: 'pixels', data: rendered.pixels };
}

/** Whether what was read of a picture is next to nothing, or mostly invented. */
export function isNoise({ header, isGuess }: FoundHeader, rendered: Rendered): boolean {
  const { lost, off, rows, trusted, wrong } = rendered;
  const isInvented = rows - lost - off < rows * leastTrusted && wrong > off * mostWrong;
  // Of an interlaced picture the coarse passes tell enough.
  const isBaseless = !header.interlaced && hasNoBase(rendered);
  // Rows that build on what is lost, or of another size than was told by them, come out as no picture does.
  const isRough = (rendered.certain === 0 || isGuess === true) && rendered.rough >= rows * mostRough;
  return lost >= rows * mostLost || trusted < rows * leastTrusted || isInvented || isBaseless || isRough;
}

/** Tells which rows were found behind damage, filled in or may be off; `cut` where all are there and only their sum is gone. */
function tellRows({ lost, off, rows }: Rendered, gaps: number, cut: boolean, told: PhotoTold): void {
  if (gaps > 0) told.steps.push({ kind: 'behind', places: gaps });
  if (lost > 0) {
    told.lost.push({ unit: 'rows', count: lost, how: 'filled', of: rows });
    told.steps.push({ kind: 'fill', rows: lost });
  }
  if (off > 0) told.lost.push({ unit: 'rows', count: off, how: 'doubtful' });
  if (lost === 0 && off === 0 && !cut) told.lost.push({ unit: 'pixels', count: 1, how: 'unproven' });
}

/** Whether all builds on a beginning that is plainly wrong. */
function hasNoBase({ certain, sure, rows, misread, wrong, off }: Rendered): boolean {
  if (certain > 0 || sure >= Math.max(leastSure, rows * leastShareSure)) return false;
  return misread || wrong > off * mostWrongAlone;
}

/** What was written over, but for runs of one value in data that is as it was written, where long runs of a colour take hardly any bits. */
const holesBehind = ({ holes = [] }: PictureData, soundTo: number) => holes.filter(({ to }) => to > soundTo);

/** Reads the rows; a second time without looking for bits where the one that was found cannot be all that is wrong. */
function mendBits(
  job: EngineJob,
  { header, behind }: FoundHeader,
  data: PictureData,
): { model: PngRows; mended: Mended } {
  let soundTo: number | null = behind ? 0 : null;
  const read = (except: readonly Span[]) => {
    const model = new PngRows(header, job.deadline.effort);
    soundTo ??= writtenTo(data, header, model);
    const options = {
      deadline: job.deadline,
      patience: inflatedSize(header) > largePicture ? shortPatience : patience,
      suspect: suspects(data, except),
      corrected: correctBySum(data),
      pairs: pairsBySum(data),
      behind,
      holes: holesBehind(data, soundTo),
      soundTo,
    };
    return { model, mended: mendPackedRows(data.bytes, 16, model, options) };
  };
  // Not kept while the second one is made: each takes several times the size of the picture.
  let result: ReturnType<typeof read> | null = read([]);
  const { flips } = result.mended;
  const wrong = falselyCorrected(data, flips);
  // Among many bits that were right, one more may simply not be seen.
  if (wrong.length === 0 || wrong.length < flips.length) return result;
  result = null;
  return read(wrong);
}
