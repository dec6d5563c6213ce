import type { Chain } from '../../video/chained';
import type { Source } from '../../video/source';
import { elementHead, ids, inCluster, readElement, topLevel } from './elements';

/** Elements that are gone into rather than passed over (RFC 9559, 5.1). */
const entered: ReadonlySet<number> = new Set([ids.segment, ids.cluster]);
const known: ReadonlySet<number> = new Set([...topLevel, ...inCluster, ids.ebml, ids.segment]);
/** Bytes of a track number of a block that are read, which has no more in files (10.1). */
const widest = 2;

/** The chain of elements of the segment and of its clusters. */
export function chainOf(source: Source): Chain {
  return {
    ...{ from: 0, end: source.size },
    next: (read, at) => {
      const element = readElement(read(at, elementHead), at, source.size);
      if (!element || !known.has(element.id)) return null;
      if (entered.has(element.id)) return element.body;
      if (element.unknown || element.end > source.size) return null;
      const width = Math.clz32(read(element.body, 1)[0] ?? 0) - 23;
      return element.id === ids.simpleBlock && width > widest ? null : element.end;
    },
  };
}
