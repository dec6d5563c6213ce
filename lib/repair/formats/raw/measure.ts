import type { PhotoReading } from '../../families/photo';
import type { Buffer } from '../../host/bytes';
import type { Picture } from '../../readers/pictures';
import { layoutOf } from './kinds';
import { findPreviews } from './previews';

/**
 * Decodes the largest JPEG inside by libvips; without one, what the sensor data tells of itself: no reader that is not ours or the
 * maker's knows it.
 */
export async function measureRaw(file: Buffer, { job }: Pick<PhotoReading, 'job'>): Promise<Picture | null> {
  const [largest] = await findPreviews({ ...job, bytes: file });
  if (largest) {
    const { width, height, start, end } = largest;
    return { width, height, blank: false, warning: false, place: { start, end } };
  }
  const sensor = layoutOf(job.format).sensorOf(file, job);
  if (!sensor || sensor.how === 'unread') return null;
  return { width: sensor.width, height: sensor.height, blank: false, warning: false, isSensor: true };
}
