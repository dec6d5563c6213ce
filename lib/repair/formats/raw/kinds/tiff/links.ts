import { type Directory, type TiffBytes, tag } from '../../../tiff/directory';
import type { Directories } from './directories';
import { type Entry, entriesAt, entryBytes, setCount, valueAt } from './entries';
import { sensorImage } from './image';
import { isExif, isFirst, strayDirectories } from './scan';
import { overwrite, type } from './write';

/** Directories that one field leads to at most. */
const mostPointers = 32;

/**
 * Leads to the directories of sensor data and of EXIF, in place, where the first directory leads to none and they stand: by the entry that
 * holds their place under another number, type or count, by a pointer of zero, or as the directory behind the first one. Whether any was.
 */
export function withLinks(tiff: TiffBytes, now: Directories): boolean {
  const first = now.found.find(isFirst) ?? now.found[0];
  const hasSensor = sensorImage(now) !== null;
  const hasExif = now.found.some(isExif);
  if (!first || (hasSensor && hasExif)) return false;
  const led = new Set(now.found.map(({ offset }) => offset));
  const stray = strayDirectories(tiff.bytes, tiff.little).found.filter(({ offset }) => !led.has(offset));
  let isSet = false;
  if (!hasSensor) {
    const [sensor, ...others] = stray.filter((one) => sensorImage({ tiff, found: [one], broken: [] }) !== null);
    if (sensor && others.length === 0)
      isSet = isLinked(tiff, first, sensor, tag.subDirectories, led) || isChained(tiff, now, sensor);
  }
  const [exif, ...more] = hasExif ? [] : stray.filter(isExif);
  if (exif && more.length === 0) isSet = isLinked(tiff, first, exif, tag.exif, led) || isSet;
  return isSet;
}

function isLinked(
  tiff: TiffBytes,
  first: Directory,
  wanted: Directory,
  number: number,
  led: ReadonlySet<number>,
): boolean {
  const entries = entriesAt(tiff, first.offset);
  const own = entries.find((entry) => entry.tag === number);
  const [low, high] = [entries.findLast((entry) => entry.tag < number), entries.find((entry) => entry.tag > number)];
  for (const entry of own ? [own] : [low, high]) {
    if (!entry) continue;
    const places = placesIn(tiff, entry, led);
    const index = places.values.indexOf(wanted.offset);
    if (index < 0 && !own) continue;
    // Where none of its pointers leads there, one of zero, or one that another one equals, is the lost one.
    const lost =
      index >= 0
        ? index
        : places.values.findIndex(
            (value, at, all) => value === 0 || all.indexOf(value) < at || led.has(value) === false,
          );
    if (lost < 0) continue;
    overwrite(tiff, entry.place, number, 2);
    overwrite(tiff, entry.place + 2, type.long, 2);
    setCount(tiff, entry, places.values.length);
    overwrite(tiff, places.at + lost * 4, wanted.offset, 4);
    return true;
  }
  return false;
}

/** The pointers that an entry holds: its own value, or, where that is no directory, those in the place that it names. */
function placesIn(tiff: TiffBytes, entry: Entry, led: ReadonlySet<number>): { at: number; values: number[] } {
  const own = entry.place + valueAt;
  const place = tiff.u32(own);
  const inside = { at: own, values: [place] };
  if (place === 0 || tiff.directory(place) || entry.tag === tag.exif) return inside;
  const values = tiff.values({ ...entry, type: type.long, count: mostPointers, at: place });
  const end = values.findIndex((value) => value !== 0 && !led.has(value) && !tiff.directory(value));
  const told = entry.count > 1 && entry.count <= mostPointers ? entry.count : 0;
  const several = values.slice(0, Math.max(end, told));
  return several.length > 1 ? { at: place, values: several } : inside;
}

/** Puts a directory behind the last one of the chain, where nothing stands behind that; whether it could. */
function isChained(tiff: TiffBytes, { found }: Directories, wanted: Directory): boolean {
  const [first] = found;
  if (first?.next !== 0) return false;
  overwrite(tiff, first.offset + 2 + first.fields.size * entryBytes, wanted.offset, 4);
  return true;
}
