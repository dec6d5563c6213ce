import { deflateSync } from 'node:zlib';
import { crc32, inflateZlib, type Salvage } from '../../bytes';
import { counted, Draft, type EngineJob, type Outcome } from '../../report';
import { repairedPicture } from '../picture';
import { openPicture } from '../reader';
import { withoutAddedReturns } from '../textmode';
import { type Chunk, pngSignature, readChunks, writeChunk } from './chunks';
import {
  deinterlace,
  guessHeader,
  guessInterlaced,
  interlacedSize,
  type PngHeader,
  readHeader,
  rowSizes,
  unfilterRows,
  writeHeader,
} from './header';
import { withFlippedBit, withLostReturns } from './textmode';

/** Repairs PNG (ISO/IEC 15948): chunks by their types, a lost header from the rows themselves, pixels up to and behind damage. */
export async function repairPng(job: EngineJob): Promise<Outcome> {
  const draft = new Draft('png');
  const before = await openPicture(job.bytes, job.limits, true);
  const chunks = readChunks(job.bytes);
  const intact =
    job.bytes.subarray(0, 8).equals(pngSignature) &&
    chunks.at(-1)?.type === 'IEND' &&
    chunks.every((chunk) => chunk.sound);
  if (before && !before.warning && intact && isComplete(job, chunks)) {
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
  return repairedPicture(job, draft, output, before);
}

function isComplete(job: EngineJob, chunks: readonly Chunk[]): boolean {
  const data = joined(job.bytes, chunks);
  return inflateZlib(data, { maxOutput: job.limits.inflatedBytes * 2, deadline: job.deadline }).complete;
}

function joined(bytes: Buffer, chunks: readonly Chunk[]): Buffer {
  return Buffer.concat(
    chunks.filter((chunk) => chunk.type === 'IDAT').map((chunk) => bytes.subarray(chunk.start, chunk.end)),
  );
}

function rebuild(job: EngineJob, draft: Draft): Buffer | null {
  let { bytes } = job;
  const stripped = withoutAddedReturns(bytes);
  if (
    stripped &&
    readChunks(stripped).filter((chunk) => chunk.sound).length > readChunks(bytes).filter((chunk) => chunk.sound).length
  ) {
    draft.find('textmode', 'Every line end was changed, as happens when a file is sent in text mode.', null);
    draft.step(
      'Restore line ends',
      `${counted(bytes.length - stripped.length, 'byte')} that the transfer had added were taken out.`,
    );
    bytes = stripped;
  }
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
  for (const chunk of chunks.filter((candidate) => !candidate.sound).slice(0, 6)) {
    draft.find('chunk', `The ${chunk.type} part is damaged, or its length or check sum is wrong.`, chunk.start - 8);
  }
  if (chunks.at(-1)?.type !== 'IEND') draft.find('end', 'The end of the picture was missing.', bytes.length);
  const data = pictureData(bytes, chunks, draft);
  if (data.length < 8) return null;
  const salvage = inflateZlib(data, {
    maxOutput: Math.min(job.limits.pixels * 8, job.limits.inflatedBytes * 2),
    deadline: job.deadline,
    filler: 0,
  });
  if (!salvage.complete)
    draft.find(
      'data',
      'The compressed picture data is damaged or cut short.',
      chunks.find((chunk) => chunk.type === 'IDAT')?.start ?? null,
    );
  return assemble(job, bytes, chunks, salvage, draft);
}

/** The compressed data of all parts; bytes that a transfer in text mode took are put back where the check sum shows their place. */
function pictureData(bytes: Buffer, chunks: readonly Chunk[], draft: Draft): Buffer {
  let restored = 0;
  let corrected = 0;
  const pieces = chunks
    .filter((chunk) => chunk.type === 'IDAT')
    .map((chunk) => {
      const data = bytes.subarray(chunk.start, chunk.end);
      if (chunk.sound || chunk.start < 8 || chunk.end + 4 > bytes.length) return data;
      const missing = bytes.readUInt32BE(chunk.start - 8) - data.length;
      const better = withLostReturns('IDAT', data, bytes.readUInt32BE(chunk.end), missing);
      if (better) restored++;
      const flipped = better ? null : withFlippedBit('IDAT', data, bytes.readUInt32BE(chunk.end));
      if (flipped) corrected++;
      return better ?? flipped ?? data;
    });
  if (restored > 0)
    draft.step(
      'Restore line ends',
      `Bytes that a transfer in text mode had taken out were put back in ${counted(restored, 'part')}.`,
    );
  if (corrected > 0)
    draft.step(
      'Correct bits',
      `One wrong bit was found and set right in ${counted(corrected, 'part')}, where the check sum shows its place.`,
    );
  return Buffer.concat(pieces);
}

function findHeader(bytes: Buffer, chunks: readonly Chunk[], salvage: Salvage, draft: Draft): PngHeader | null {
  // Without its name the header still stands at the beginning, behind signature, length and name.
  const chunk = chunks.find((candidate) => candidate.type === 'IHDR') ?? unnamedHeader(bytes);
  const data = chunk ? bytes.subarray(chunk.start, chunk.start + 13) : Buffer.alloc(0);
  const told = readHeader(data);
  if (told && (chunk?.sound || fitsData(told, salvage))) return told;
  const sum = chunk && chunk.start + 17 <= bytes.length ? bytes.readUInt32BE(chunk.start + 13) : null;
  const palette = chunks.some((candidate) => candidate.type === 'PLTE');
  const progressive = sum !== null && salvage.complete ? guessInterlaced(salvage.data.length, sum) : null;
  const guess = progressive ?? guessHeader(salvage.data, palette, sum, salvage.complete);
  if (!guess) return told;
  draft.find('header', 'The header with the size and kind of the picture was missing or wrong.', chunk?.start ?? null);
  draft.step('Find size', `By its rows the picture is ${guess.width} × ${guess.height} pixels.`);
  return guess;
}

function unnamedHeader(bytes: Buffer): Chunk | undefined {
  if (bytes.length < 33 || !readHeader(bytes.subarray(16, 29))) return undefined;
  return {
    type: 'IHDR',
    start: 16,
    end: 29,
    sound: bytes.readUInt32BE(29) === crc32(bytes.subarray(16, 29), crc32(Buffer.from('IHDR'))),
  };
}

function fitsData(header: PngHeader, salvage: Salvage): boolean {
  if (header.interlaced) return true;
  const { row } = rowSizes(header);
  const size = (row + 1) * header.height;
  if (salvage.complete ? salvage.data.length !== size : salvage.data.length > size * 1.05) return false;
  let good = 0;
  const rows = Math.min(header.height, Math.floor(salvage.data.length / (row + 1)), 64);
  for (let line = 0; line < rows; line++) if ((salvage.data[line * (row + 1)] ?? 9) <= 4) good++;
  return good >= rows * 0.9;
}

function assemble(
  job: EngineJob,
  bytes: Buffer,
  chunks: readonly Chunk[],
  salvage: Salvage,
  draft: Draft,
): Buffer | null {
  const header = findHeader(bytes, chunks, salvage, draft);
  if (!header || header.width * header.height > job.limits.pixels) return null;
  const others = chunks.filter(
    (chunk) =>
      !['IHDR', 'IDAT', 'IEND', 'acTL', 'fcTL', 'fdAT'].includes(chunk.type) &&
      (chunk.sound || chunk.type === 'PLTE' || chunk.type === 'tRNS'),
  );
  if (header.colour === 3 && !others.some((chunk) => chunk.type === 'PLTE')) {
    draft.note('The table of colours of the picture was lost; without it the pixels are numbers that mean nothing.');
    return null;
  }
  const data = mendedRows(header, salvage, draft);
  if (!data) return null;
  draft.step('Rewrite picture', 'The parts of the picture were written anew with right lengths and check sums.');
  return Buffer.concat([
    pngSignature,
    writeChunk('IHDR', writeHeader(header)),
    ...others.map((chunk) =>
      writeChunk(
        chunk.type,
        chunk.type === 'PLTE' ? threes(bytes.subarray(chunk.start, chunk.end)) : bytes.subarray(chunk.start, chunk.end),
      ),
    ),
    writeChunk('IDAT', data),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function threes(palette: Buffer): Buffer {
  return palette.subarray(0, Math.min(768, palette.length - (palette.length % 3)));
}

/** Rows that are whole stay as they were filtered; rows behind damage are put back in step by their filter bytes, lost ones repeat the last good row. */
function mendedRows(header: PngHeader, salvage: Salvage, draft: Draft): Buffer | null {
  const { row, pixel } = rowSizes(header);
  const size = (row + 1) * header.height;
  if (header.interlaced) {
    if (salvage.complete) return deflateSync(salvage.data);
    draft.lost.push({ unit: 'rows', count: 1, detail: 'fine detail of an interlaced picture' });
    const coarse = deinterlace(salvage.data.subarray(0, salvage.firstError ?? salvage.data.length), header);
    if (!coarse)
      return deflateSync(Buffer.concat([salvage.data], Math.max(salvage.data.length, interlacedSize(header))));
    draft.step(
      'Fill in',
      'Where fine pixels of the interlaced picture are lost, the coarse ones around them stand in.',
    );
    header.interlaced = false;
    return deflateSync(filterNone(coarse, row, header.height));
  }
  if (salvage.data.length === size && (salvage.complete || salvage.firstError === null)) {
    if (!salvage.complete) draft.lost.push({ unit: 'rows', count: 1, detail: 'the colours of some pixels are off' });
    return deflateSync(salvage.data);
  }
  const goodRows = Math.min(header.height, Math.floor((salvage.firstError ?? salvage.data.length) / (row + 1)));
  const pixels = Buffer.alloc(row * header.height);
  unfilterRows(salvage.data, row, pixel, goodRows).pixels.copy(pixels);
  let lost = header.height - goodRows;
  const tail = tailRows(salvage, row, header.height, goodRows);
  if (tail) {
    const joinedRows = Buffer.concat([filterNone(pixels, row, tail.first), salvage.data.subarray(tail.offset)]);
    const after = unfilterRows(joinedRows, row, pixel, header.height);
    after.pixels.copy(pixels, tail.first * row, tail.first * row);
    lost = tail.first - goodRows;
    draft.step(
      'Find rows behind the damage',
      `${counted(header.height - tail.first, 'row')} behind the damage were put back in place; their colours may be off.`,
    );
  }
  if (goodRows === 0 && !tail) return null;
  if (lost > 0 || tail) draft.lost.push({ unit: 'rows', count: Math.max(1, lost), detail: `of ${header.height}` });
  return deflateSync(filterNone(pixels, row, header.height));
}

function filterNone(pixels: Buffer, row: number, rows: number): Buffer {
  const data = Buffer.alloc((row + 1) * rows);
  for (let line = 0; line < rows; line++) pixels.copy(data, line * (row + 1) + 1, line * row, line * row + row);
  return data;
}

/** The rows that end the data: counted from its end when it reached it, if their filter bytes are where they should be. */
function tailRows(
  salvage: Salvage,
  row: number,
  height: number,
  goodRows: number,
): { first: number; offset: number } | null {
  const { data } = salvage;
  const step = row + 1;
  if (data.length < step * 4) return null;
  let best: { first: number; offset: number } | null = null;
  for (const excess of [data.length - height * step, 0]) {
    let first = height;
    while (first > goodRows) {
      const at = (first - 1) * step + excess;
      if (at < 0 || at + step > data.length || (data[at] ?? 9) > 4) break;
      first--;
    }
    if (height - first >= 3 && (!best || first < best.first)) best = { first, offset: first * step + excess };
  }
  return best;
}
