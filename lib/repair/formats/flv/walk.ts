import type { Source } from '../../video/source';
import { closed, nextTag, plausible, type Tag, tagAt } from './tags';

/** What stands in a file: its tags, those whose PreviousTagSize is wrong, and stretches that are no whole tag, in bytes. */
export type Walk = { tags: Tag[]; wrongSizes: number; gaps: { offset: number; length: number }[]; headOk: boolean };

/** Bytes of the header of a tag (Adobe FLV 10.1, annex E.4.1) and of the size behind it (E.3). */
const tagHead = 11;
const sizeBytes = 4;

/** Whether the header says that it is one (E.2): signature, version, and where the body begins. */
function bodyStart(source: Source): number | null {
  const head = source.read(0, 13);
  const start = head.length === 13 ? head.readUInt32BE(5) : 0;
  const isHead = head.toString('latin1', 0, 3) === 'FLV' && head[3] === 1 && start >= 9 && start < 1024;
  return isHead ? start + sizeBytes : null;
}

/** Goes from tag to tag, over damage to the next whole one. */
export async function walkTags(source: Source, tell: (offset: number) => Promise<void>): Promise<Walk> {
  const start = bodyStart(source);
  const found: Walk = { tags: [], wrongSizes: 0, gaps: [], headOk: start !== null };
  for (let at = start ?? 0; at < source.size; ) {
    const tag = wholeTag(source, at) ?? nextTag(source, at);
    const until = tag ? tag.offset : source.size;
    // Remains of a lost header are no packets that are missing.
    if (until > at && (found.headOk || found.tags.length > 0 || until > 13))
      found.gaps.push({ offset: at, length: until - at });
    if (!tag) break;
    if (tag.offset === at && !closed(source, tag)) found.wrongSizes++;
    found.tags.push(tag);
    at = tag.offset + tagHead + sizeBytes + tag.size;
    await tell(at);
  }
  return found;
}

/** The tag at an offset, if it is closed by its size, followed by another one, or the last of the file. */
function wholeTag(source: Source, at: number): Tag | null {
  const tag = tagAt(source, at);
  if (!tag || !plausible(source, tag)) return null;
  const end = at + tagHead + tag.size;
  return closed(source, tag) || end >= source.size - sizeBytes || tagAt(source, end + sizeBytes) ? tag : null;
}

/** Whether a tag holds picture or sound. */
export const isMedia = (tag: Tag): boolean => tag.type !== 18;

/** What is wrong with the times of a file. */
export function timesBroken(tags: readonly Tag[]): 'zeroed' | 'backwards' | null {
  const media = tags.filter(isMedia);
  if (media.length > 8 && media.every((tag) => tag.time === 0)) return 'zeroed';
  const last = new Map<number, number>();
  for (const tag of media) {
    if (tag.time < (last.get(tag.type) ?? 0)) return 'backwards';
    last.set(tag.type, tag.time);
  }
  return null;
}
