import type { Decoding } from '../../verdict';
import { decodeResult } from '../../video/decode';
import type { Reading } from '../../video/session';

/** Decodes a file by ffmpeg, and counts its frames and pieces of sound. */
export const measureIso = (path: string, { job }: Pick<Reading, 'job'>): Promise<Decoding | null> =>
  decodeResult(job, path, 'mp4');
