import type { Buffer } from '../../../../host/bytes';
import { type Directory, TiffBytes, tag } from '../../../tiff/directory';
import { rawTag } from './directories';

/** Bytes from the beginning and from the end on in which directories are looked for: cameras write them before all pictures, programs behind. */
const searched = { front: 4 << 20, back: 1 << 20 };
/** Directories that are given back, and the fewest fields of one. */
const mostFound = 256;
/** Places at which one is read that proves to be none. */
const mostTried = 20_000;
const fewestFields = 3;
/** Fields that a directory may have: first ones of DNG have near a hundred. */
const mostFields = 200;

/** Directories that stand anywhere in a file, whatever leads to them, in the order of their places. */
export function strayDirectories(bytes: Buffer, little: boolean): { tiff: TiffBytes; found: Directory[] } {
  const tiff = new TiffBytes(bytes, little);
  const found: Directory[] = [];
  let tried = 0;
  const back = Math.max(searched.front, bytes.length - searched.back);
  for (const [from, to] of [
    [8, Math.min(bytes.length, searched.front)],
    [back, bytes.length],
  ] as const) {
    for (let at = from; at + 18 <= to && found.length < mostFound && tried < mostTried; at++) {
      if (!isLikely(bytes, at, little)) continue;
      tried++;
      const directory = tiff.directory(at);
      if (!directory?.sound || !isOrdered(directory)) continue;
      found.push(directory);
      at += directory.fields.size * 12;
    }
  }
  return { tiff, found };
}

/** Whether a count of fields and two fields, the smaller first, may stand here (TIFF 6.0, section 2). */
function isLikely(bytes: Buffer, at: number, little: boolean): boolean {
  const u16 = (place: number) => (little ? bytes.readUInt16LE(place) : bytes.readUInt16BE(place));
  const count = u16(at);
  if (count < fewestFields || count > mostFields || at + 6 + count * 12 > bytes.length) return false;
  const [first, firstType, second, secondType] = [u16(at + 2), u16(at + 4), u16(at + 14), u16(at + 16)];
  return first > 0 && first < second && isType(firstType) && isType(secondType);
}

const isType = (type: number) => type >= 1 && type <= 13;

/** Fields of a directory ascend; those of a chance find do not all. */
function isOrdered({ fields }: Directory): boolean {
  const tags = [...fields.keys()];
  return tags.every((one, index) => index === 0 || one > (tags[index - 1] ?? 0));
}

/** Whether a directory is the first of a photo: the one that names the camera. */
export const isFirst = ({ fields }: Directory): boolean => fields.has(rawTag.make) && fields.has(rawTag.model);

/** Whether a directory tells how the photo was taken (EXIF 2.3, 4.6.5): its time of exposure, and when it was taken or what its maker noted. */
export const isExif = ({ fields }: Directory): boolean =>
  fields.has(exposureTime) && (fields.has(takenAt) || fields.has(rawTag.makerNote)) && !fields.has(tag.width);

const exposureTime = 0x829a;
const takenAt = 0x9003;
