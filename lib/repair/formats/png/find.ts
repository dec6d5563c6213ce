import { nextHeader } from '../../core/deflate/blocks';
import { lengthToEnd } from '../../core/deflate/resume';
import { RowReader } from '../../core/deflate/rowreader';
import { padded } from '../../core/deflate/symbols';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import type { Chunk } from './chunks';
import { guessHeader, hasSum, headerBySum, type Sample } from './guess';
import { guessInterlaced, interlacedByEnd } from './guessinterlaced';
import { inflatedSize, type PngHeader, readHeader, rowSizes } from './header';
import { mostPalette } from './palette';

/** Bytes of picture data behind a lost beginning that tell what its rows are like. */
const leastTelling = 4000;

const sampleBytes = 8 << 20;
/** Bytes read behind a lost beginning at most, those a block there must give, and block headers tried. */
const mostRead = 32 << 20;
const leastRead = 20_000;
const mostHeaders = 200;
/** Bytes that a copy can reach back (RFC 1951, 2), and those that rows are told by at least. */
const history = 32_768;
const leastSample = 600;
/** Where a table of colours begins that follows the header at once, and the least size of one that is taken for such, in bytes. */
const firstTable = 41;
const leastTable = 96;

/** A header, and how far it can be trusted: `told` by the file and whole, `found` where the file's own was lost or wrong. */
export type FoundHeader = {
  header: PngHeader;
  found: boolean;
  /** Whether no check sum proves the one that was found: another size or kind of pixel may fit the same rows. */
  isGuess?: boolean;
  /** Where the beginning of the data is lost: the block that can be read, in bits, and the bytes lost before it. */
  behind?: { bit: number; length: number } | undefined;
};

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
  if (told && sum !== null && hasSum(told, sum))
    return otherShape(job, zlib, strict, told, countColours(chunks)) ?? { header: told, found: false };
  const corrected = sum === null ? null : headerBySum(data, sum);
  if (corrected) return { header: corrected, found: true };
  const sample = strict ? { data: strict, known: null, complete: true } : sampleFrom(job, zlib, 16);
  if (told && sample && tells(told, sample)) return { header: told, found: false };
  const hints = { colours: countColours(chunks), sum };
  const header = sample && byRows(job, zlib, strict, sample, told, hints);
  if (header) return { header, found: true, isGuess: sum === null || !hasSum(header, sum) };
  return behindDamage(job, zlib, hints) ?? (told && !sample ? { header: told, found: false } : null);
}

/**
 * The header of whole rows that are another shape than a header tells whose sum fits, changed with its sum: more rows of the same size, or others where
 * hardly one of those told begins with a filter. Null where the data is not whole, or may be what the header says.
 */
function otherShape(
  job: EngineJob,
  zlib: Buffer,
  strict: Buffer | null,
  told: PngHeader,
  colours: number,
): FoundHeader | null {
  if (!strict || strict.length === inflatedSize(told)) return null;
  const height = tallerHeight(told, strict);
  if (height !== null) return { header: { ...told, height }, found: true };
  const rows = { data: strict, known: null, complete: true };
  if (tells(told, { ...rows, complete: false, data: strict.subarray(0, inflatedSize(told)) })) return null;
  const header = byRows(job, zlib, strict, rows, null, { colours, sum: null });
  return header && inflatedSize(header) === strict.length ? { header, found: true, isGuess: true } : null;
}

/**
 * How many rows whole data holds that has more of them than its header tells (a decoder reads no further, and complains of the rest): of the same size,
 * each with a filter. Null where that is not so, as where a writer filled up with zeroes, and in passes.
 */
export function tallerHeight(told: PngHeader, data: Buffer): number | null {
  const row = rowSizes(told).row + 1;
  const rows = data.length / row;
  if (told.interlaced || !Number.isInteger(rows) || rows <= told.height) return null;
  for (let line = told.height; line < rows; line++) if ((data[line * row] ?? 9) > mostFilter) return null;
  return data.subarray(told.height * row).some((byte) => byte !== 0) ? rows : null;
}

/** What is known beside the rows: how many colours the table of them has, 0 without one, and the check sum of the lost header. */
type Hints = { colours: number; sum: number | null };

/** The header that fits the rows from the beginning of the data on. */
function byRows(
  job: EngineJob,
  zlib: Buffer,
  strict: Buffer | null,
  sample: Sample,
  told: PngHeader | null,
  { colours, sum }: Hints,
): PngHeader | null {
  const guess = guessHeader(sample, colours, sum, job.deadline);
  if (guess?.proven) return guess.header;
  // Data that is whole has a filter in each row.
  if (guess && (!strict || tells(guess.header, sample, 1))) return tall(guess.header, told, strict, zlib);
  const interlaced = strict ? guessInterlaced(strict, colours, sum) : null;
  if (interlaced) return interlaced;
  return guess && tall(guess.header, told, strict, zlib);
}

/** The header that fits the rows behind a lost beginning. */
function behindDamage(job: EngineJob, zlib: Buffer, hints: Hints): FoundHeader | null {
  const source = padded(zlib);
  const block = laterBlock(job, source, zlib.length * 8);
  const header = block && fromMiddle(job, zlib, source, block, hints);
  if (!header) return null;
  const length = inflatedSize(header) - (block.rest ?? 0);
  const behind = block.rest !== null && length > 0 ? { bit: block.bit, length } : undefined;
  return { header, found: true, isGuess: hints.sum === null || !hasSum(header, hints.sum), behind };
}

