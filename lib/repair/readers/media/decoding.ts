import type { FormatId } from '../../formats/table';
import { sizeOf } from '../../host/files';
import type { EngineJob } from '../../report';
import type { Amount, Loss } from '../../report/facts/video';
import type { Decoding } from '../../verdict';
import { decodeFile } from './run';

/**
 * Bytes of pictures and sound that are decoded, some 2e8 a second by ffmpeg in WebAssembly, at most and at least, and the size of a file up
 * to which it is the most: a large video is not made to wait many times as long as its repair takes. What was decoded until then is what
 * the report speaks of.
 */
const decodedBytes = { most: 2e9, least: 5e8, fullBytes: 64 * 2 ** 20 };
/** Time that is left for digests and the end of the job. */
const reserveMilliseconds = 4000;

/** Decodes a video, or its sound alone, as far as long videos are decoded, or until `isOver`; null without a decoder, or where it cannot open the file. */
export async function decodeResult(
  job: EngineJob,
  path: string,
  format: string,
  what: 'frames' | 'sound' = 'frames',
  isOver?: () => boolean,
): Promise<Decoding | null> {
  const { most, least, fullBytes } = decodedBytes;
  const bytes = Math.max(least, Math.min(most, (most * fullBytes) / Math.max(1, await sizeOf(path))));
  return decodeFile(path, format, { bytes, milliseconds: job.deadline.left - reserveMilliseconds, isOver }, what);
}

/** A format's measure: it is opened as that, so that no content can make the decoder take it for something else. */
export const decodedAs =
  (format: FormatId) =>
  (path: string, { job, isOver }: { job: EngineJob; isOver?: () => boolean }): Promise<Decoding | null> =>
    decodeResult(job, path, format, 'frames', isOver);

/** What is damaged inside frames and sound, as losses. */
export function decodingLosses({ damagedFrames, damagedSound, refused, damagedAt: at }: Decoding): Loss[] {
  const losses: Loss[] = [
    { unit: 'frames', count: damagedFrames + refused, how: 'decoding', at },
    { unit: 'pieces of sound', count: damagedSound, how: 'decoding', at },
  ];
  return losses.filter(({ count }) => count > 0);
}

/** What decoded without a complaint. */
export function undamaged({ frames, damagedFrames, packets, damagedSound }: Decoding): Amount[] {
  const amounts: Amount[] = [
    { unit: 'frames', count: Math.max(0, frames - damagedFrames) },
    { unit: 'pieces of sound', count: Math.max(0, packets - damagedSound) },
  ];
  return amounts.filter(({ count }) => count > 0);
}
