import { inflateZlib } from '../../core/deflate/whole';
import type { Buffer } from '../../host/bytes';
import type { EngineJob } from '../../report';
import { endOfImage, startOfImage } from '../jpeg/marks';
import { type Directory, scheme, type TiffBytes, tag } from './directory';
import { jpegFrame } from './jpegframe';
import { isJpegStripSound } from './jpegstrip';
import type { Layout } from './layout';
import { unpacks } from './segments';

/**
 * Whether strips of JPEG that are left to the decoder hold what they should: such of four inks, and the stream of old-style JPEG (TIFF 6.0, section
 * 22), where it is one of its own. Decoders take what follows damage for a picture.
 */
function areJpegStripsSound(job: EngineJob, tiff: TiffBytes, directory: Directory, layout: Layout): boolean {
  const { bytes } = tiff;
  const rows = layout.tile?.height ?? layout.rowsPerStrip;
  // Of strips that are none of it, or of other samples, fields of the directory are wrong, which can be set right.
  const agrees = ({ at }: { at: number }) => jpegFrame(bytes, at)?.components === (layout.planes ? 1 : layout.samples);
  if (layout.compression === scheme.jpeg && !layout.segments.some(agrees)) return true;
  if (layout.compression === scheme.jpeg)
    return layout.segments.every(({ at, count }, index) => {
      if (index % checkEvery === 0) job.deadline.check();
      return isJpegStripSound(job, bytes.subarray(at, at + count), layout, rows);
    });
  const at = tiff.value(directory, tag.jpegStart, 0);
  const stream = bytes.subarray(at, at + tiff.value(directory, tag.jpegLength, 0));
  const isOwn =
    layout.compression === scheme.oldJpeg &&
    stream.subarray(0, startOfImage.length).equals(startOfImage) &&
    stream.subarray(-endOfImage.length).equals(endOfImage);
  return !isOwn || isJpegStripSound(job, stream, layout, layout.height);
}

/**
 * Whether segments that zlib packed, of samples that are not read here, such as numbers with a fraction, unpack to their own end, by their check sums
 * (RFC 1950, 2.2).
 */
function areFlateSegmentsWhole(job: EngineJob, bytes: Buffer, { compression, segments }: Layout): boolean {
  if (compression !== scheme.flate && compression !== scheme.oldFlate) return true;
  const most = { maxOutput: job.limits.inflatedBytes, deadline: job.deadline, readOn: false };
  return segments.every(({ at, count }) => inflateZlib(bytes.subarray(at, at + count), most).complete);
}

/** Whether data that is left to the decoder holds what it should, as far as that can be told. */
export const isLeftDataSound = (job: EngineJob, tiff: TiffBytes, directory: Directory, layout: Layout): boolean =>
  unpacks(layout) ||
  (areJpegStripsSound(job, tiff, directory, layout) && areFlateSegmentsWhole(job, tiff.bytes, layout));

/** Strips that are read before the clock is asked. */
const checkEvery = 16;
