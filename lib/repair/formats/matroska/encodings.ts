import type { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { type Element, elementsIn, ids, numberIn } from './elements';

/** How frames of a track are packed (RFC 9559, 5.1.4.1.31.6): as zlib streams, or without the bytes that each begins with. */
export type Packing = { kind: 'zlib' } | { kind: 'stripped'; first: Buffer };

/** ContentCompAlgo of these, and the bit of ContentEncodingScope that says that frames are packed so, which is its default. */
const algorithms = { zlib: 0, stripped: 3 };
const framesAre = 1;
/** Bytes that frames may be without, at most. */
const mostStripped = 1024;

const childOf = (source: Source, parent: Element | undefined, wanted: number): Element | undefined =>
  parent && elementsIn(source, parent.body, parent.end)?.find(({ id }) => id === wanted);

function packingOf(source: Source, encoding: Element | undefined): Packing | null {
  const scope = childOf(source, encoding, ids.contentEncodingScope);
  const packed = childOf(source, encoding, ids.contentCompression);
  if (!packed || ((scope ? numberIn(source, scope) : framesAre) & framesAre) === 0) return null;
  const named = childOf(source, packed, ids.contentCompAlgo);
  const algorithm = named ? numberIn(source, named) : algorithms.zlib;
  if (algorithm === algorithms.zlib) return { kind: 'zlib' };
  const settings = childOf(source, packed, ids.contentCompSettings);
  const length = settings ? settings.end - settings.body : 0;
  if (algorithm !== algorithms.stripped || !settings || length > mostStripped) return null;
  return { kind: 'stripped', first: source.copy(settings.body, length) };
}

/** What ContentEncodings of a track say of its frames (RFC 9559, 5.1.4.1.31): whether they are encrypted, and how they are packed where it is in one way that is known. */
export function readEncodings(
  source: Source,
  { body, end }: Element,
): { isEncrypted: boolean; packing: Packing | null } {
  const encodings = (elementsIn(source, body, end) ?? []).filter(({ id }) => id === ids.contentEncoding);
  const isEncrypted = encodings.some((one) => childOf(source, one, ids.contentEncryption) !== undefined);
  return { isEncrypted, packing: encodings.length === 1 ? packingOf(source, encodings[0]) : null };
}
