import { type TiffBytes, tag } from '../../../tiff/directory';
import type { Directories } from './directories';
import { entriesAt, setCount } from './entries';
import { placeFields } from './named';
import { overwrite, type } from './write';

const numbers: readonly number[] = [type.short, type.long];

/**
 * Sets numbers and types of the fields, in place, that name places of data and its lengths: as many of either (TIFF 6.0, section 3), and one
 * of a whole JPEG. Whether any was set.
 */
export function withPairs(tiff: TiffBytes, { found }: Directories): boolean {
  let isSet = false;
  for (const { offset } of found) {
    const entries = entriesAt(tiff, offset);
    for (const [starts, counts] of placeFields) {
      const pair = [starts, counts].map((number) => entries.find((entry) => entry.tag === number));
      const [one, other] = pair;
      if (!one || !other) continue;
      const isSingle = starts === tag.jpegStart || one.count === 1 || other.count === 1;
      for (const entry of [one, other]) {
        if (!numbers.includes(entry.type)) {
          overwrite(tiff, entry.place + 2, type.long, 2);
          isSet = true;
        }
        if (!isSingle || entry.count === 1) continue;
        setCount(tiff, entry, 1);
        isSet = true;
      }
    }
  }
  return isSet;
}
