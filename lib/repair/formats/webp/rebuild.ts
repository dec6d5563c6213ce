import type { ByteSink, PhotoExamined, PhotoReading } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/photo';
import type { WebpParts } from './chunks';
import { isInOrder, survey } from './survey';
import { written } from './write';

/** Writes the file anew from its chunks: lengths, the extended header and the size of all follow from them. */
export async function rebuildWebp(
  _: PhotoReading,
  { parts }: PhotoExamined<WebpParts | null>,
  sink: ByteSink,
): Promise<readonly Step[]> {
  if (!parts) return [];
  sink.write(written(parts));
  return [{ kind: 'rewrite', of: 'chunks' }];
}

/** Whether what was written reads as it was meant. */
export const verifyWebp = async (output: Buffer): Promise<boolean> => isInOrder(survey(output));
