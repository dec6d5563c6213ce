import type { Buffer } from '../../host/bytes';
import type { Chunk } from './chunks';

/**
 * Codecs by their names in BITMAPINFOHEADER (biCompression) whose words of nothing but zeroes are none or the most seldom ones, so that no
 * encoder leaves a run of them: H.264 (7.4.1), MPEG-4 Part 2 (ISO/IEC 14496-2, 5.2.4), Huffyuv, whose longest codes count from zero up, and
 * FFV1. Windows Media Video does.
 */
const packed = /^(?:H264|h264|X264|avc1|HEVC|DIVX|DX50|XVID|FMP4|HFYU|FFVH|FFV1)$/;

/** Places in a chunk of the list `strl` behind its head: the kind of a stream (fccType), the name of its codec. */
const places = { chunkHead: 8, biCompression: 16 };

/** The codec of each stream of pictures by its number, as the list `hdrl` names it. */
function codecsOf(head: Buffer): Map<number, string> {
  const codecs = new Map<number, string>();
  for (let at = head.indexOf('strh'), number = 0; at >= 0; at = head.indexOf('strh', at + 4), number++) {
    const kind = head.toString('latin1', at + places.chunkHead, at + places.chunkHead + 4);
    const format = head.indexOf('strf', at);
    const name = format + places.chunkHead + places.biCompression;
    if (kind === 'vids' && format >= 0) codecs.set(number, head.toString('latin1', name, name + 4));
  }
  return codecs;
}

/** Pictures of codecs that leave no runs of zeroes, as stretches of the file in bytes. */
export function* packedFrames(
  head: Buffer | null,
  pictures: readonly Chunk[],
): Generator<{ from: number; to: number }> {
  const codecs = head ? codecsOf(head) : new Map<number, string>();
  for (const { id, offset, length } of pictures) {
    const from = offset + places.chunkHead;
    if (packed.test(codecs.get(Number(id.slice(0, 2))) ?? '')) yield { from, to: from + length };
  }
}
