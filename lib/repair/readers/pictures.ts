import type { Buffer } from '../host/bytes';
import { loadDecoder } from '../host/pictures';
import type { RepairLimits } from '../report';

/**
 * What an independent decoder (libvips) makes of a picture. `blank` when it is of one colour all over, `warning` when it had to look past
 * faults in the data. `place` is where it lies, in bytes, when it stands inside a file of another kind.
 */
export type Picture = {
  width: number;
  height: number;
  blank: boolean;
  warning: boolean;
  place?: { start: number; end: number };
  /** It is what the sensor data of a raw photo tells of itself, which no decoder was asked for. */
  isSensor?: boolean;
  /** The decoder cannot tell wrong data from right one, as the format has nothing to tell it by. */
  isUnchecked?: boolean;
};

/** The pages of a picture that are decoded. */
type Pages = 'first' | 'all';

/** Samples of a picture that are held in memory while it is looked at; of larger ones the decoder keeps what it needs itself, which takes longer. */
const mostHeld = 96 << 20;

async function decode(bytes: Buffer, limits: RepairLimits, failOn: 'none' | 'warning', pages: Pages): Promise<Picture> {
  const sharp = await loadDecoder();
  const animated = pages === 'all';
  const open = () =>
    sharp(bytes, { failOn, limitInputPixels: limits.pixels, sequentialRead: true, ignoreIcc: true, animated });
  const metadata = await open().metadata();
  const { width, channels = 4 } = metadata;
  const height = metadata.pageHeight ?? metadata.height;
  if (width * metadata.height * channels > mostHeld) {
    const stats = await open().stats();
    return { width, height, blank: stats.channels.every(({ stdev }) => stdev === 0), warning: false };
  }
  const { data, info } = await open().raw().toBuffer({ resolveWithObject: true });
  return { width, height, blank: isBlank(data, info.channels), warning: false };
}

/** Whether all pixels have the first one's colour, and are as much seen: a drawing in one colour is told by that alone. */
function isBlank(samples: Buffer, channels: number): boolean {
  for (let channel = 0; channel < channels; channel++)
    for (let at = channel; at < samples.length; at += channels) if (samples[at] !== samples[channel]) return false;
  return true;
}

/** Decodes every pixel. With `lenient` a picture that only decodes past faults counts too, marked by `warning`; null when none does. */
export async function openPicture(
  bytes: Buffer,
  limits: RepairLimits,
  lenient: boolean,
  pages: Pages = 'first',
): Promise<Picture | null> {
  try {
    return await decode(bytes, limits, 'warning', pages);
  } catch {
    if (!lenient) return null;
  }
  try {
    return { ...(await decode(bytes, limits, 'none', pages)), warning: true };
  } catch {
    return null;
  }
}
