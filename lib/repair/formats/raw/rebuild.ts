import type { ByteSink, PhotoExamined, PhotoReading } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/photo';
import type { RawParts } from './examine';
import { layoutOf } from './kinds';

/** Writes the file behind its new head, or the JPEG that was inside. */
export async function rebuildRaw(
  _: PhotoReading,
  { parts }: PhotoExamined<RawParts | null>,
  sink: ByteSink,
): Promise<readonly Step[]> {
  if (!parts) return [];
  sink.write(parts.data);
  return parts.kind === 'structure' ? parts.steps : [{ kind: 'takeOut', width: parts.width, height: parts.height }];
}

/** Whether nothing is wrong with the structure of what was written; a JPEG has none of a raw photo. */
export async function verifyRaw(
  written: Buffer,
  { job }: PhotoReading,
  { parts }: PhotoExamined<RawParts | null>,
): Promise<boolean> {
  return parts?.kind === 'preview' || layoutOf(job.format).faultsOf(written).length === 0;
}
