import { crc32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import type { Chunk } from './chunks';
import type { PngHeader } from './header';

/** The most bytes of a PLTE chunk (11.2.2): 256 colours. */
export const mostPalette = 768;
/** Signature, IHDR and the head of a PLTE chunk are behind here, in bytes: a first chunk that begins later has them lost before it. */
const headersEnd = 60;
/** Where the colours may end: behind signature, IHDR and one colour, and not far from the beginning. */
const paletteEnd = { least: 44, most: 2000 };

const typeSum = crc32(Buffer.from('PLTE', 'latin1'));
/** Where the colours begin behind signature and header, and behind resolution or gamma. */
const usualStarts = [41, 62, 57, 78, 54, 75];

/** The table of colours (ISO/IEC 15948, 11.2.3): by its name, or when that is lost by its place before the chunk behind it; null when there is none. */
export function findPalette(bytes: Buffer, chunks: readonly Chunk[], header: PngHeader): Buffer | null {
  const named = chunks.find((chunk) => chunk.type === 'PLTE');
  if (named) return threes(bytes.subarray(named.start, named.end));
  if (header.colour !== 3) return null;
  const unnamed = chunks.find((chunk) => chunk.type === '????');
  if (unnamed && unnamed.end - unnamed.start >= 3) {
    const data = bytes.subarray(unnamed.start, unnamed.end);
    if (data.length % 3 === 0 && data.length <= mostPalette) return data;
  }
  const headless = chunks[0] && chunks[0].type !== 'IHDR' && chunks[0].start > headersEnd ? chunks[0] : undefined;
  const next =
    headless ?? chunks.find((chunk) => chunk.type === 'tRNS' || (chunk.type === 'IDAT' && chunk.start > headersEnd));
  // The length and name of the next chunk, and the check sum of this one, stand between.
  const end = (next?.start ?? 0) - 12;
  if (end < paletteEnd.least || end > paletteEnd.most) return null;
  const sum = bytes.readUInt32BE(end);
  for (let start = Math.max(8, end - mostPalette); start + 3 <= end; start++)
    if ((end - start) % 3 === 0 && crc32(bytes.subarray(start, end), typeSum) === sum)
      return bytes.subarray(start, end);
  const start = usualStarts.find((place) => end > place && (end - place) % 3 === 0 && end - place <= mostPalette);
  return start === undefined || isWiped(bytes.subarray(start, end)) ? null : bytes.subarray(start, end);
}

/** Whether the check sum that belongs to a table found in `bytes` stands behind it. */
export function isPaletteProven(bytes: Buffer, palette: Buffer): boolean {
  const end = palette.byteOffset - bytes.byteOffset + palette.length;
  return end + 4 <= bytes.length && crc32(palette, typeSum) === bytes.readUInt32BE(end);
}

/** Whether a good part of a table is one colour over and over, which no program writes. */
function isWiped(palette: Buffer): boolean {
  let alike = 0;
  for (let at = 3; at < palette.length; at += 3)
    if (palette.subarray(at, at + 3).equals(palette.subarray(at - 3, at))) alike++;
  return alike * 3 > palette.length / 4;
}

function threes(palette: Buffer): Buffer {
  return palette.subarray(0, Math.min(768, palette.length - (palette.length % 3)));
}
