import type { Source } from '../../video/source';
import { type Element, elementAt, ids, inCluster, topLevel } from './elements';

/**
 * Identifiers of elements that a program may have of its own, of two, three and four bytes (RFC 8794, 5): those of one byte are the standard's alone
 * (RFC 9559, 27.1), and a longer one is never written where fewer bytes would do.
 */
const registered = [
  { least: 0x407f, most: 0x7ffe },
  { least: 0x203fff, most: 0x3ffffe },
  { least: 0x101fffff, most: 0x1ffffffe },
];
const parts: readonly number[] = [...topLevel, ...inCluster, ids.ebml, ids.segment].filter((id) => id > 0xff);

/** Whether two identifiers of as many bytes differ in one of them. */
function differInOne(one: number, other: number): boolean {
  const difference = (one ^ other) >>> 0;
  return [0, 8, 16, 24].some((shift) => (difference & ~(0xff << shift)) >>> 0 === 0);
}

/** Whether an identifier is none of `known`, can be a program's own, and is not one of them with a wrong byte. */
export function isForeign(id: number, known: Iterable<number>): boolean {
  const form = registered.find(({ least, most }) => id >= least && id <= most);
  if (!form) return false;
  for (const one of known)
    if (one === id || (one >= form.least && one <= form.most && differInOne(one, id))) return false;
  return true;
}

/** What clusters begin with, each of so many bytes at most, and the other parts of a segment (RFC 9559, 5.1). */
const numbers = new Set<number>([ids.timestamp, ids.position, ids.prevSize, ids.crc]);
const mostBytes = 8;
const others = [ids.seek, ids.timestampScale, ids.muxingApp, ids.trackEntry, ids.cuePoint, 0x45b9, 0x61a7, 0x7373];
const firstChildren = new Set<number>(others);
const children = new Set<number>([...numbers, ...firstChildren, ...inCluster]);

/** Whether an element holds what a part of a segment does: two children of them in a row. Its identifier is then what is wrong. */
function holdsChildren(source: Source, { body, end }: Element): boolean {
  const first = elementAt(source, body);
  if (!first || first.end > end) return false;
  const isNumber = numbers.has(first.id) && first.end - first.body <= mostBytes;
  if (!isNumber && !firstChildren.has(first.id)) return false;
  return first.end === end || children.has(elementAt(source, first.end)?.id ?? 0);
}

/** Elements of a program's own and fillers in a row that are passed at most before one that is known. */
const mostInRow = 16;

/**
 * The elements of a program's own from `at` on (RFC 8794, 4: readers pass what they do not know), up to `limit` or to what `leads` knows;
 * none where that does not come.
 */
export function ownElements(source: Source, at: number, limit: number, leads: (at: number) => boolean): Element[] {
  const found: Element[] = [];
  for (let place = at, count = 0; count < mostInRow; count++) {
    const next = elementAt(source, place);
    if (!next || next.unknown || next.end > limit) break;
    if (next.id !== ids.void || count === 0) {
      if (!isForeign(next.id, parts) || holdsChildren(source, next)) break;
      found.push(next);
    }
    place = next.end;
    if (place === limit || leads(place)) return found;
  }
  return [];
}
