import { formatsOf } from '../formats/table';
import { Buffer } from '../host/bytes';
import { holdsBlocks } from './blocks';
import { holdsCells, namesOleStream, oleContent, oleFormat, zipFormat } from './containers';
import { isText } from './plain';
import { tiffFormat } from './tiff';
import { isTransportStream } from './transport';
import { type Detection, type Format, familyOf, known } from './types';

/** Bytes before the picture of a WebP, such as its colour profile, that are passed over; its start code, and the signature of a lossless one. */
const mostBefore = 1 << 20;
const startCode = Buffer.from([0x9d, 0x01, 0x2a]);
const losslessSignature = 0x2f;
/** Bytes whose first ones tell whether all of it is text. */
const textBytes = 4096;

function occurrences(bytes: Buffer, text: string, most: number): number {
  let count = 0;
  for (let at = bytes.indexOf(text, 0, 'latin1'); at >= 0 && count < most; count++) {
    at = bytes.indexOf(text, at + text.length, 'latin1');
  }
  return count;
}

function looksLikePdf(bytes: Buffer): boolean {
  const objects = occurrences(bytes, ' obj', 8);
  const ends = occurrences(bytes, 'endobj', 8) + occurrences(bytes, 'endstream', 8);
  return (objects >= 2 && ends >= 2) || (bytes.indexOf('%PDF-', 0, 'latin1') >= 0 && objects >= 1);
}

function looksLikePng(bytes: Buffer): boolean {
  const image = bytes.indexOf('IDAT', 0, 'latin1');
  return (
    image >= 4 &&
    (bytes.indexOf('IHDR', 0, 'latin1') >= 0 || bytes.indexOf('IEND\xae\x42\x60\x82', 0, 'latin1') > image)
  );
}

/** Tables and a scan header that belong together, wherever the file now begins (ISO/IEC 10918-1, annex B). */
function looksLikeJpeg(bytes: Buffer): boolean {
  const scan = bytes.indexOf(Buffer.from([0xff, 0xda, 0x00]));
  if (scan < 0) return false;
  const components = bytes[scan + 4] ?? 0;
  const length = bytes[scan + 3] ?? 0;
  return components >= 1 && components <= 4 && length === 6 + 2 * components;
}

/** What stands at the head of a JPEG behind its first two markers (JFIF and Exif), which are lost. */
const beginsAsJpeg = (bytes: Buffer): boolean => /^(?:JFIF|Exif)\0/.test(bytes.toString('latin1', 6, 11));

/** Several JPEG pictures, none of which begins the file: frames of a video by the name of one, whose head is lost. */
function holdsFrames(bytes: Buffer): boolean {
  const start = Buffer.from([0xff, 0xd8, 0xff]);
  const first = bytes.indexOf(start);
  return first > 0 && bytes.indexOf(start, bytes.indexOf(start, first + 512) + 512) > first + 1024;
}

const isoBoxes = ['ftyp', 'moov', 'mdat', 'moof', 'trak', 'stbl', 'mvhd'];

/** Descriptions of Canon's sensor data, which stand before all pictures: the brand, or how the data is packed. */
function isCanonRaw(bytes: Buffer): boolean {
  const front = bytes.subarray(0, 1 << 20);
  const has = (text: string) => front.indexOf(text, 0, 'latin1') >= 0;
  return has('ftypcrx ') || (has('moov') && has('crx ')) || (has('CRAW') && has('CMP1'));
}

function looksLikeVideo(bytes: Buffer, claimed: Format | null): Detection {
  const hint = claimed && familyOf(claimed) === 'video' ? claimed : null;
  if (isCanonRaw(bytes)) return known('cr3');
  const isAvi = occurrences(bytes, '00dc', 4) >= 3 || occurrences(bytes, '00db', 4) >= 3;
  // Pictures that are not compressed hold any four letters that lie near each other.
  if (isAvi && hint === 'avi') return known('avi');
  const boxes = isoBoxes.filter((box) => bytes.indexOf(box, 0, 'latin1') >= 0).length;
  if (boxes >= 2) return known(hint && formatsOf('iso', 'video').includes(hint) ? hint : 'mp4');
  if (isAvi || bytes.indexOf('hdrlavih', 0, 'latin1') >= 0) return known('avi');
  if (bytes.indexOf(Buffer.from('1654ae6b', 'hex')) >= 0 && bytes.indexOf(Buffer.from('1f43b675', 'hex')) >= 0)
    return known('mkv');
  if (bytes.indexOf(Buffer.from('060e2b34', 'hex')) >= 0 && occurrences(bytes, '\x06\x0e\x2b\x34', 6) >= 4)
    return known('mxf');
  if (isTransportStream(bytes) > 0) return known(hint === 'm2ts' ? 'm2ts' : 'mts');
  if (boxes === 0 && holdsBlocks(bytes)) return known('mkv');
  return hint && boxes >= 1 ? known(hint) : null;
}

