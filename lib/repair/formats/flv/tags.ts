import type { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';

/** One FLV tag (Adobe FLV 10.1, annex E.4.1): offsets and sizes in bytes, time in milliseconds. */
export type Tag = { offset: number; type: number; size: number; time: number };

/** Bytes of the header of a tag (Adobe FLV 10.1, annex E.4.1) and of the size behind it (E.3). */
export const tagHead = 11;
export const sizeBytes = 4;

/** Whether bytes can be the header of a tag: a type that there is, and stream 0. */
export function isTagHead(head: Buffer): boolean {
  if (head.length < tagHead) return false;
  const type = (head[0] ?? 0) & 0xdf;
  return (type === 8 || type === 9 || type === 18) && head.readUIntBE(8, 3) === 0 && head.readUIntBE(1, 3) > 0;
}

/** The tag header at `offset`, or null when there is none that could be one. */
export function tagAt(source: Source, offset: number): Tag | null {
  const head = source.read(offset, tagHead);
  if (!isTagHead(head)) return null;
  const type = (head[0] ?? 0) & 0xdf;
  const size = head.readUIntBE(1, 3);
  return { offset, type, size, time: head.readUIntBE(4, 3) + (head[7] ?? 0) * 0x1000000 };
}

/** Whether a tag of that type begins as its codecs do: guards the search for the next whole tag (E.4.2.1, E.4.3.1). */
export function plausible(source: Source, tag: Tag): boolean {
  const first = source.read(tag.offset + 11, 1)[0] ?? 0;
  if (tag.offset + 11 + tag.size > source.size) return false;
  if (tag.type === 18) return first === 2;
  if (tag.type === 8) return first >> 4 <= 15;
  if (first & 0x80) return true;
  return first >> 4 >= 1 && first >> 4 <= 5 && (first & 15) >= 2 && (first & 15) <= 12;
}

/** Whether the word after the tag is its size: E.3, PreviousTagSize. */
export function closed(source: Source, tag: Tag): boolean {
  return source.word(tag.offset + 11 + tag.size) === tag.size + 11;
}

/** The next whole tag at or after `from`: one that is closed by its size, or is followed by another tag; null when none is left. */
export function nextTag(source: Source, from: number): Tag | null {
  for (let at = from; at + 12 < source.size; at++) {
    const window = source.read(at, 1 << 16);
    let inside = 0;
    while (inside < window.length) {
      const type = (window[inside] ?? 0) & 0xdf;
      if (type === 8 || type === 9 || type === 18) break;
      inside++;
    }
    at += inside;
    const tag = tagAt(source, at);
    if (!tag || !plausible(source, tag)) continue;
    const end = at + 11 + tag.size;
    const next = tagAt(source, end + 4);
    if (closed(source, tag) || (next && plausible(source, next) && closed(source, next))) return tag;
  }
  return null;
}

/** Whether a tag holds picture or sound. */
export const isMedia = (tag: Tag): boolean => tag.type !== 18;