/** The number of colours in the picture's table: by its chunk, or where the head is lost by the room that one had; 0 when there is none. */
function countColours(chunks: readonly Chunk[]): number {
  const table = chunks.find((candidate) => candidate.type === 'PLTE');
  if (table) return Math.floor((table.end - table.start) / 3);
  const first = chunks[0];
  if (!first || first.type === 'IHDR') return 0;
  const room = first.start - 12 - firstTable;
  return room % 3 === 0 && room >= leastTable && room <= mostPalette ? room / 3 : 0;
}

/** The height of a picture whose data is not whole: the told one if the data may lead to it, otherwise what the share of data read so far makes likely. */
function tall(guess: PngHeader, told: PngHeader | null, strict: Buffer | null, zlib: Buffer): PngHeader {
  if (strict) return guess;
  if (told && told.width === guess.width && told.height >= guess.height) return { ...guess, height: told.height };
  return { ...guess, height: Math.max(1, Math.min(guess.height, zlib.length << 3)) };
}

/** Inflated data from a bit on as far as it can be read; null when that is next to nothing. */
function sampleFrom(job: EngineJob, zlib: Buffer, bit: number): Sample | null {
  const reader = new RowReader(padded(zlib), Math.min(sampleBytes, job.limits.inflatedBytes), bit, job.deadline.effort);
  const stop = reader.advance(reader.output.length);
  const { length } = reader.place;
  return length < leastSample
    ? null
    : { data: reader.output.subarray(0, length), known: null, complete: stop === 'final' };
}

/** The highest number of a filter (ISO/IEC 15948, 9.2). */
const mostFilter = 4;
/** Share of rows that must begin with a filter byte, and rows that are looked at. */
const mostFilters = 0.9;
const rowsLooked = 64;

/** Whether inflated data may be rows of the picture a header tells. */
function tells(header: PngHeader, { data, complete }: Sample, share = mostFilters): boolean {
  const size = inflatedSize(header);
  if (complete ? data.length !== size : data.length > size) return false;
  if (header.interlaced) return true;
  const { row } = rowSizes(header);
  const rows = Math.min(header.height, Math.floor(data.length / (row + 1)), share < 1 ? rowsLooked : header.height);
  let good = 0;
  for (let line = 0; line < rows; line++) if ((data[line * (row + 1)] ?? 9) <= mostFilter) good++;
  return good >= rows * share;
}

type LaterBlock = { bit: number; rest: number | null };

/** The header when the beginning of the data is lost too: from the rows that later blocks give, and the share of the data they take. */
function fromMiddle(
  job: EngineJob,
  zlib: Buffer,
  source: Uint8Array,
  { bit, rest }: LaterBlock,
  { colours, sum }: { colours: number; sum: number | null },
): PngHeader | null {
  const end = zlib.length * 8;
  const size = Math.min(rest ?? mostRead, mostRead);
  const reader = new RowReader(source, history + size, bit, job.deadline.effort);
  reader.strict = false;
  reader.place = { bit, length: history, tables: null, stored: 0, final: false };
  reader.advance(reader.output.length);
  const { length } = reader.place;
  const from = Math.max(history, length - sampleBytes / 4);
  const sample = {
    data: reader.output.subarray(from, length),
    known: reader.known.subarray(from, length),
    complete: false,
    ended: rest !== null && length - history === rest,
  };
  if (length - history < leastTelling) return null;
  const guess = guessHeader(sample, colours, sum, job.deadline);
  if (!guess || guess.proven) return guess?.header ?? null;
  if (sample.ended) {
    const progressive = interlacedByEnd(guess.header, sample.data, sample.known);
    if (progressive) return progressive;
  }
  const { row } = rowSizes(guess.header);
  const read = rest ?? ((length - history) * (end - bit)) / Math.max(1, reader.place.bit - bit);
  const rows = Math.floor(read / (row + 1));
  // The lost part gave about as many bytes for each bit as the rest.
  const before = ((bit / Math.max(1, end - bit)) * read) / (row + 1);
  const height = likelyHeight(guess.header.width, rows + before, Math.max(1, before * 0.25 + 1), rows);
  return { ...guess.header, height };
}

/** The first block behind a lost beginning from which all can be read to the end, and how many bytes that gives (null when none can, but a good part). */
function laterBlock(job: EngineJob, source: Uint8Array, end: number): LaterBlock | null {
  const reader = new RowReader(source, leastRead, 0, job.deadline.effort);
  let good: { bit: number; rest: null } | null = null;
  let bit = 0;
  for (let tries = 0; tries < mostHeaders; tries++) {
    bit = nextHeader(source, bit + 1, end, end, job.deadline);
    if (bit < 0) break;
    const rest = lengthToEnd(reader, { bit, length: 0, tables: null, stored: 0, final: false });
    if (rest !== null && rest > leastTelling) return { bit, rest };
    if (good) continue;
    reader.strict = false;
    reader.place = { bit, length: 0, tables: null, stored: 0, final: false };
    if (reader.advance(leastRead) === 'full') good = { bit, rest: null };
  }
  return good;
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
