import { commonest } from '../../core/commonest';
import type { Damage, Rebuilt } from '../../report/facts/video';
import type { Source } from '../../video/source';
import { isMedia, type Tag } from './tags';
import { isSetup } from './timing';

/** Types of tags of sound and pictures (Adobe FLV 10.1, annex E.4.1). */
const [sound, picture] = [8, 9] as const;
/** Bytes of the head of a tag, behind which what it holds begins. */
const tagHead = 11;
/** The most of the tags of a track, as a share, whose codec or time is wrong, rather than another one from there on. */
const mostOdd = 0.05;
/** Fewest tags by which the codec of a track is told. */
const telling = 8;
/** CodecID of H.264, the frame types of a key and another picture, and nal_unit_type of a slice that needs no other picture (E.4.3.1, table 7-1). */
const avc = 7;
const [keyFrame, interFrame, lastFrameType] = [1, 2, 5];
const instantRefresh = 5;
/** Bit of a head that another one follows, as in the enhanced format, where it is no CodecID. */
const enhanced = 0x80;

/** How many heads and times were set right. */
export type MendedTags = { heads: number; times: number };

/** What most of some values are, where nearly all are the same; null elsewhere. */
function commonOf(values: readonly number[]): number | null {
  if (values.length < telling) return null;
  const { value, count } = commonest(values);
  return values.length - count <= Math.max(1, values.length * mostOdd) ? value : null;
}

/** The first byte of what a tag holds: its codec, and what kind of picture or sound. */
const firstOf = (source: Source, tag: Tag): number => source.read(tag.offset + tagHead, 1)[0] ?? 0;

/** Whether a packet of H.264 holds a picture that needs no other: by the first slice behind its lengths. */
function isInstant(source: Source, tag: Tag): boolean {
  const end = tag.offset + tagHead + tag.size;
  for (let at = tag.offset + tagHead + 5; at + 5 <= end; ) {
    const type = (source.read(at + 4, 1)[0] ?? 0) & 31;
    if (type >= 1 && type <= instantRefresh) return type === instantRefresh;
    at += 4 + Math.max(1, source.word(at));
  }
  return false;
}

/** The first byte of a packet of pictures with the codec of all others, and the frame type that it has, or that its slices tell. */
function pictureByte(source: Source, tag: Tag, byte: number, codec: number): number {
  const isSetting = codec === avc && (source.read(tag.offset + tagHead + 1, 1)[0] ?? 0) === 0;
  if (codec === avc) return ((isSetting || isInstant(source, tag) ? keyFrame : interFrame) << 4) | codec;
  const type = byte >> 4;
  return ((type >= keyFrame && type <= lastFrameType ? type : interFrame) << 4) | codec;
}

/** Gives packets that begin as all of the other track do the type of that one; how many. */
function mendTypes(source: Source, tags: readonly Tag[]): number {
  const usual = commonOf(tags.filter(({ type }) => type === sound).map((tag) => firstOf(source, tag)));
  const codec = commonOf(
    tags.filter(({ type }) => type === picture).map((tag) => firstOf(source, tag) & (enhanced | 15)),
  );
  if (usual === null || codec === null || (usual & (enhanced | 15)) === codec) return 0;
  const typeOf = (tag: Tag): number => {
    const byte = firstOf(source, tag);
    if (byte === usual) return sound;
    return (byte & (enhanced | 15)) === codec ? picture : tag.type;
  };
  const media = tags.filter(isMedia);
  const wrong = media.filter((tag) => typeOf(tag) !== tag.type);
  if (wrong.length > Math.max(1, media.length * mostOdd)) return 0;
  for (const tag of wrong) {
    tag.type = typeOf(tag);
    source.mend(tag.offset, tag.type);
  }
  return wrong.length;
}

/** Gives packets the codec that all others of their track have, where a few have another; how many. */
function mendCodecs(source: Source, tags: readonly Tag[]): number {
  let mended = 0;
  const sounds = tags.filter(({ type }) => type === sound);
  const usual = commonOf(sounds.map((tag) => firstOf(source, tag)));
  for (const tag of usual === null ? [] : sounds) {
    if (firstOf(source, tag) === usual) continue;
    source.mend(tag.offset + tagHead, usual as number);
    mended++;
  }
  const pictures = tags.filter(({ type }) => type === picture);
  const codec = commonOf(pictures.map((tag) => firstOf(source, tag) & (enhanced | 15)));
  if (codec === null || codec & enhanced) return mended;
  for (const tag of pictures) {
    const byte = firstOf(source, tag);
    if ((byte & (enhanced | 15)) === codec) continue;
    source.mend(tag.offset + tagHead, pictureByte(source, tag, byte, codec));
    mended++;
  }
  return mended;
}

/** Gives single tags whose time does not lie between those of the tags of their track on both sides the one in the middle; how many. */
function mendTimes(tags: readonly Tag[]): number {
  let mended = 0;
  for (const type of [sound, picture]) {
    const own = tags.filter((tag) => tag.type === type);
    const isOdd = (index: number) => {
      const [before, one, behind] = [own[index - 1], own[index], own[index + 1]];
      if (!one || !behind || (before && before.time > behind.time)) return false;
      return one.time > behind.time || (before !== undefined && one.time < before.time);
    };
    const odd = own.map((_, index) => index).filter(isOdd);
    if (odd.length > Math.max(2, own.length * mostOdd)) continue;
    // Of two beside one another the first may be the one that is right.
    const all = new Set(odd);
    const alone = odd.filter((index) => !all.has(index - 1));
    for (const index of alone) {
      const [before, one, behind] = [own[index - 1], own[index], own[index + 1]];
      if (!one || !behind) continue;
      one.time = before ? Math.round((before.time + behind.time) / 2) : behind.time;
      mended++;
    }
  }
  return mended;
}

/** Sets heads of single tags right, for all that read the file afterwards, by those of the others. */
export function mendTags(source: Source, tags: readonly Tag[]): MendedTags {
  const heads = mendTypes(source, tags) + mendCodecs(source, tags);
  return { heads, times: mendTimes(tags.filter((tag) => isMedia(tag) && !isSetup(source, tag))) };
}

/** What was set right as facts; `found` heads were set right on the way from tag to tag. */
export function factsOfTags({ heads, times }: MendedTags, found: number): { damages: Damage[]; rebuilt: Rebuilt[] } {
  const damages: Damage[] = [];
  if (heads + found > 0) damages.push({ kind: 'blocks', count: heads + found });
  if (times > 0) damages.push({ kind: 'times', how: 'apart' });
  const count = heads + found + times;
  return { damages, rebuilt: count > 0 ? [{ unit: 'packet heads', count, how: 'anew' }] : [] };
}
