import { inflateStrict, inflateZlib, zlibHeaderLength } from '../../bytes';
import { Buffer } from '../../host/bytes';
import { deflate } from '../../host/packing';
import { counted, Draft, type EngineJob, type Outcome } from '../../report';
import { mend } from '../flate/mend';
import type { Mended } from '../flate/mended';
import { repairedPicture } from '../picture';
import { openPicture } from '../reader';
import { withoutAddedReturns } from '../textmode';
import { type Chunk, pngSignature, readChunks, writeChunk } from './chunks';
import {
  adlerFits,
  correctBySum,
  falselyCorrected,
  type PictureData,
  pairsBySum,
  pictureData,
  type Span,
  suspects,
} from './data';
import { type FoundHeader, findHeader } from './find';
import { inflatedSize, type PngHeader, rowSizes, writeHeader } from './header';
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
/** Largest inflated picture that is mended row by row, in bytes; three buffers of this size are needed. */
const mostMended = 120 << 20;
const mostRows = 400_000;
/** Share of rows that must be known for the greater part; a picture with fewer is mostly invented. */
const leastTrusted = 0.04;
/** Share of the rows with doubtful colours that may have impossible ones, where no row is beyond doubt. */
const mostWrong = 0.05;
/** Rows, and their share, that must be above all doubt where no band of rows is. */
const leastSure = 12;
const leastShareSure = 0.03;
/** Share of the rows with doubtful colours that may have impossible ones even so. */
const mostWrongAlone = 0.1;

/** Parts that are told of on their own, and the bytes from the beginning of a file to its picture data where nothing else stands there, with some to spare. */
const essential = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
const headLength = 48;

/** Repairs PNG (ISO/IEC 15948): chunks by their types, a lost header from the rows themselves, pixels up to and behind damage. */
export async function repairPng(job: EngineJob): Promise<Outcome> {
  const draft = new Draft('png');
  const opened = openPicture(job.bytes, job.limits, true);
  const chunks = readChunks(job.bytes);
  const intact =
    job.bytes.subarray(0, 8).equals(pngSignature) &&
    chunks.at(-1)?.type === 'IEND' &&
    chunks.every((chunk) => chunk.sound && !chunk.mended);
  const before = intact && isComplete(job, chunks) ? await opened : null;
  if (before && !before.warning) {
    draft.kept.push({
      unit: 'pixels',
      count: before.width * before.height,
      detail: `${before.width} × ${before.height}`,
    });
    return draft.healthy(
      `Nothing is wrong with this picture of ${before.width} × ${before.height} pixels; it is returned unchanged.`,
    );
  }
  const output = rebuild(job, draft);
  job.progress(0.7);
  // A decoder that stops at the first fault shows no more of a picture of which next to nothing can be read.
  return output === 'hopeless' ? repairedPicture(job, draft, null, null) : repairedPicture(job, draft, output, opened);
}

function isComplete(job: EngineJob, chunks: readonly Chunk[]): boolean {
  const data = Buffer.concat(
    chunks.filter((chunk) => chunk.type === 'IDAT').map((chunk) => job.bytes.subarray(chunk.start, chunk.end)),
  );
  return inflateZlib(data, { maxOutput: job.limits.inflatedBytes * 2, deadline: job.deadline, readOn: false }).complete;
}

