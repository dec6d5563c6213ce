import type { Chain } from '../../video/chained';
import type { Source } from '../../video/source';
import { headOf, longestHead } from './klv';

/** The chain of KLV packets (SMPTE 336M). */
export function chainOf(source: Source): Chain {
  return {
    ...{ from: 0, end: source.size },
    next: (read, at) => {
      const stated = headOf(read(at, longestHead));
      const end = stated ? at + stated.bytes + stated.length : 0;
      return stated && end <= source.size ? end : null;
    },
  };
}
