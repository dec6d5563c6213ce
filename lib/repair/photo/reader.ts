import type { RepairLimits } from '../report';
import { loadDecoder } from './decoder';

/** What an independent decoder (libvips) makes of a picture. `warning` when it had to look past faults in the data. */
export type Picture = { width: number; height: number; spread: number; warning: boolean };

async function decode(bytes: Buffer, limits: RepairLimits, failOn: 'none' | 'warning'): Promise<Picture> {
  const sharp = await loadDecoder();
  const image = sharp(bytes, { failOn, limitInputPixels: limits.pixels, sequentialRead: true });
  const { width, height } = await image.metadata();
  const stats = await sharp(bytes, { failOn, limitInputPixels: limits.pixels, sequentialRead: true })
    .resize(256, 256, { fit: 'inside', fastShrinkOnLoad: false })
    .stats();
  const spread = Math.max(...stats.channels.slice(0, 3).map((channel) => channel.stdev));
  return { width, height, spread, warning: false };
}

/** Decodes every pixel. With `lenient` a picture that only decodes past faults counts too, marked by `warning`; null when none does. */
export async function openPicture(bytes: Buffer, limits: RepairLimits, lenient: boolean): Promise<Picture | null> {
  try {
    return await decode(bytes, limits, 'warning');
  } catch {
    if (!lenient) return null;
  }
  try {
    return { ...(await decode(bytes, limits, 'none')), warning: true };
  } catch {
    return null;
  }
}
