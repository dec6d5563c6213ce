import { tag } from '../../../tiff/directory';
import { rawTag, sensorSpace } from './directories';
import { type Entry, isEntry, setCount } from './entries';
import { ownValue, type Sheet, sensorTag } from './sheet';
import { overwrite, type } from './write';

/** Fields of one number of a picture (TIFF 6.0, section 8 and 15). */
const singles: readonly number[] = [
  rawTag.subfile,
  tag.width,
  tag.height,
  tag.compression,
  tag.photometric,
  tag.samples,
  tag.rowsPerStrip,
  tag.planar,
  rawTag.tileWidth,
  rawTag.tileHeight,
];
/** Fields that directories of sensor data have under their own number. */
const usual = new Set<number>([
  ...singles,
  tag.depth,
  tag.stripOffsets,
  tag.stripCounts,
  tag.tileOffsets,
  tag.tileCounts,
  sensorTag.repeat,
  sensorTag.pattern,
]);
/** Types of numbers that these fields have. */
const numbers: readonly number[] = [type.short, type.long];

/** Fields without which there is no sensor data: those of a CR2, which tells its size in the data, are fewer. */
function neededOf(sheet: Sheet, isCr2: boolean): number[] {
  const lists = [sheet.placeTag, sheet.countTag];
  if (isCr2) return [tag.compression, ...lists];
  const tiles = sheet.isTiled ? [rawTag.tileWidth, rawTag.tileHeight] : [];
  const filters = sheet.find(sensorTag.repeat) ? [sensorTag.pattern] : [];
  return [tag.width, tag.height, tag.depth, tag.compression, tag.photometric, ...tiles, ...lists, ...filters];
}

/** Fields of two bytes, which readers ask for as such (TIFF 6.0, section 8). */
const shorts: readonly number[] = [tag.depth, tag.compression, tag.photometric, tag.samples, tag.planar];

/** What a wiped entry of a number held in all directories of sensor data; the others are told by the data. */
const constants = new Map<number, number>([
  [rawTag.subfile, 0],
  [tag.photometric, sensorSpace.filters],
  [tag.samples, 1],
  [tag.planar, 1],
]);

/**
 * Gives entries, in place, the numbers, types and counts that their fields have: a needed field that is missing is the one entry that
 * stands between its neighbours' numbers and has none of the usual ones (TIFF 6.0, section 2: entries ascend). Gives how many were set.
 */
export function withNumbers(sheet: Sheet, isCr2: boolean): number {
  let set = 0;
  for (const number of [...neededOf(sheet, isCr2), tag.samples, tag.planar, tag.rowsPerStrip, rawTag.subfile]) {
    if (sheet.find(number)) continue;
    const isNeeded = neededOf(sheet, isCr2).includes(number);
    const entry = fitting(sheet, number, isNeeded);
    if (!entry) continue;
    if (!isEntry(entry)) {
      const kind = shorts.includes(number) ? type.short : type.long;
      overwrite(sheet.tiff, entry.place + 2, kind, 2);
      overwrite(sheet.tiff, entry.place + 4, 1, 4);
      overwrite(sheet.tiff, ownValue(entry), constants.get(number) ?? 0, kind === type.short ? 2 : 4);
      if (number === tag.rowsPerStrip) overwrite(sheet.tiff, ownValue(entry), sheet.height, 4);
    }
    overwrite(sheet.tiff, entry.place, number, 2);
    set++;
  }
  for (const entry of sheet.entries)
    if (isEntry(entry) && singles.includes(entry.tag) && !isSingle(sheet, entry)) set++;
  for (const number of [sheet.placeTag, sheet.countTag]) if (isListSet(sheet, number)) set++;
  return set;
}

/** The one entry that may be that of a missing field: wiped ones, and, of a needed field, ones with a number that is none of the usual. */
function fitting(sheet: Sheet, number: number, isNeeded: boolean): Entry | null {
  const { entries } = sheet;
  const found = entries.filter((entry, index) => {
    const isWiped = entry.tag === 0 && entry.type === 0 && number !== sensorTag.pattern;
    const twice = entries.filter((other) => other.tag === entry.tag).length > 1;
    if (!isWiped && !(isNeeded && (!usual.has(entry.tag) || twice) && Math.abs(entry.tag - number) <= nearest))
      return false;
    const [low, high] = [entries[index - 1], entries[index + 1]];
    return (low?.tag ?? 0) < number && (high === undefined || high.tag > number || high.tag === 0);
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** How far a number may be off. */
const nearest = 2;

/** Gives a field of one number that count and a type of numbers; whether it had them. */
function isSingle(sheet: Sheet, entry: Entry): boolean {
  const { tiff } = sheet;
  const own = ownValue(entry);
  // The upper half of a LONG is no value: a SHORT stands in the first two bytes of an entry.
  const isHalf = !tiff.little && entry.type === type.short && tiff.u16(own) === 0 && tiff.u16(own + 2) > 0;
  const isType = numbers.includes(entry.type) && !isHalf;
  if (isType && entry.count === 1) return true;
  const isShort = tiff.little ? tiff.u16(own + 2) === 0 : tiff.u16(own) !== 0;
  if (!isType) overwrite(tiff, entry.place + 2, isShort ? type.short : type.long, 2);
  setCount(tiff, entry, 1);
  return false;
}

/** Gives a list of places or lengths the type with which all of its values can be one, or the count of the other list; whether one was set. */
function isListSet(sheet: Sheet, number: number): boolean {
  const { tiff } = sheet;
  const entry = sheet.find(number);
  if (!entry) return false;
  const other = sheet.find(number === sheet.placeTag ? sheet.countTag : sheet.placeTag);
  const wanted = piecesOf(sheet);
  const isCount = other !== undefined && entry.count !== wanted && other.count === wanted;
  const kind = numbers.includes(entry.type) ? entry.type : type.long;
  if (!isCount && kind === entry.type) return false;
  overwrite(tiff, entry.place + 2, kind, 2);
  if (isCount) setCount(tiff, entry, wanted);
  return true;
}

/** The pieces that the size of a picture asks for. */
function piecesOf(sheet: Sheet): number {
  const { width, height } = sheet;
  const [across, down] = sheet.isTiled
    ? [sheet.one(rawTag.tileWidth), sheet.one(rawTag.tileHeight)]
    : [width, sheet.one(tag.rowsPerStrip, height)];
  if (width === 0 || across < 1 || down < 1) return 1;
  return Math.ceil(width / across) * Math.ceil(height / down);
}
