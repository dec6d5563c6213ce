import { type Field, type TiffBytes, tag } from '../../../tiff/directory';
import { overwrite, type } from './write';

/** An entry of a directory as it stands, and where. */
export type Entry = Field & { place: number };

/** Bytes of an entry, and where in it its value or the place of its values stands (TIFF 6.0, section 2). */
export const entryBytes = 12;
export const valueAt = 8;
/** Entries of a directory that are looked at: first ones of DNG have near a hundred. */
const mostEntries = 512;
/** The last type of fields (TIFF 6.0, section 2, and IFD of its Technical Note 1). */
const lastType = 13;

/** The entries of the directory at a place, whatever they hold; none where they do not lie in the file. */
export function entriesAt(tiff: TiffBytes, offset: number): Entry[] {
  const count = tiff.u16(offset);
  if (offset < 8 || count > mostEntries || offset + 6 + count * entryBytes > tiff.bytes.length) return [];
  return Array.from({ length: count }, (_, index) => {
    const place = offset + 2 + index * entryBytes;
    return { ...tiff.entry(place), place };
  });
}

/** Whether an entry has a number and a type that there are. */
export const isEntry = ({ tag: number, type: kind }: Entry): boolean => number > 0 && kind >= 1 && kind <= lastType;

/** Gives an entry another number of values, with their place where there are several. */
export function setCount(tiff: TiffBytes, { place }: Entry, count: number): void {
  overwrite(tiff, place + 4, count, 4);
}

/** Gives a field of one number another value, as a SHORT where its entry says so and it fits, else as a LONG. */
export function setNumber(tiff: TiffBytes, { place, type: kind }: Entry, value: number): void {
  const isShort = kind === type.short && value <= 0xffff;
  overwrite(tiff, place + valueAt, 0, 4);
  overwrite(tiff, place + 2, isShort ? type.short : type.long, 2);
  overwrite(tiff, place + 4, 1, 4);
  overwrite(tiff, place + valueAt, value, isShort ? 2 : 4);
}

/** Fields that lead from one directory to others. */
export const pointerTags: readonly number[] = [tag.subDirectories, tag.exif];
