import type { Hole } from '../../core/deflate/rowreader';
import { adler32, crc32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import { withFlippedBit } from './bysum';
import type { Chunk } from './chunks';
import { flippedPairs, mostBytesByRows } from './pairs';

/**
 * The compressed picture data of all IDAT chunks, and the span of each chunk in it with the check sum that stood behind it, and whether it is as
 * long as was noted; what was written over in it, in bits.
 */
export type PictureData = { bytes: Buffer; spans: Span[]; holes?: readonly Hole[] };
export type Span = { start: number; end: number; sum: number | null; sound: boolean; isNoted: boolean };

const typeSum = crc32(Buffer.from('IDAT', 'latin1'));
const spanSum = (bytes: Uint8Array, span: Span) => crc32(bytes.subarray(span.start, span.end), typeSum);

/** Joins the chunks. */
export function pictureData(bytes: Buffer, chunks: readonly Chunk[]): PictureData {
  let at = 0;
  const spans: Span[] = [];
  const holes: Hole[] = [];
  const pieces = chunks
    .filter((chunk) => chunk.type === 'IDAT')
    .map(({ start, end, sound }) => {
      const piece = bytes.subarray(start, end);
      const sum = end + 4 <= bytes.length ? bytes.readUInt32BE(end) : null;
      const noted = start >= 8 ? bytes.readUInt32BE(start - 8) : 0;
      spans.push({ start: at, end: at + piece.length, sum, sound, isNoted: noted === piece.length });
      if (!sound)
        for (const { from, to } of wipedIn(bytes, start, end))
          holes.push({ from: (at + from - start) * 8, to: (at + to - start) * 8 });
      at += piece.length;
      return piece;
    });
  return { bytes: Buffer.concat(pieces), spans, holes };
}

/** Bytes of one value in a row that are a sector which was written over, or never written, where they begin or end with one, and without that. */
const wipedRun = { least: 64, sector: 512 };

/** Stretches of a damaged part of a file, in bytes, that hold nothing but zeroes or ones, as long as codes seldom are. */
function wipedIn(bytes: Buffer, from: number, to: number): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let start = from; start < to; ) {
    const value = bytes[start];
    let end = start + 1;
    while (end < to && bytes[end] === value) end++;
    const isAligned = start % wipedRun.sector === 0 || end % wipedRun.sector === 0;
    const least = isAligned ? wipedRun.least : wipedRun.sector;
    if (end - start >= least && (value === 0 || value === 255)) found.push({ from: start, to: end });
    start = end;
  }
  return found;
}

/** Bytes of zeros at the end of data from which on they are an end that was overwritten: a stream ends with its Adler-32 (RFC 1950, 2.2). */
const emptyEnd = 64;

/**
 * The data without an end of zeros, as unwritten sectors and transfers that broke off leave it: read as codes, zeros give rows of one
 * value that no picture had. What stands for them when they were packed pixels after all is the row above, which they would repeat.
 */
export function withoutEmptyEnd(data: PictureData): PictureData {
  const { bytes, spans, holes = [] } = data;
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  if (bytes.length - end < emptyEnd) return data;
  const left = spans
    .filter(({ start }) => start < end)
    .map((span) => (span.end <= end ? span : { ...span, end, sum: null, sound: false }));
  return { bytes: bytes.subarray(0, end), spans: left, holes: holes.filter(({ from }) => from < end * 8) };
}

/**
 * The bit up to which check sums say that the data is as it was written: that of the first chunk that is damaged. None where all of them fit
 * data that is damaged, since they were made after that.
 */
export const soundBits = ({ spans }: PictureData): number => (spans.find(({ sound }) => !sound)?.start ?? 0) * 8;

/** Whether a bit of the data may be wrong: all of them, when no check sum is known to be wrong, otherwise those of damaged chunks without the ones in `except`. */
export function suspects(data: PictureData, except: readonly Span[] = []): (bit: number) => boolean {
  const open = data.spans.filter((span) => !span.sound && !except.includes(span));
  if (open.length === 0) return () => except.length === 0;
  let last = open[0];
  return (bit) => {
    const at = bit >>> 3;
    if (last && at >= last.start && at < last.end) return !last.sound;
    last = open.find((span) => at >= span.start && at < span.end) ?? last;
    return last !== undefined && at >= last.start && at < last.end && !last.sound;
  };
}

/**
 * Spans in which a single bit was set right, and whose check sum does not fit all the same: what is wrong there is more than a bit, and
 * the one found a chance hit.
 */
export function falselyCorrected(data: PictureData, flips: readonly number[]): Span[] {
  return data.spans.filter(
    (span) =>
      !span.sound &&
      span.sum !== null &&
      flips.filter((bit) => bit >>> 3 >= span.start && bit >>> 3 < span.end).length === 1,
  );
}

/**
 * What to do when a bit was set right: if its chunk's check sum fits now, nothing in it is suspect any more; if one more bit makes it fit,
 * that bit is the answer.
 */
export function correctBySum(data: PictureData): (source: Uint8Array, bit: number) => number | null {
  return (source, bit) => {
    const span = data.spans.find(({ start, end }) => bit >>> 3 >= start && bit >>> 3 < end);
    if (!span || span.sum === null) return null;
    const piece = Buffer.from(source.subarray(span.start, span.end));
    if (spanSum(source, span) === span.sum) {
      span.sound = true;
      return null;
    }
    const other = withFlippedBit(piece, crc32(piece, typeSum) ^ span.sum);
    if (!other) return null;
    span.sound = true;
    const at = other.findIndex((byte, index) => byte !== piece[index]);
    const changed = (other[at] ?? 0) ^ (piece[at] ?? 0);
    return (span.start + at) * 8 + Math.log2(changed);
  };
}

/**
 * Pairs of bits of which one may be the two wrong ones around a place, as the check sum of the part there allows; none where it fits, nor where
 * bytes were lost or put in: some pair makes any sum fit, but not that one.
 */
export function pairsBySum(data: PictureData): (source: Uint8Array, bit: number) => [number, number][] {
  return (source, bit) => {
    const span = data.spans.find(({ start, end }) => bit >>> 3 >= start && bit >>> 3 < end);
    if (!span?.isNoted || span.sum === null || span.sound || span.end - span.start > mostBytesByRows) return [];
    const pairs = flippedPairs('IDAT', source.subarray(span.start, span.end), span.sum);
    return pairs.map(([first, second]) => [first + span.start * 8, second + span.start * 8]);
  };
}

/** Whether the check sum of all data (RFC 1950, 2.2) stands behind it and fits. */
export function adlerFits(source: Uint8Array, bit: number, data: Uint8Array): boolean {
  const at = (bit + 7) >>> 3;
  if (at + 4 > source.length) return false;
  return new DataView(source.buffer, source.byteOffset).getUint32(at) === adler32(data);
}
