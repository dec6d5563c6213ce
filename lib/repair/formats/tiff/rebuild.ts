import type { ByteSink, PhotoExamined, PhotoReading } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/photo';
import { readHead } from './head';
import type { TiffParts } from './parts';
import { writeTiff } from './raster';

/** Writes the file anew: as it is behind a sound head, or page by page from its rows. */
export async function rebuildTiff(
  _: PhotoReading,
  { parts }: PhotoExamined<TiffParts | null>,
  sink: ByteSink,
): Promise<readonly Step[]> {
  if (!parts) return [];
  if (parts.kind === 'file') {
    sink.write(parts.data);
    return parts.isHeadNew ? [{ kind: 'rewrite', of: 'head' }] : [];
  }
  sink.write(writeTiff(parts.rasters, parts.isBig));
  return parts.strips === null ? [] : [{ kind: 'rewriteStrips', strips: parts.strips }];
}

/** Whether the head of what was written leads to a directory. */
export async function verifyTiff(written: Buffer): Promise<boolean> {
  const tiff = readHead(written);
  return tiff !== null && tiff.directory(tiff.first, true) !== null;
}
