import { isBlockHeader } from '../../core/deflate/blocks';
import { RowReader } from '../../core/deflate/rowreader';
import { padded } from '../../core/deflate/symbols';
import { inflateStrict } from '../../core/deflate/whole';
import { Buffer } from '../../host/bytes';
import type { Effort, EngineJob } from '../../report';
import { adlerFits, type PictureData } from './data';

/** Bytes of a lost head, chunks before the picture data included, behind which the data may begin. */
const mostHead = 4096;
/** The header of zlib data (RFC 1950, 2.2) that stands for the lost one. */
const zlibHeader = Buffer.from([0x78, 0x9c]);
/** Bytes that a block must give before it is taken for the first one, when the data is not whole. */
const leastBlock = 20_000;

/**
 * Picture data whose first part lost its head, from its first Deflate block on: where all data inflates, or at least one whole block
 * does. The data as it is when no block is found near the beginning.
 */
export function fromFirstBlock(job: EngineJob, data: PictureData): PictureData {
  const source = padded(data.bytes);
  const end = data.bytes.length * 8;
  let fallback = -1;
  for (let at = 0; at < Math.min(mostHead, data.bytes.length); at++) {
    if (((data.bytes[at] ?? 0) & 6) !== 4 || !isBlockHeader(source, at * 8 + 3, end)) continue;
    job.deadline.check();
    const strict = inflateStrict(data.bytes.subarray(at), job.limits.inflatedBytes * 2);
    if (strict && adlerFits(data.bytes, (at + strict.consumed) * 8, strict.data)) return cutHead(data, at);
    if (fallback < 0 && readsOn(source, at * 8, job.deadline.effort)) fallback = at;
  }
  return fallback < 0 ? data : cutHead(data, fallback);
}

function readsOn(source: Uint8Array, bit: number, effort: Effort): boolean {
  const reader = new RowReader(source, leastBlock, bit, effort);
  return reader.advance(leastBlock) === 'full';
}

function cutHead({ bytes, spans, holes = [] }: PictureData, at: number): PictureData {
  const moved = at - zlibHeader.length;
  return {
    bytes: Buffer.concat([zlibHeader, bytes.subarray(at)]),
    spans: spans
      .map((span, index) => ({
        ...span,
        start: Math.max(0, span.start - moved),
        end: span.end - moved,
        // The first sum was taken over the lost head as well.
        sum: index === 0 ? null : span.sum,
      }))
      .filter((span) => span.end > 0),
    holes: holes
      .map(({ from, to }) => ({ from: Math.max(zlibHeader.length * 8, from - moved * 8), to: to - moved * 8 }))
      .filter(({ from, to }) => to > from),
  };
}
