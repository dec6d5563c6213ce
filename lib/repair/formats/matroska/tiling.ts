import type { Source } from '../../video/source';
import { childrenIn, type Element, elementsIn, ids } from './elements';

/** Elements that hold others, of the parts of a segment beside its tracks and clusters (RFC 9559, 5.1): seek list, info, cues, chapters, attachments, tags. */
const parents = new Set<number>([
  ids.seekHead,
  ids.seek,
  ids.info,
  ids.cues,
  ids.cuePoint,
  ids.cueTrackPositions,
  ids.chapters,
  ids.attachments,
  ids.tags,
  ...[0x45b9, 0xb6, 0x80, 0x8f, 0x6944, 0x6911, 0x6924, 0x61a7, 0x7373, 0x63c0, 0x67c8],
]);
/** Parts that are looked through: the tracks are read on their own. */
const looked = new Set<number>([ids.seekHead, ids.info, ids.cues, ids.chapters, ids.attachments, ids.tags]);
/** How deep elements stand in one another at most: tags and chapters may hold those of their own kind. */
const deepest = 8;

/** Elements of a file that are looked at; what is behind them counts as filled. */
const mostElements = 1 << 20;
type Left = { elements: number };

/** Whether the children of an element fill it, and theirs them: readers lose their place in one that they do not fill. */
function isFilled(source: Source, { id, body, end }: Element, depth: number, left: Left): boolean {
  if (!parents.has(id) || left.elements <= 0) return true;
  const children = depth < deepest ? elementsIn(source, body, end) : null;
  left.elements -= children?.length ?? 0;
  return children?.every((child) => isFilled(source, child, depth + 1, left)) ?? false;
}

/** The parts of a segment whose sizes do not lead from one of their elements to the next. */
export function brokenParts(source: Source, parts: readonly Element[]): Set<number> {
  const left = { elements: mostElements };
  const isBroken = (part: Element) => looked.has(part.id) && (part.isMoved || !isFilled(source, part, 0, left));
  return new Set(parts.filter(isBroken).map(({ offset }) => offset));
}

/** Children of an Info (RFC 9559, 5.1.2), and the one kind of which tags, chapters and attachments are made (5.1.8.1, 5.1.7.1, 5.1.6.1). */
const childrenOf: ReadonlyMap<number, ReadonlySet<number>> = new Map([
  [
    ids.info as number,
    new Set<number>([
      ...[ids.timestampScale, ids.duration, ids.muxingApp, ids.writingApp],
      ...[0x4461, 0x7ba9, 0x73a4, 0x7384, 0x3cb923, 0x3eb923, 0x3c83ab, 0x3e83bb, 0x4444, 0x6924],
    ]),
  ],
  [ids.tags, new Set([0x7373])],
  [ids.chapters, new Set([0x45b9])],
  [ids.attachments, new Set([0x61a7])],
]);
const fillers = [ids.void, ids.crc];
const noParents = new Set<number>();

/** What is left of a part whose elements do not fill it: those that can be read, and that theirs fill. */
export function intactChildren(source: Source, { id, body, end }: Element): Element[] {
  const known = childrenOf.get(id);
  if (!known) return [];
  const { elements } = childrenIn(source, body, end, new Set([...known, ...fillers]), noParents);
  const left = { elements: mostElements };
  return elements.filter((child) => known.has(child.id) && isFilled(source, child, 1, left));
}
