import { Buffer } from '../../../../host/bytes';
import { type Directory, type TiffBytes, tag } from '../../../tiff/directory';
import { type Directories, directoriesOf, imageOf } from './directories';
import { type Entry, entriesAt, entryBytes, isEntry, pointerTags, setCount, valueAt } from './entries';
import { isExif, strayDirectories } from './scan';
import { overwrite, type } from './write';

/** Entries that may have been overwritten in a directory that is still taken for one, and the fewest that stand. */
const mostOdd = 2;
const fewestStanding = 2;

/**
 * Sets right, in place, places that should hold directories and hold none: entries of nothing are taken out of a directory,
 * pointers are led to the directory of their kind that nothing else leads to, numbers of pointers that are too many are taken back, and so
 * is a pointer to what is none. Tells whether some of what the camera
 * noted is lost; null where all places hold directories.
 */
export function withPointers(tiff: TiffBytes, now: Directories): { isBare: boolean } | null {
  if (now.broken.length === 0) return null;
  let isBare = false;
  for (const offset of now.broken) if (withoutOdd(tiff, offset)) isBare = true;
  const again = directoriesOf(tiff.bytes);
  if (!again) return null;
  const stray = straysOf(again);
  for (const directory of again.found) {
    for (const entry of entriesAt(tiff, directory.offset))
      if (pointerTags.includes(entry.tag) && !isLed(tiff, entry, again, stray)) isBare = true;
    const next = directory.offset + 2 + entriesAt(tiff, directory.offset).length * entryBytes;
    if (again.broken.includes(tiff.u32(next))) overwrite(tiff, next, 0, 4);
  }
  return { isBare };
}

/** Sound directories that stand somewhere and are not led to. */
function straysOf({ tiff, found, broken }: Directories): Directory[] {
  if (broken.length === 0) return [];
  const led = new Set(found.map(({ offset }) => offset));
  return strayDirectories(tiff.bytes, tiff.little).found.filter(({ offset }) => !led.has(offset));
}

/** Takes entries of nothing out of what else is a directory, in place; whether it did. */
function withoutOdd(tiff: TiffBytes, offset: number): boolean {
  const entries = entriesAt(tiff, offset);
  const standing = entries.filter(isEntry);
  const odd = entries.length - standing.length;
  if (odd < 1 || odd > mostOdd || standing.length < fewestStanding) return false;
  if (standing.some((entry, index) => entry.tag <= (standing[index - 1]?.tag ?? 0))) return false;
  const end = offset + 2 + entries.length * entryBytes;
  const kept = standing.map(({ place }) => Buffer.from(tiff.bytes.subarray(place, place + entryBytes)));
  const all = Buffer.concat([...kept, tiff.bytes.subarray(end, end + 4), Buffer.alloc(odd * entryBytes)]);
  overwrite(tiff, offset, standing.length, 2);
  all.copy(tiff.bytes, offset + 2);
  return true;
}

/** Leads the pointers of an entry to directories; whether none that it had is lost. */
function isLed(tiff: TiffBytes, entry: Entry, now: Directories, stray: readonly Directory[]): boolean {
  const isWrong = (value: number) => now.broken.includes(value);
  if (!tiff.values(entry, mostPointers).some(isWrong)) return true;
  const own = entry.place + valueAt;
  if (entry.count > 1 && tiff.directory(tiff.u32(own))) {
    // What several pointers would stand at is a directory itself: there was one.
    overwrite(tiff, entry.place + 2, type.long, 2);
    setCount(tiff, entry, 1);
    return true;
  }
  const wide = { ...entry, type: type.long, at: entry.count > 1 ? tiff.u32(own) : own };
  const values = tiff.values(wide, mostPointers);
  if (entry.type !== type.long && values.length > 0 && values.every((value) => tiff.directory(value))) {
    overwrite(tiff, entry.place + 2, type.long, 2);
    return true;
  }
  const fitting = stray.filter(entry.tag === tag.exif ? isExif : (one) => imageOf(tiff, one) !== null);
  const wrong = values.findIndex(isWrong);
  const [only] = fitting;
  if (only && fitting.length === 1 && values.filter(isWrong).length === 1) {
    overwrite(tiff, wide.at + wrong * 4, only.offset, 4);
    return true;
  }
  if (wrong > 0 && beginsAt(tiff, now, wide.at + wrong * 4)) {
    if (wrong === 1) overwrite(tiff, own, values[0] ?? 0, 4);
    setCount(tiff, entry, wrong);
    return true;
  }
  for (const [index, value] of values.entries()) if (isWrong(value)) overwrite(tiff, wide.at + index * 4, 0, 4);
  return false;
}

/** Whether a directory, or the values of one of its fields, begin at a place. */
const beginsAt = (tiff: TiffBytes, { found }: Directories, place: number): boolean =>
  found.some(({ offset }) => offset === place || entriesAt(tiff, offset).some(({ at }) => at === place));

/** Directories that one field leads to at most. */
const mostPointers = 32;
