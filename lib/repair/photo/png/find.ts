import type { EngineJob } from '../../report';
import { FlateReader, nextHeader, type Place, padded } from '../flate/reader';
import { lengthToEnd } from '../flate/resume';
import type { Chunk } from './chunks';
import { guessHeader, guessInterlaced, hasSum, headerBySum, type Sample } from './guess';
import { inflatedSize, type PngHeader, readHeader, rowSizes } from './header';

const sampleBytes = 8 << 20;
const history = 32_768;

/** A header, and how far it can be trusted: `told` by the file and whole, `found` where the file's own was lost or wrong. */
export type FoundHeader = { header: PngHeader; found: boolean };

/**
 * The header of a picture: as told when its check sum fits, corrected by that sum when a field is wrong, otherwise found from the rows.
 * `zlib` is the compressed data from its two-byte header on, `strict` what it inflates to if it is whole.
 */
export function findHeader(
  job: EngineJob,
  bytes: Buffer,
  chunks: readonly Chunk[],
  zlib: Buffer,
  strict: Buffer | null,
): FoundHeader | null {
  // Without its name the header still stands at the beginning, behind signature, length and name.
  const chunk = chunks.find((candidate) => candidate.type === 'IHDR');
  const at = chunk?.start ?? 16;
  const data = bytes.subarray(at, at + 13);
  const told = readHeader(data);
  const sum = at + 17 <= bytes.length ? bytes.readUInt32BE(at + 13) : null;
  if (told && sum !== null && hasSum(told, sum)) return { header: told, found: false };
  const corrected = sum === null ? null : headerBySum(data, sum);
  if (corrected) return { header: corrected, found: true };
  const sample = strict ? { data: strict, known: null, complete: true } : sampleFrom(job, zlib, 16);
  if (told && sample && tells(told, sample)) return { header: told, found: false };
  const palette = chunks.some((candidate) => candidate.type === 'PLTE');
  if (sample) {
    const progressive = sum !== null && strict ? guessInterlaced(strict.length, sum) : null;
    if (progressive) return { header: progressive, found: true };
    const guess = guessHeader(sample, palette, sum, job.deadline);
    if (guess) return { header: guess.proven ? guess.header : tall(guess.header, told, strict, zlib), found: true };
  }
  const behind = fromMiddle(job, zlib, palette, sum);
  if (behind) return { header: behind, found: true };
  return told && !sample ? { header: told, found: false } : null;
}

/** The height of a picture whose data is not whole: the told one if the data may lead to it, otherwise what the share of data read so far makes likely. */
function tall(guess: PngHeader, told: PngHeader | null, strict: Buffer | null, zlib: Buffer): PngHeader {
  if (strict) return guess;
  if (told && told.width === guess.width && told.height >= guess.height) return { ...guess, height: told.height };
  return { ...guess, height: Math.max(1, Math.min(guess.height, zlib.length << 3)) };
}

/** Inflated data from a bit on as far as it can be read; null when that is next to nothing. */
function sampleFrom(job: EngineJob, zlib: Buffer, bit: number): Sample | null {
  const reader = new FlateReader(padded(zlib), Math.min(sampleBytes, job.limits.inflatedBytes), bit);
  const stop = reader.advance(reader.output.length);
  const { length } = reader.place;
  return length < 600 ? null : { data: reader.output.subarray(0, length), known: null, complete: stop === 'final' };
}

/** Whether inflated data may be rows of the picture a header tells. */
function tells(header: PngHeader, { data, complete }: Sample): boolean {
  const size = inflatedSize(header);
  if (complete ? data.length !== size : data.length > size) return false;
  if (header.interlaced) return true;
  const { row } = rowSizes(header);
  const rows = Math.min(header.height, Math.floor(data.length / (row + 1)), 64);
  let good = 0;
  for (let line = 0; line < rows; line++) if ((data[line * (row + 1)] ?? 9) <= 4) good++;
  return good >= rows * 0.9;
}

/** The header when the beginning of the data is lost too: from the rows that a later block gives, and the share of the data they take. */
function fromMiddle(job: EngineJob, zlib: Buffer, palette: boolean, sum: number | null): PngHeader | null {
  const source = padded(zlib);
  const view = new DataView(source.buffer, source.byteOffset, source.length);
  const end = zlib.length * 8;
  let bit = 0;
  for (let tries = 0; tries < 3; tries++) {
    bit = nextHeader(view, bit + 1, end, end, () => job.deadline.check());
    if (bit < 0) return null;
    const start: Place = { bit, length: history, tables: null, stored: 0, final: false };
    const reader = new FlateReader(source, history + (2 << 20), bit);
    reader.strict = false;
    reader.place = start;
    const stop = reader.advance(reader.output.length);
    const length = reader.place.length;
    if (length - history < 4000 || (stop === 'bad' && tries < 2)) continue;
    const sample = {
      data: reader.output.subarray(history, length),
      known: reader.known.subarray(history, length),
      complete: false,
    };
    const guess = guessHeader(sample, palette, sum, job.deadline);
    if (!guess) continue;
    if (guess.proven) return guess.header;
    const { row } = rowSizes(guess.header);
    const rest = lengthToEnd(reader, { ...start, length: 0 });
    const read = rest ?? ((length - history) * (end - bit)) / Math.max(1, reader.place.bit - bit);
    const perBit = read / Math.max(1, end - bit);
    const rows = Math.floor((read - guess.phase) / (row + 1)) + (rest === null ? 0 : 0);
    const before = (bit * perBit + guess.phase) / (row + 1);
    const height = likelyHeight(guess.header.width, rows + before, Math.max(1, before * 0.2 + 1), rows);
    return { ...guess.header, height };
  }
  return null;
}

const shapes = [4 / 3, 3 / 2, 16 / 9, 16 / 10, 1, 5 / 4, 2, 21 / 9];

/** Of the heights near `guess` the one pictures are most likely to have: usual shapes first, then round numbers; at least `least` rows. */
function likelyHeight(width: number, guess: number, reach: number, least: number): number {
  let best = { height: Math.max(least, Math.round(guess)), score: 0 };
  for (let height = Math.max(least, Math.ceil(guess - reach)); height <= guess + reach; height++) {
    const usual = shapes.some((shape) => Math.round(width / shape) === height || Math.round(width * shape) === height);
    const round = [100, 50, 20, 10, 8, 4, 2].findIndex((step) => height % step === 0);
    const score = (usual ? 6 : 0) + (round < 0 ? 0 : 7 - round) - (Math.abs(height - guess) / reach) * 3;
    if (score > best.score) best = { height, score };
  }
  return best.height;
}
