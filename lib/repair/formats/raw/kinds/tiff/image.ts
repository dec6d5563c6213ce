import { losslessFrameAt } from '../../../../codecs/ljpeg/frame';
import type { Buffer } from '../../../../host/bytes';
import { scheme } from '../../../tiff/directory';
import { type Directories, type Image, imageOf, sensorSpace } from './directories';

/** Schemes of packing that only raw photos have: Nikon's, and Sony's of blocks of sixteen pixels (both as dcraw reads them). */
export const rawScheme = { nikon: 34_713, sony: 32_767 } as const;

/** Pixels of the longest side of a sensor, as lossless JPEG can name them (ISO/IEC 10918-1, B.2.2). */
export const longestSide = 0xffff;

/** The picture of the sensor among those that directories describe: the largest that no JPEG for looking at is; null without one. */
export function sensorImage({ tiff, found }: Directories): Image | null {
  let best: Image | null = null;
  for (const directory of found) {
    const image = imageOf(tiff, directory);
    const sized = image && withSize(tiff.bytes, image);
    if (sized && isSensor(tiff.bytes, sized) && sized.width * sized.height > (best ? best.width * best.height : 0))
      best = sized;
  }
  return best;
}

/** The size of a CR2's sensor data stands in the data alone: its directory names none. */
function withSize(bytes: Buffer, image: Image): Image {
  const [first] = image.pieces;
  if (image.width > 0 || !first) return image;
  const frame = losslessFrameAt(bytes, first.at);
  const slices = image.slices;
  const [count = 0, each = 0, last = 0] = slices;
  const width = frame ? frame.width * frame.components.length : count * each + last;
  const height = frame?.height ?? 0;
  return { ...image, width, height, pieces: image.pieces.map((piece) => ({ ...piece, width, height })) };
}

function isSensor(bytes: Buffer, image: Image): boolean {
  const { photometric, slices, compression, pieces, isReduced } = image;
  if (photometric === sensorSpace.filters || photometric === sensorSpace.linear) return !isReduced;
  if (slices.length === 3) return true;
  const [first] = pieces;
  return compression === scheme.oldJpeg && first !== undefined && losslessFrameAt(bytes, first.at) !== null;
}
