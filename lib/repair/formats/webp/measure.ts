import type { PhotoReading } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import { openPicture, type Picture } from '../../readers/pictures';

/** Decodes every pixel of every frame by libvips, which cannot tell wrong data from right one here. */
export async function measureWebp(file: Buffer, { job }: Pick<PhotoReading, 'job'>): Promise<Picture | null> {
  const picture = await openPicture(file, job.limits, true, 'all');
  return picture && { ...picture, isUnchecked: true };
}