/** Word, Excel and PowerPoint files in either of their containers. */
function officeInside(bytes: Buffer, claimed: Format | null): Detection {
  if (bytes.indexOf('PK\x01\x02', 0, 'latin1') >= 0 || bytes.indexOf('PK\x03\x04', 0, 'latin1') >= 0) {
    const zip = zipFormat(bytes, claimed);
    if (zip?.format) return zip;
  }
  const signature = bytes.subarray(0, 1 << 16).indexOf(Buffer.from('d0cf11e0a1b11ae1', 'hex')) >= 0;
  const root = signature || bytes.indexOf(Buffer.from('Root Entry', 'utf16le')) >= 0;
  // Some programs put header, table and directory first, so that all of these are gone with the beginning.
  if (!root && !namesOleStream(bytes) && !oleContent(bytes))
    return claimed === 'xls' && holdsCells(bytes) ? known('xls') : null;
  const ole = oleFormat(bytes, claimed);
  return ole?.format ? ole : null;
}

/**
 * A chunk with a still picture of WebP (RFC 9649, 2.5 and 2.6): a key frame of VP8, whose start code stands behind three bytes of its tag (RFC 6386, 9.1),
 * or a lossless one with its signature (RFC 9649, 3.4).
 */
function looksLikeWebp(bytes: Buffer): boolean {
  const front = bytes.subarray(0, mostBefore);
  const lossy = front.indexOf('VP8 ', 0, 'latin1');
  if (lossy >= 0 && bytes.subarray(lossy + 11, lossy + 14).equals(startCode)) return true;
  const lossless = front.indexOf('VP8L', 0, 'latin1');
  return lossless >= 0 && bytes[lossless + 8] === losslessSignature;
}

/** Photos that are known by signatures of their own, wherever these stand now. */
function photoInside(bytes: Buffer): Detection {
  if (looksLikePng(bytes)) return known('png');
  // What it tells of the photo may hold a preview that is a JPEG.
  if (looksLikeWebp(bytes)) return known('webp');
  const nested = bytes.indexOf('FUJIFILMCCD-RAW', 0, 'latin1');
  if (nested >= 0 && nested < 65536) return known('raf');
  return bytes.indexOf('HEAPCCDR', 0, 'latin1') === 6 ? known('crw') : null;
}

/** Recognises a format by what is inside when its head is gone. Containers first, since they hold pictures of other formats. */
export function detectByContent(bytes: Buffer, claimed: Format | null): Detection {
  const head = bytes.toString('latin1', 0, 512);
  if (/<html|<!doctype html/i.test(head)) return { format: null, other: 'html' };
  if (looksLikePdf(bytes)) return known('pdf');
  const inside = officeInside(bytes, claimed) ?? photoInside(bytes);
  if (inside) return inside;
  const video = looksLikeVideo(bytes, claimed);
  const tiffLike =
    claimed !== null && (['tiff', 'ciff', 'raf'] as const).some((layout) => formatsOf(layout).includes(claimed));
  if (video && !tiffLike) return video;
  if ((tiffLike || claimed === 'cr3') && beginsAsJpeg(bytes) && looksLikeJpeg(bytes)) return known('jpg');
  if (claimed === 'cr3' && !isText(bytes, textBytes)) return known(claimed);
  if (tiffLike && !isText(bytes, textBytes)) return known(claimed === 'tif' ? 'tif' : tiffLikeFormat(bytes, claimed));
  if (claimed && familyOf(claimed) === 'video' && holdsFrames(bytes)) return known(claimed);
  if (looksLikeJpeg(bytes)) return known('jpg');
  // Text over the head of a photo says nothing of what follows; all of a text has no byte that entropy-coded data has.
  const isWeak = claimed === 'jpg' || (claimed === 'png' && !isText(bytes, textBytes));
  return isWeak ? weakPhoto(bytes, claimed) : null;
}

function tiffLikeFormat(bytes: Buffer, claimed: Format): Format {
  const head = bytes.subarray(0, 1 << 20);
  if (claimed === 'crw' || claimed === 'raf') return claimed;
  const format = tiffFormat(head, claimed);
  return format === 'tif' ? claimed : format;
}

/** A photo that lost every marker but still holds entropy-coded or deflated data worth a look. */
function weakPhoto(bytes: Buffer, claimed: Format): Detection {
  if (claimed === 'png')
    return bytes.indexOf('IDAT', 0, 'latin1') >= 0 || bytes.indexOf('IEND', bytes.length - 64, 'latin1') >= 0
      ? known('png')
      : null;
  const hasEnd = bytes.indexOf(Buffer.from([0xff, 0xd9])) >= 0;
  return bytes.length > 1024 && isEntropyCoded(bytes, hasEnd ? leastStuffed.withEnd : leastStuffed.without)
    ? known('jpg')
    : null;
}

/** Stuffed bytes that entropy-coded data must have at least, beside an end mark and without one. */
const leastStuffed = { withEnd: 4, without: 64 };

/** In entropy-coded JPEG data FF is followed by 00 or a restart marker (ISO/IEC 10918-1, B.1.1.5). */
function isEntropyCoded(bytes: Buffer, least: number): boolean {
  let stuffed = 0;
  let other = 0;
  for (let at = bytes.length >> 1; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    if (next === 0 || (next >= 0xd0 && next <= 0xd7)) stuffed++;
    else other++;
  }
  return stuffed > least && stuffed > other * 10;
}
