import { formatsOf } from '../formats/table';
import type { Buffer } from '../host/bytes';
import type { Format } from './types';

/** Makers' raw files that are built like TIFF. */
const rawFormats: readonly Format[] = formatsOf('tiff').filter((format) => format !== 'tif');

/** Which of the TIFF-shaped formats this is (TIFF 6.0 and the makers' raw files), by markers and makers' names near the head. */
export function tiffFormat(bytes: Buffer, claimed: Format | null): Format {
  if (bytes.toString('latin1', 8, 10) === 'CR' && bytes[10] === 2) return 'cr2';
  const little = bytes[0] === 0x49;
  const tags = firstDirectoryTags(bytes, little);
  const head = bytes.toString('latin1', 0, Math.min(bytes.length, 16384));
  if (tags.has(dngVersion)) return claimed === 'gpr' || /GoPro/.test(head) ? 'gpr' : 'dng';
  if (claimed === 'dng' && dngOwn.some((number) => tags.has(number))) return 'dng';
  const rawTags = tags.has(0x14a) || tags.has(0x8769);
  if (rawTags && /NIKON/i.test(head) && (tags.has(0x14a) || claimed === 'nef' || claimed === 'nrw'))
    return claimed === 'nrw' ? 'nrw' : 'nef';
  if (rawTags && /SONY/.test(head) && (tags.has(0x14a) || claimed === 'arw')) return 'arw';
  // Writers put directories behind all data, too: where none stands, the name alone tells a raw photo from the picture inside of it.
  const isBroken = tags.size === 0 || !isAscending(bytes, little);
  return isBroken && claimed && rawFormats.includes(claimed) ? claimed : 'tif';
}

/** Whether the fields of the first directory ascend and have types that exist (TIFF 6.0, section 2): damaged, its tags say little. */
function isAscending(bytes: Buffer, little: boolean): boolean {
  const u16 = (at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const start = bytes.length < 8 ? 0 : little ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
  if (start < 8 || start + 2 > bytes.length) return false;
  const count = u16(start);
  if (start + 2 + count * 12 > bytes.length) return false;
  for (let index = 0, last = 0; index < count; index++) {
    const [number, type] = [u16(start + 2 + index * 12), u16(start + 4 + index * 12)];
    if (number < last || type < 1 || type > mostType) return false;
    last = number;
  }
  return true;
}

/** The last type of fields of classic TIFF (TIFF 6.0, section 2; IFD of the Technical Notes). */
const mostType = 13;

/** DNGVersion (DNG Specification): four bytes, the first of them 1. Where a tag is so by chance, the rest is not. */
const dngVersion = 0xc612;
const typeByte = 1;
/** DNGBackwardVersion and UniqueCameraModel, which every DNG may have and no other file has (DNG Specification 1.6, chapter 4). */
const dngOwn = [0xc613, 0xc614];

function isVersion(bytes: Buffer, entry: number, u16: (at: number) => number): boolean {
  const [low, high] = [u16(entry + 4), u16(entry + 6)];
  return u16(entry + 2) === typeByte && low + high === 4 && bytes[entry + 8] === 1;
}

function firstDirectoryTags(bytes: Buffer, little: boolean): Set<number> {
  const tags = new Set<number>();
  const u16 = (at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  if (bytes.length < 8) return tags;
  const start = little ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
  if (start + 2 > bytes.length) return tags;
  const count = u16(start);
  for (let index = 0; index < Math.min(count, 512); index++) {
    const at = start + 2 + index * 12;
    if (at + 12 > bytes.length) break;
    if (u16(at) !== dngVersion || isVersion(bytes, at, u16)) tags.add(u16(at));
  }
  return tags;
}
