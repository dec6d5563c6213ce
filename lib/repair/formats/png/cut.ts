import { inflateCut, inflateRaw } from '../../host/packing';
import { type PictureData, soundBits } from './data';
import { inflatedSize, type PngHeader } from './header';
import type { PngRows } from './rows';

/** Bytes of the head of zlib data (RFC 1950, 2.2). */
const zlibHead = 2;
/** The last of the filters (ISO/IEC 15948, 9.2). */
const lastFilter = 4;

/**
 * The bit up to which picture data is as it was written: up to the first part whose check sum says otherwise. Where that is the last one, which
 * goes on behind the end of the file and so has no check sum, it is up to the end where all that there is unpacks, to rows that begin with
 * filters: a file that was cut is rarely damaged once more, and what its rows look like is no reason to doubt them then. A wrong byte that
 * stands for as many others as the right one is not seen so.
 */
export function writtenTo(data: PictureData, header: PngHeader, { starts }: PngRows): number {
  const [unsound, other] = data.spans.filter(({ sound }) => !sound);
  const isCut = unsound !== undefined && !other && unsound === data.spans.at(-1) && unsound.sum === null;
  const rows = isCut ? unpackedCut(data.bytes.subarray(zlibHead), inflatedSize(header)) : null;
  const isOrdered = rows !== null && starts.every((start) => start >= rows.length || (rows[start] ?? 0) <= lastFilter);
  return isOrdered ? data.bytes.length * 8 : soundBits(data);
}

/** What unpacks of data that its end is missing from; null where it is broken in another way, or says that it ends before. */
const unpackedCut = (packed: Uint8Array, most: number): Uint8Array | null =>
  inflateRaw(packed, most) === 'broken' ? inflateCut(packed, most) : null;