function rebuild(job: EngineJob, draft: Draft): Buffer | 'hopeless' | null {
  const bytes = withoutTextMode(job.bytes, draft);
  const signature = bytes.indexOf(pngSignature);
  if (signature !== 0)
    draft.find(
      'head',
      signature < 0
        ? 'The signature at the beginning was missing.'
        : 'Before the picture there were bytes that do not belong to it.',
      0,
    );
  const chunks = readChunks(bytes);
  for (const chunk of chunks.filter((candidate) => !candidate.sound || candidate.mended).slice(0, 6)) {
    draft.find(
      'chunk',
      `The ${chunk.type === '????' ? 'unnamed' : chunk.type} part is damaged, or its length or check sum is wrong.`,
      Math.max(0, chunk.start - 8),
    );
  }
  if (chunks.at(-1)?.type !== 'IEND') draft.find('end', 'The end of the picture was missing.', bytes.length);
  const all = pictureData(bytes, chunks, draft);
  if (all.bytes.length < 8) return null;
  // Without any head the first part begins with remains of what stood before it.
  const headless = chunks[0]?.type === 'IDAT' && !chunks[0].sound && chunks[0].start < 8;
  const data = headless ? fromFirstBlock(job, all) : all;
  const pairs = correctPairs(data, job.deadline.effort, (bytes) => readStrict(job, bytes) !== null);
  if (pairs > 0)
    draft.step('Correct bits', `${counted(pairs, 'wrong bit was', 'wrong bits were')} set right by the check sums.`);
  const strict = readStrict(job, data.bytes);
  const found = findHeader(job, bytes, chunks, data.bytes, strict);
  if (!found) return null;
  const { header } = found;
  if (found.found) {
    draft.find('header', 'The header with the size and kind of the picture was missing or wrong.', null);
    draft.step('Find size', `By its rows and check sums the picture is ${header.width} × ${header.height} pixels.`);
  }
  if (header.width * header.height > job.limits.pixels) return null;
  const others = otherChunks(bytes, chunks, header, draft);
  if (!others) return null;
  tellDescriptions(chunks, headless ? all.bytes.length - data.bytes.length : 0, draft);
  const rows = strict && strict.length === inflatedSize(header) ? data.bytes : mendRows(job, found, data, draft);
  if (!rows || rows === 'hopeless') return rows;
  draft.step('Rewrite picture', 'The parts of the picture were written anew with right lengths and check sums.');
  return Buffer.concat([
    pngSignature,
    writeChunk('IHDR', writeHeader(header)),
    ...others,
    writeChunk('IDAT', rows),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function withoutTextMode(bytes: Buffer, draft: Draft): Buffer {
  const stripped = withoutAddedReturns(bytes);
  const sound = (candidate: Buffer) => readChunks(candidate).filter((chunk) => chunk.sound).length;
  if (!stripped || sound(stripped) <= sound(bytes)) return bytes;
  draft.find('textmode', 'Every line end was changed, as happens when a file is sent in text mode.', null);
  draft.step(
    'Restore line ends',
    `${counted(bytes.length - stripped.length, 'byte')} that the transfer had added were taken out.`,
  );
  return stripped;
}

/** The inflated data when it is whole, its check sum included; null otherwise. */
function readStrict(job: EngineJob, data: Buffer): Buffer | null {
  if (zlibHeaderLength(data) === 0) return null;
  const strict = inflateStrict(data.subarray(2), Math.min(job.limits.pixels * 8, job.limits.inflatedBytes * 2));
  return strict && adlerFits(data, (strict.consumed + 2) * 8, strict.data) ? strict.data : null;
}

/** The chunks beside header and picture data that are whole; null when the colours of a palette picture are lost. */
function otherChunks(bytes: Buffer, chunks: readonly Chunk[], header: PngHeader, draft: Draft): Buffer[] | null {
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
    draft.lost.push({
      unit: 'colours',
      count: 1,
      detail: 'or more of the table may be wrong: its check sum does not fit',
    });
  if (header.colour === 3 && !palette) {
    draft.note('The table of colours of the picture was lost; without it the pixels are numbers that mean nothing.');
    return null;
  }
  return others;
}

/** Tells of parts beside the picture that are not in the result: those that are damaged, and those in `lost` bytes of the beginning. */
function tellDescriptions(chunks: readonly Chunk[], lost: number, draft: Draft): void {
  const dropped = chunks.filter(({ type, sound }) => type === '????' || (!sound && !essential.includes(type))).length;
  const count = dropped + (lost > headLength ? 1 : 0);
  if (count > 0)
    draft.lost.push({
      unit: 'descriptions',
      count,
      detail: 'beside the pixels, such as a colour profile, the resolution or texts',
    });
}

/** Reads the rows through the damage and packs them anew; tells what was set right and what is lost. 'hopeless' when next to nothing is left, null when the picture is too large for it. */
function mendRows(job: EngineJob, found: FoundHeader, data: PictureData, draft: Draft): Buffer | 'hopeless' | null {
  const { header } = found;
  const size = inflatedSize(header);
  const lines = passesOf(header).reduce((sum, { height }) => sum + height, 0);
  if (size > mostMended || lines > mostRows) return null;
  draft.find('data', 'The compressed picture data is damaged or cut short.', null);
  const restored = restorePixels(job, found, data, draft);
  if (restored === 'hopeless' || 'packed' in restored) return restored === 'hopeless' ? restored : restored.packed;
  header.interlaced = false;
  return deflate(withUpFilter(restored.pixels, rowSizes(header).row, header), size > 8 << 20 ? 4 : 6);
}

/** The mended rows without filters, or packed again where they are proven; on return the buffers that it took are free. */
function restorePixels(
  job: EngineJob,
  found: FoundHeader,
  data: PictureData,
  draft: Draft,
): { pixels: Buffer } | { packed: Buffer } | 'hopeless' {
  const { header } = found;
  const { model, mended } = mendBits(job, found, data);
  model.release();
  job.progress(0.5);
  const exact = mended.finished && mended.gaps.length === 0;
  const proven = exact && adlerFits(data.bytes, mended.bit, mended.data);
  if (mended.flips.length > 0)
    draft.step(
      'Correct bits',
      `${counted(mended.flips.length, 'wrong bit was', 'wrong bits were')} found by what ${mended.flips.length === 1 ? 'it' : 'they'} did to the rows, and set right.`,
    );
  if (proven) return { packed: deflate(mended.data) };
  const rendered = render(header, model, mended, job.deadline);
  const { pixels, lost, off, rows, trusted, wrong } = rendered;
  const isInvented = rows - lost - off < rows * leastTrusted && wrong > off * mostWrong;
  // Of an interlaced picture the coarse passes tell enough.
  const isBaseless = !header.interlaced && hasNoBase(rendered);
  if (lost >= rows * 0.98 || trusted < rows * leastTrusted || isInvented || isBaseless) return 'hopeless';
  if (mended.gaps.length > 0)
    draft.step(
      'Find rows behind the damage',
      `Reading went on behind ${counted(mended.gaps.length, 'damaged place')}, and the rows there were put where they belong.`,
    );
  if (lost > 0) {
    draft.lost.push({ unit: 'rows', count: lost, detail: `of ${rows}, filled in from those beside them` });
    draft.step('Fill in', `${counted(lost, 'lost row was', 'lost rows were')} filled in from those beside them.`);
  }
  if (off > 0) draft.lost.push({ unit: 'rows', count: off, detail: 'whose colours may be off' });
  // Without its last four bytes the data cannot be proven, but nothing of the picture is missing.
  const cut = exact && mended.flips.length === 0 && mended.bit + 32 > data.bytes.length * 8;
  if (lost === 0 && off === 0 && !cut)
    draft.lost.push({
      unit: 'pixels',
      count: 1,
      detail: 'or more may have a wrong colour: the check sum does not fit',
    });
  return { pixels };
}

/** Whether all builds on a beginning that is plainly wrong. */
function hasNoBase({ certain, sure, rows, misread, wrong, off }: Rendered): boolean {
  if (certain > 0 || sure >= Math.max(leastSure, rows * leastShareSure)) return false;
  return misread || wrong > off * mostWrongAlone;
}

/** Reads the rows; a second time without looking for bits where the one that was found cannot be all that is wrong. */
function mendBits(
  job: EngineJob,
  { header, behind }: FoundHeader,
  data: PictureData,
): { model: PngRows; mended: Mended } {
  const read = (except: readonly Span[]) => {
    const model = new PngRows(header, job.deadline.effort);
    const options = {
      deadline: job.deadline,
      patience: inflatedSize(header) > largePicture ? shortPatience : patience,
      suspect: suspects(data, except),
      corrected: correctBySum(data),
      pairs: pairsBySum(data),
      behind,
    };
    return { model, mended: mend(data.bytes, 16, model, options) };
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

/** Rows with the filter Up, which packs filled-in rows well; the first row has none above it. Packed samples are left as they are. */
function withUpFilter(pixels: Buffer, row: number, header: PngHeader): Buffer {
  const filter = header.colour === 3 || header.depth < 8 ? 0 : 2;
  const data = Buffer.alloc((row + 1) * header.height);
  for (let line = 0; line < header.height; line++) {
    const [from, to] = [line * row, line * (row + 1)];
    data[to] = filter;
    if (filter === 0 || line === 0) pixels.copy(data, to + 1, from, from + row);
    else
      for (let at = 0; at < row; at++)
        data[to + 1 + at] = ((pixels[from + at] ?? 0) - (pixels[from + at - row] ?? 0)) & 255;
  }
  return data;
}
