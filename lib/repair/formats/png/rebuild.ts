import type { ByteSink, PhotoExamined, PhotoReading } from '../../families/photo';
import { Buffer } from '../../host/bytes';
import { deflate } from '../../host/packing';
import type { Step } from '../../report/facts/photo';
import { pngSignature, readChunks, writeChunk } from './chunks';
import type { PngParts } from './examine';
import { inflatedSize, type PngHeader, rowSizes, writeHeader } from './header';

/** Bytes of a picture from which on packing tightly takes too long, and the levels of packing (zlib) above and below. */
const largePicture = 8 << 20;
const levels = { large: 4, usual: 6 };

/** Writes the file anew: header, the chunks that are whole, all picture data in one, and the end. */
export async function rebuildPng(
  _: PhotoReading,
  { parts }: PhotoExamined<PngParts | null>,
  sink: ByteSink,
): Promise<readonly Step[]> {
  if (!parts) return [];
  const { header, others, data } = packed(parts);
  sink.write(pngSignature, writeChunk('IHDR', writeHeader(header)), ...others);
  sink.write(writeChunk('IDAT', data), writeChunk('IEND', Buffer.alloc(0)));
  return [{ kind: 'rewrite', of: 'parts' }];
}

/** The parts with their rows packed: those that are pixels now stand in one pass. */
function packed({ header, others, rows: { kind, data } }: PngParts) {
  if (kind === 'packed') return { header, others, data };
  if (kind === 'filtered') return { header, others, data: deflate(data) };
  const plain = { ...header, interlaced: false };
  const filtered = withUpFilter(data, rowSizes(plain).row, plain);
  return {
    header: plain,
    others,
    data: deflate(filtered, inflatedSize(header) > largePicture ? levels.large : levels.usual),
  };
}

/** Whether the chunks of what was written follow each other up to the end, with check sums that fit. */
export async function verifyPng(written: Buffer): Promise<boolean> {
  const chunks = readChunks(written);
  const isSound = chunks.every(({ sound, mended }) => sound && !mended);
  return isSound && chunks[0]?.type === 'IHDR' && chunks.at(-1)?.type === 'IEND';
}

/** Rows with the filter Up, which packs filled-in rows well; the first row has none above it. Packed samples are left as they are. */
function withUpFilter(pixels: Uint8Array, row: number, header: PngHeader): Buffer {
  const filter = header.colour === 3 || header.depth < 8 ? 0 : 2;
  const data = Buffer.alloc((row + 1) * header.height);
  for (let line = 0; line < header.height; line++) {
    const [from, to] = [line * row, line * (row + 1)];
    data[to] = filter;
    if (filter === 0 || line === 0) data.set(pixels.subarray(from, from + row), to + 1);
    else
      for (let at = 0; at < row; at++)
        data[to + 1 + at] = ((pixels[from + at] ?? 0) - (pixels[from + at - row] ?? 0)) & 255;
  }
  return data;
}
