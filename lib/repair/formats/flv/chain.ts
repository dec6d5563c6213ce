import type { Chain } from '../../video/chained';
import type { Source } from '../../video/source';
import type { Read } from '../../video/view';
import { isTagHead, sizeBytes, tagHead } from './tags';
import { bodyStart } from './walk';

/** Whether the size before a tag leads back to the head of one that is as long; that before the first is zero. */
function leadsBack(read: Read, at: number, from: number): boolean {
  const word = read(at, sizeBytes);
  const size = word.length === sizeBytes ? word.readUInt32BE(0) : -1;
  if (at === from) return size === 0;
  const head = size >= tagHead && size <= at - from ? read(at - size, tagHead) : null;
  return head !== null && isTagHead(head) && head.readUIntBE(1, 3) === size - tagHead;
}

/** The chain of tags, each behind the size of the one before it (Adobe FLV 10.1, annex E.3); null without the head of the file. */
export function chainOf(source: Source): Chain | null {
  const body = bodyStart(source);
  if (body === null) return null;
  const from = body - sizeBytes;
  return {
    ...{ from, end: source.size },
    next: (read, at) => {
      if (!leadsBack(read, at, from)) return null;
      if (at + sizeBytes === source.size) return source.size;
      const head = read(at + sizeBytes, tagHead);
      return isTagHead(head) ? at + sizeBytes + tagHead + head.readUIntBE(1, 3) : null;
    },
  };
}
