import { readKeyFrame } from '../../codecs/vp8/frames';
import type { Buffer } from '../../host/bytes';
import { type Chunk, frameHeadBytes, isPicture, readChunks } from './chunks';
import { isLosslessRead } from './lossless';

/** Bytes that may be left over behind the last coefficient: libwebp leaves up to two, and libvpx fills up four. */
const mostOver = 8;
/** Bytes of picture data that are read in all; reading lossy ones takes about a second for three million. */
const mostRead = 4_000_000;

/**
 * Whether the pictures of a file, those of its frames among them, end where their data does. Wrong bits make sense in arithmetic coding,
 * and mostly in prefix codes, but what is read behind them has another length.
 */
export function arePicturesRead(bytes: Buffer, chunks: readonly Chunk[]): boolean {
  const inside = ({ start, end }: Chunk) => readChunks(bytes.subarray(0, end), start + frameHeadBytes, end).chunks;
  const all = chunks.flatMap((chunk) => (chunk.type === 'ANMF' ? inside(chunk) : [chunk]));
  let left = mostRead;
  return all.every(({ type, start, end }) => {
    left -= isPicture({ type }) ? end - start : 0;
    if (!isPicture({ type }) || left < 0) return true;
    if (type === 'VP8L') return isLosslessRead(bytes.subarray(start, end));
    const read = readKeyFrame(bytes.subarray(start, end));
    return read !== null && read.over <= mostOver;
  });
}
