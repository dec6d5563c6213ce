import { frameHead, isOpenObu, obuHeadBytes, obuType, readObu } from '../../codecs/av1';
import { descriptor } from '../../codecs/configuration';
import { dnxHeadBytes, readDnxHead } from '../../codecs/dnx';
import type { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import type { Track } from './track';

/** Whether samples are pictures of H.263. */
export const isH263 = ({ codec }: Pick<Track, 'codec'>): boolean => /^(s263|h263|H263)$/.test(codec);

/** Whether samples are units of HEVC. */
const isHevc = (track: Track): boolean => /^(hvc1|hev1|dvh1|dvhe)$/.test(track.codec);

/** Whether the first bytes of a NAL unit are such as encoders write: no forbidden_zero_bit, and a type or layer that is used (14496-10, table 7-1; 23008-2, table 7-1). */
const isNalHead = (nal: number, next: number, hevc: boolean) =>
  (nal & 0x80) === 0 && (hevc ? (next & 7) !== 0 : (nal & 31) !== 0);

/** The length of the unit of a sample behind the length at `at`; 0 where there cannot be one. */
export function nalAt(sample: Buffer, at: number, track: Track): number {
  const body = at + track.lengthBytes;
  if (body >= sample.length) return 0;
  const length = sample.readUIntBE(at, track.lengthBytes);
  const isThere =
    body + length <= sample.length && isNalHead(sample[body] ?? 0x80, sample[body + 1] ?? 0, isHevc(track));
  return isThere ? length : 0;
}

/** How many bytes of a sample are a sound chain of NAL units (ISO/IEC 14496-15, 4.3.2): the whole size when nothing is wrong. */
export function chainLength(source: Source, track: Track, offset: number, size: number): number {
  const width = track.lengthBytes;
  const hevc = isHevc(track);
  let at = 0;
  while (at + width < size) {
    const head = source.read(offset + at, width + 2);
    if (head.length < width + 1) return at;
    const length = head.readUIntBE(0, width);
    const nal = head[width] ?? 0x80;
    if (length === 0 || at + width + length > size || offset + at + width + length > source.size) return at;
    if (!isNalHead(nal, head[width + 1] ?? 0, hevc)) return at;
    at += width + length;
  }
  return at === size ? size : at;
}

/** Kinds of units that a frame is in, and the one that only says that an earlier frame is shown again or that tiles follow. */
const frameUnits: ReadonlySet<number> = new Set([obuType.frame, obuType.frameHeader, obuType.tiles]);

/**
 * Whether a sample is a chain of open bitstream units of AV1 that leads exactly to its end and holds a frame: a delimiter comes first alone,
 * tiles come behind their head, reserved bits are zero, and only the last unit may carry no size (AV1 bitstream specification, 5.3 and 7.5).
 */
function isObuChain(source: Source, offset: number, size: number): boolean {
  let at = 0;
  let isBegun = false;
  while (at < size) {
    const head = source.read(offset + at, obuHeadBytes);
    const type = ((head[0] ?? 0) >> 3) & 15;
    const isExtended = ((head[0] ?? 0) & 4) !== 0;
    if ((isExtended && ((head[1] ?? 0) & 7) !== 0) || (type === obuType.tiles && !isBegun)) return false;
    isBegun ||= type === obuType.frame || type === obuType.frameHeader;
    const obu = readObu(head);
    if (!obu) return at > 0 && isOpenObu(head[0] ?? 0xff) && frameUnits.has(type);
    if (type === obuType.delimiter && (at > 0 || obu.length > 0)) return false;
    // A frame with its tiles is shown by what is in it, not again.
    if (type === obuType.frame && frameHead(head[obu.body] ?? 0x80).isAgain) return false;
    at += obu.body + obu.length;
  }
  return at === size && isBegun;
}

/** objectTypeIndication (ISO/IEC 14496-1, table 5, and mp4ra.org) of JPEG, and of MPEG-4, MPEG-2 and MPEG-1 pictures, which begin with start codes. */
const jpegObject = 0x6c;
const mpeg4Object = 0x20;
const mpeg2Objects: ReadonlySet<number> = new Set([0x60, 0x61, 0x62, 0x63, 0x64, 0x65]);
const codedObjects = new Set([mpeg4Object, ...mpeg2Objects, 0x6a]);

/** What the samples of a track of MPEG pictures are; one without a description is taken for MPEG-4. */
const objectOf = ({ stsd }: Pick<Track, 'stsd'>): number => descriptor(stsd, 4)?.[0] ?? mpeg4Object;

/** Whether samples are pictures of MPEG-4 Part 2. */
export const isMpeg4 = (track: Pick<Track, 'codec' | 'stsd'>): boolean =>
  track.codec === 'mp4v' && objectOf(track) === mpeg4Object;

/** Whether samples are pictures of MPEG-2, by the names that cameras give them, too (QuickTime's of HDV and XDCAM). */
export const isMpeg2 = (track: Track): boolean =>
  /^(m2v1|mpg2|hdv[1-9a]|xd[5hvx][0-9a-z]|mx[345][np])$/.test(track.codec) ||
  (track.codec === 'mp4v' && mpeg2Objects.has(objectOf(track)));

/** Whether samples are pictures of JPEG. */
export const isJpeg = (track: Track): boolean =>
  /^(jpeg|mjpa|mjpb|dmb1|mjpg)$/.test(track.codec) || (track.codec === 'mp4v' && objectOf(track) === jpegObject);

/** Whether a code of samples is one of ProRes. */
export const isProres = (codec: string): boolean => /^ap(?:4[hx]|c[hnso])$/.test(codec);

/** Whether a code of samples is one of DNxHD or DNxHR. */
const isDnx = (codec: string): boolean => /^AVd[hn]$/.test(codec);

/** Whether nothing inside of a sample looks like the beginning of one, though its end is not told by it. */
export const isMarked = (track: Track): boolean => isDnx(track.codec) || isProres(track.codec) || isJpeg(track);

/** Whether the sample begins as its codec's samples do; null for a codec that cannot be told. */
export function looksRight(source: Source, track: Track, offset: number, size: number): boolean | null {
  if (size === 0) return null;
  if (offset < 0 || offset + size > source.size) return false;
  if (track.lengthBytes > 0) return chainLength(source, track, offset, size) === size;
  const head = source.read(offset, 8);
  if (isJpeg(track)) return head[0] === 0xff && head[1] === 0xd8;
  if (isProres(track.codec)) return head.toString('latin1', 4, 8) === 'icpf';
  if (isDnx(track.codec)) return readDnxHead(source.read(offset, dnxHeadBytes)) !== null;
  if (/^(s263|h263)$/.test(track.codec)) return head[0] === 0 && head[1] === 0 && ((head[2] ?? 0) & 0xfc) === 0x80;
  if (track.codec === 'av01') return isObuChain(source, offset, size);
  if (track.codec === 'mp4v' && codedObjects.has(objectOf(track)))
    return head[0] === 0 && head[1] === 0 && head[2] === 1;
  return null;
}

/** Whether `looksRight` can tell right from wrong for this track at all. */
export function canTell(track: Track): boolean {
  if (track.codec === 'mp4v') return isJpeg(track) || codedObjects.has(objectOf(track));
  const { codec } = track;
  return track.lengthBytes > 0 || isJpeg(track) || isProres(codec) || isDnx(codec) || /^(s263|h263|av01)$/.test(codec);
}
