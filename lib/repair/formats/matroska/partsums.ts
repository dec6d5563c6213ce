import { crc32 } from '../../core/sums';
import { influencesOf, weighted } from '../../core/sumweights';
import type { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { type Element, elementAt, ids } from './elements';
import type { Walk } from './walk';

/** Parts whose check sum did not fit: where the first lies, how many were set right by it, and those that stay so and describe picture and sound. */
export type PartSums = { offset: number; mended: number; changed: Element[] };

/** Parts that a file cannot do without. */
const describing = new Set<number>([ids.info, ids.tracks]);
/** Parts of which the check sum is compared: the index and the seek list are always written anew. */
const summed = new Set<number>([...describing, ids.tags, ids.chapters]);
/** Bytes of all parts in which those that are wrong are looked for: in more, another one would fit the sum by chance. */
const mostLooked = 1 << 16;
const sumBytes = 4;

/** The check sum that a part begins with (RFC 8794, 11.3.1), and the bytes behind it that it is of; null where it has none. */
function sumOf(source: Source, { body, end }: Element): { at: number; stated: number; bytes: Buffer } | null {
  const first = elementAt(source, body);
  if (first?.id !== ids.crc || first.end - first.body !== sumBytes || first.end >= end || end - body > mostLooked)
    return null;
  const stated = source.read(first.body, sumBytes).readUInt32LE(0);
  return { at: first.end, stated, bytes: source.copy(first.end, end - first.end) };
}

/** The one byte with which bytes have a check sum, as its place and value; null where there is none, or more than one. */
function wrongByte(bytes: Buffer, wanted: number): { at: number; byte: number } | null {
  const influences = influencesOf(new Int32Array(bytes.length).fill(-1));
  const found: { at: number; byte: number }[] = [];
  for (const [at, byte] of bytes.entries())
    for (let difference = 1; difference < 256; difference++)
      if (weighted(difference, influences[at] ?? 0) === wanted) found.push({ at, byte: byte ^ difference });
  const [only, other] = found;
  return only && !other ? only : null;
}

/** Compares the check sums of parts with what they hold, and sets the one byte right, for all that read the file afterwards, by which a sum does not fit. */
export function mendBySums(source: Source, { parts, gaps }: Walk): PartSums {
  const sums: PartSums = { offset: -1, mended: 0, changed: [] };
  let left = mostLooked;
  for (const part of parts) {
    const isCut = part.isMoved || gaps.some(({ offset }) => offset === part.end);
    const sum = summed.has(part.id) && !isCut ? sumOf(source, part) : null;
    const wanted = sum ? crc32(sum.bytes) ^ sum.stated : 0;
    if (!sum || wanted === 0) continue;
    if (sums.offset < 0) sums.offset = part.offset;
    left -= sum.bytes.length;
    const wrong = left >= 0 ? wrongByte(sum.bytes, wanted) : null;
    if (wrong) {
      source.mend(sum.at + wrong.at, wrong.byte);
      sums.mended++;
    } else if (describing.has(part.id)) sums.changed.push(part);
  }
  return sums;
}
