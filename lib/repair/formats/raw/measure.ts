import type { PhotoReading } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { Picture } from '../../readers/pictures';
import { findPreviews } from './previews';

/** Decodes the largest JPEG inside by libvips; what the sensor saw only the camera maker's own software can judge. */
export async function measureRaw(file: Buffer, { job }: Pick<PhotoReading, 'job'>): Promise<Picture | null> {
  const [largest] = await findPreviews({ ...job, bytes: file });
  if (!largest) return null;
  const { width, height, start, end } = largest;
  return { width, height, blank: false, warning: false, place: { start, end } };
}
