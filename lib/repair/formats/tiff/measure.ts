import type { PhotoReading } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import { openPicture, type Picture } from '../../readers/pictures';

/** Decodes every pixel of the first page by libvips, past faults where it must. */
export const measureTiff = (file: Buffer, { job }: Pick<PhotoReading, 'job'>): Promise<Picture | null> =>
  openPicture(file, job.limits, true);
