import type { Chain } from '../../video/chained';
import type { Source } from '../../video/source';
import { after, media, other } from './chunks';

/** Bytes of the head of a chunk, and of a list with its type (AVI RIFF File Reference). */
const [chunkHead, listHead] = [8, 12];

/** The chain of chunks, those of `movi` and of its groups among them. */
export function chainOf(source: Source): Chain {
  return {
    ...{ from: 0, end: source.size },
    next: (read, at) => {
      const head = read(at, listHead);
      if (head.length < chunkHead) return null;
      const id = head.toString('latin1', 0, 4);
      const type = head.toString('latin1', chunkHead);
      if (id === 'RIFF' || (id === 'LIST' && (type === 'movi' || type === 'rec '))) return at + listHead;
      if (id !== 'LIST' && !media.test(id) && !other.test(id)) return null;
      const length = head.readUInt32LE(4);
      const end = after({ id, offset: at, length });
      return at + chunkHead + length > source.size ? null : Math.min(source.size, end);
    },
  };
}
