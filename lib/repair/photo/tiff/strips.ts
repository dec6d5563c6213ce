import { inflateZlib, zlibHeaderLength } from '../../bytes';
import type { EngineJob } from '../../report';
import { type Directory, type TiffBytes, tag } from './directory';
import { decodeLzw, decodePackBits } from './lzw';
import { guessShape, type Raster, undoPredictor } from './raster';

/** A raster put together from strips, and how many of its strips were damaged or lost. */
export type Assembled = { raster: Raster; strips: number; damaged: number };

const supported = new Set([1, 5, 8, 32946, 32773]);

/** Decodes the strips a directory names into a raster; strips that moved by `shift` bytes are tried at both places; null for kinds this does not decode (tiles, JPEG, fax, separate planes). */
export function rasterFromDirectory(
  job: EngineJob,
  tiff: TiffBytes,
  directory: Directory,
  shift = 0,
): Assembled | null {
  const get = (number: number, fallback: number) => tiff.value(directory, number, fallback);
  const [width, height, samples, compression] = [
    get(tag.width, 0),
    get(tag.height, 0),
    get(tag.samples, 1),
    get(tag.compression, 1),
  ];
  const depth = get(tag.depth, 1);
  if (
    !supported.has(compression) ||
    get(tag.planar, 1) !== 1 ||
    (depth !== 8 && depth !== 16) ||
    samples < 1 ||
    samples > 8
  )
    return null;
  if (width < 1 || height < 1 || width * height > job.limits.pixels || !directory.fields.has(tag.stripOffsets))
    return null;
  const row = (width * samples * depth) / 8;
  const rowsPerStrip = Math.min(height, get(tag.rowsPerStrip, height) || height);
  const offsets = tiff.values(directory.fields.get(tag.stripOffsets));
  const counts = tiff.values(directory.fields.get(tag.stripCounts));
  const data = Buffer.alloc(row * height);
  let damaged = 0;
  const strips = Math.ceil(height / rowsPerStrip);
  for (let index = 0; index < strips; index++) {
    job.deadline.check();
    const offset = offsets[index];
    const wanted = Math.min(rowsPerStrip, height - index * rowsPerStrip) * row;
    const count = counts[index] || tiff.bytes.length;
    const tries = offset === undefined ? [] : shift === 0 ? [offset] : [offset, offset + shift];
    const options = tries
      .filter((at) => at >= 0 && at < tiff.bytes.length)
      .map((at) =>
        decodeStrip(job, tiff.bytes.subarray(at, Math.min(tiff.bytes.length, at + count)), compression, wanted),
      );
    const strip = better(
      options,
      data.subarray(Math.max(0, index * rowsPerStrip - 1) * row, index * rowsPerStrip * row),
    );
    if (!strip || strip.data.length < wanted || !strip.sound) damaged++;
    if (!strip) continue;
    const copy = Buffer.from(strip.data);
    if (get(tag.predictor, 1) === 2) undoPredictor(copy, row, samples, depth, tiff.little);
    copy.copy(data, index * rowsPerStrip * row);
  }
  if (depth === 16 && !tiff.little) data.swap16();
  const photometric = get(tag.photometric, samples >= 3 ? 2 : 1);
  return {
    raster: { width, height, samples, depth, photometric: photometric === 3 ? 1 : photometric, data },
    strips,
    damaged,
  };
}

/** Of two readings of a strip the sound and longer one; of equals the one whose first row continues the row above. */
function better(
  options: readonly { data: Buffer; sound: boolean }[],
  above: Buffer,
): { data: Buffer; sound: boolean } | null {
  const [first, second] = options;
  if (!first || !second) return first ?? null;
  if (first.sound !== second.sound) return first.sound ? first : second;
  if (first.data.length !== second.data.length) return first.data.length > second.data.length ? first : second;
  const gap = (data: Buffer) => above.reduce((sum, byte, at) => sum + Math.abs(byte - (data[at] ?? 0)), 0);
  return gap(second.data) < gap(first.data) ? second : first;
}

