import type { Source } from '../../video/source';
import { closed, isMedia, nextTag, plausible, sizeBytes, type Tag, tagAt, tagHead } from './tags';

/**
 * What stands in a file: its tags, those whose PreviousTagSize is wrong, by how much these differ from what they hold (a few of them), tags whose
 * heads were set right, and stretches that are no whole tag, in bytes.
 */
export type Walk = {
  tags: Tag[];
  wrongSizes: number;
  differences: Set<number>;
  restored: number;
  gaps: { offset: number; length: number }[];
  headOk: boolean;
};

/** Whether the header says that it is one (E.2): signature, version, and where the body begins. */
export function bodyStart(source: Source): number | null {
  const head = source.read(0, 13);
  const start = head.length === 13 ? head.readUInt32BE(5) : 0;
  const isHead = head.toString('latin1', 0, 3) === 'FLV' && head[3] === 1 && start >= 9 && start < 1024;
  return isHead ? start + sizeBytes : null;
}

/** Differences of sizes that are kept: more than one are no writer's way. */
const mostDifferences = 3;
/** Last tags by which is told what a packet is. */
const lookedAt = 16;

/** Type of the tag whose content begins with a byte: that of the last ones that begin so, pictures by their codec alone. */
function typeBy(source: Source, byte: number, before: readonly Tag[]): number | null {
  for (const { type, offset } of before.slice(-lookedAt).reverse()) {
    const other = source.read(offset + tagHead, 1)[0] ?? 0;
    if (type === 8 ? other === byte : type === 9 && (other & 0x8f) === (byte & 0x8f)) return type;
  }
  return null;
}

/**
 * The tag at an offset whose head is wrong, where the size behind it leads back to it (E.3) and its content begins as others before it do. Its
 * type, its size and its stream, which is zero (E.4.1), are set right for all that read the file afterwards.
 */
function restoredTag(source: Source, at: number, next: Tag, before: readonly Tag[]): Tag | null {
  const end = next.offset - sizeBytes;
  const size = end - at - tagHead;
  if (size <= 0 || size > 0xffffff || source.word(end) !== size + tagHead) return null;
  const type = typeBy(source, source.read(at + tagHead, 1)[0] ?? 0, before);
  if (type === null) return null;
  const bytes = [type, size >> 16, (size >> 8) & 255, size & 255];
  for (const [index, byte] of bytes.entries()) source.mend(at + index, byte);
  for (const index of [8, 9, 10]) source.mend(at + index, 0);
  return tagAt(source, at);
}

/** Goes from tag to tag, over damage to the next whole one. */
export async function walkTags(source: Source, tell: (offset: number) => Promise<void>): Promise<Walk> {
  const start = bodyStart(source);
  const none = { tags: [], wrongSizes: 0, differences: new Set<number>(), restored: 0, gaps: [] };
  const found: Walk = { ...none, headOk: start !== null };
  for (let at = start ?? 0; at < source.size; ) {
    const whole = wholeTag(source, at);
    const next = whole ?? nextTag(source, at);
    const restored = !whole && next && next.offset > at ? restoredTag(source, at, next, found.tags) : null;
    if (restored) found.restored++;
    const tag = restored ?? next;
    const until = tag ? tag.offset : source.size;
    // Remains of a lost header are no packets that are missing.
    if (until > at && (found.headOk || found.tags.length > 0 || until > 13))
      found.gaps.push({ offset: at, length: until - at });
    if (!tag) break;
    if (tag.offset === at && !closed(source, tag)) {
      found.wrongSizes++;
      if (found.differences.size < mostDifferences)
        found.differences.add(source.word(at + tagHead + tag.size) - tag.size);
    }
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

/** Types of tags with picture or sound whose times are wrong: all of them zero beside others, or running backwards; and which of the two. */
export function timesBroken(tags: readonly Tag[]): { how: 'zeroed' | 'backwards'; types: readonly number[] } | null {
  const own = [8, 9].map((type) => ({ type, tags: tags.filter((tag) => isMedia(tag) && tag.type === type) }));
  const all = own.flatMap((one) => (isBackwards(one.tags) ? [one.type] : []));
  if (all.length > 0) return { how: 'backwards', types: [8, 9] };
  const zeroed = own.filter((one) => one.tags.length > 8 && one.tags.every(({ time }) => time === 0));
  return zeroed.length > 0 ? { how: 'zeroed', types: zeroed.map(({ type }) => type) } : null;
}

const isBackwards = (tags: readonly Tag[]): boolean =>
  tags.some(({ time }, index) => time < (tags[index - 1]?.time ?? 0));
