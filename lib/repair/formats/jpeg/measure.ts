import type { PhotoReading } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import { openPicture, type Picture } from '../../readers/pictures';

/** Decodes every pixel by libvips, past faults where it must. */
export const measureJpeg = (file: Buffer, { job }: Pick<PhotoReading, 'job'>): Promise<Picture | null> =>
  openPicture(file, job.limits, true);
