import type { TiffBytes } from '../../../tiff/directory';
import { bytesOf } from '../../../tiff/directory';
import type { Directories } from './directories';
import { entriesAt, entryBytes, isEntry } from './entries';
import { overwrite } from './write';

/** Entries of a directory that are looked at, and the fewest that show that one stands at a place. */
const mostEntries = 512;
const fewestEntries = 3;

/**
 * Sets the numbers of entries right, in place, of directories behind which no next one can stand, or that cannot be read as they are: as
 * many as ascend (TIFF 6.0, section 2) up to a place of four bytes that is zero or leads to a directory. Gives how many were.
 */
export function withCounts(tiff: TiffBytes, { found, broken }: Directories): number {
  const doubtful = found.filter(({ next }) => broken.includes(next)).map(({ offset }) => offset);
  let set = 0;
  for (const offset of [...doubtful, ...broken]) {
    const count = countAt(tiff, offset);
    if (count === null || count === tiff.u16(offset)) continue;
    overwrite(tiff, offset, count, 2);
    set++;
  }
  return set;
}

/** The number of entries that stand at a place; null where they do not end as a directory does. */
function countAt(tiff: TiffBytes, offset: number): number | null {
  if (offset < 8) return null;
  let last = 0;
  for (let count = 0; count < mostEntries; count++) {
    const place = offset + 2 + count * entryBytes;
    if (place + 4 > tiff.bytes.length) return null;
    const next = tiff.u32(place);
    const isWiped = tiff.bytes.subarray(place, place + entryBytes).every((byte) => byte === 0);
    if (count < tiff.u16(offset) && isWiped && count + 1 < mostEntries) continue;
    const isEnd =
      next === 0 || (next !== offset && entriesAt(tiff, next).every(isEntry) && tiff.directory(next) !== null);
    if (isEnd) return count >= fewestEntries ? count : null;
    if (place + entryBytes > tiff.bytes.length) return null;
    const entry = { ...tiff.entry(place), place };
    if (!isEntry(entry) || entry.tag <= last || entry.at + bytesOf(entry) > tiff.bytes.length) return null;
    last = entry.tag;
  }
  return null;
}