function decodeStrip(
  job: EngineJob,
  source: Buffer,
  compression: number,
  wanted: number,
): { data: Buffer; sound: boolean } {
  if (compression === 1) return { data: source.subarray(0, wanted), sound: source.length >= wanted };
  if (compression === 5) {
    const { data, complete } = decodeLzw(source, 0, wanted);
    return { data, sound: complete };
  }
  if (compression === 32773) return { data: decodePackBits(source, wanted), sound: true };
  const salvage = inflateZlib(source, { maxOutput: wanted + 1, deadline: job.deadline, filler: 0, clip: true });
  return { data: salvage.data.subarray(0, wanted), sound: salvage.complete };
}

/** Puts a picture together whose directory is gone: strips one after another from the head on, their shape from how rows fit. */
export function rasterFromData(job: EngineJob, bytes: Buffer): Assembled | null {
  for (const start of [8, 16, 0]) {
    const packed = packedStrips(job, bytes, start);
    if (packed)
      return shaped(
        job,
        Buffer.concat(packed.strips),
        packed.strips.length > 1 ? (packed.strips[0]?.length ?? 0) : 0,
        true,
        packed.strips.length,
        packed.damaged,
      );
  }
  return shaped(job, bytes.subarray(8), 0, false, 1, 0);
}

function packedStrips(job: EngineJob, bytes: Buffer, start: number): { strips: Buffer[]; damaged: number } | null {
  const strips: Buffer[] = [];
  let damaged = 0;
  let at = start;
  let budget = job.limits.pixels * 4;
  const room = () => Math.min(budget, strips[0]?.length ?? 1 << 26);
  while (at + 8 < bytes.length && budget > 0) {
    job.deadline.check();
    if (zlibHeaderLength(bytes, at) > 0) {
      const salvage = inflateZlib(bytes.subarray(at), {
        clip: true,
        maxOutput: room() + 1,
        deadline: job.deadline,
        readOn: false,
      });
      if (salvage.data.length < 64) break;
      if (!salvage.complete) damaged++;
      strips.push(salvage.data);
      at += salvage.consumed + 4;
    } else if (bytes[at] === 0x80 && (bytes[at + 1] ?? 255) < 0x80) {
      const result = decodeLzw(bytes, at, room());
      if (result.data.length < 64) break;
      if (!result.complete) damaged++;
      strips.push(result.data);
      at = result.end;
      // With the output full before its end code, the code itself still follows.
      if (bytes[at] !== 0x80) at = nextLzw(bytes, at);
    } else break;
    budget -= strips.at(-1)?.length ?? 0;
    if (strips.length > 1 && (strips.at(-1)?.length ?? 0) < (strips[0]?.length ?? 0)) break;
  }
  return strips.length > 0 ? { strips, damaged } : null;
}

function nextLzw(bytes: Buffer, at: number): number {
  for (let step = 0; step < 4; step++)
    if (bytes[at + step] === 0x80 && (bytes[at + step + 1] ?? 255) < 0x80) return at + step;
  return bytes.length;
}

function shaped(
  job: EngineJob,
  data: Buffer,
  strip: number,
  predicted: boolean,
  strips: number,
  damaged: number,
): Assembled | null {
  const shape = guessShape(data, strip, predicted, job.deadline);
  if (!shape) return null;
  const { width, samples, predictor } = shape;
  const row = width * samples;
  const height = Math.floor(data.length / row);
  if (width > 40 * height || height > 60 * width) return null;
  if (height < 2) return null;
  const rows = Buffer.from(data.subarray(0, row * height));
  if (predictor) undoPredictor(rows, row, samples, 8, true);
  return {
    raster: { width, height, samples, depth: 8, photometric: samples >= 3 ? 2 : 1, data: rows },
    strips,
    damaged,
  };
}
