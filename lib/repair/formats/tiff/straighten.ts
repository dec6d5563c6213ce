import { Buffer } from '../../host/bytes';
import type { TiffField } from '../../report/facts/photo';
import { type Entry, setByOthers, write16, writeCount } from './agreement';
import { bytesOf, scheme, sizesOf, space, type TiffBytes, tag } from './directory';
import { readHead } from './head';

/** Entries of a directory, and directories of a file, that are looked at. */
const mostEntries = 512;
const mostPages = 64;
/** Types of fields (TIFF 6.0, section 2; those of eight bytes of BigTIFF). */
const fieldType = { short: 3, long: 4, wide: 16 } as const;
/** SHORT, LONG and LONG8, which are all that these fields may have (TIFF 6.0, section 8; BigTIFF). */
const integers = new Set<number>(Object.values(fieldType));
const isNumber = ({ isBig }: TiffBytes, { type }: Entry) => integers.has(type) && (isBig || type !== fieldType.wide);
/** Colours of a pixel from which on a picture has to say which they are. */
const leastColours = 3;

/** Fields that have one number (TIFF 6.0, section 8, 14 and 15), and what a report calls them. */
const singles = new Map<number, TiffField>([
  [tag.width, 'width'],
  [tag.height, 'height'],
  [tag.compression, 'compression'],
  [tag.photometric, 'photometric'],
  [tag.samples, 'samples'],
  [tag.rowsPerStrip, 'rowsPerStrip'],
  [tag.planar, 'samples'],
  [tag.predictor, 'predictor'],
  [tag.tileWidth, 'width'],
  [tag.tileHeight, 'height'],
]);
/** Fields that list where strips or tiles are, and how long. */
const lists = new Set<number>([tag.stripOffsets, tag.stripCounts, tag.tileOffsets, tag.tileCounts]);
const stripTags: readonly number[] = [tag.stripOffsets, tag.rowsPerStrip, tag.stripCounts];
const tileTags: readonly number[] = [tag.tileWidth, tag.tileHeight, tag.tileOffsets, tag.tileCounts];
/** Numbers between those of what every picture has that no field was ever given (TIFF 6.0, appendix A). */
const unused = new Set([260, 261, 267, 268, 275, 276]);

const nameOf = (number: number): TiffField => (number === tag.depth ? 'depth' : (singles.get(number) ?? 'places'));

/** A file with the entries of its directories set right, and which those were; `rest` are fields that are missing, which no entry in it can be. */
export type Straightened = { bytes: Buffer; fields: TiffField[]; rest: TiffField[] };

/**
 * What in the directories cannot be as it is, whatever the data: fields without which there is no picture (TIFF 6.0, section 4 to 6) whose number was
 * changed, which the order of entries tells (section 2), and those of a type or count that they never have (section 8). Decoders pass over such
 * fields, each over others. With `byOthers` also what may be so, but not with what the other fields say (`agreement.ts`). Null where all is as it should be.
 */
export function straighten(given: Buffer, byOthers = false): Straightened | null {
  const head = readHead(given);
  if (!head) return null;
  const result: Straightened = { bytes: Buffer.from(given), fields: [], rest: [] };
  const tiff = readHead(result.bytes) ?? head;
  let offset = tiff.first;
  for (let page = 0; page < mostPages && offset > 0; page++) {
    const entries = readEntries(tiff, offset);
    if (entries.length === 0) break;
    const told = new Set(entries.map((entry) => entry.tag));
    if (told.has(tag.width) || told.has(tag.height)) straightenPage(tiff, entries, result, byOthers);
    const { count, entry } = sizesOf(tiff.isBig);
    offset = tiff.place(offset + count + entries.length * entry);
  }
  return result.fields.length + result.rest.length > 0 ? result : null;
}

function readEntries(tiff: TiffBytes, offset: number): Entry[] {
  const sizes = sizesOf(tiff.isBig);
  const count = tiff.isBig ? tiff.u64(offset) : tiff.u16(offset);
  if (offset < sizes.head || count > mostEntries || offset + sizes.count + count * sizes.entry > tiff.bytes.length)
    return [];
  return Array.from({ length: count }, (_, index) => {
    const place = offset + sizes.count + index * sizes.entry;
    return { ...tiff.entry(place), place };
  });
}

function straightenPage(tiff: TiffBytes, entries: Entry[], result: Straightened, byOthers: boolean): void {
  // JPEG of the old kind tells of itself in its own stream (TIFF 6.0, section 22), and its directories leave out much.
  if (isOldJpeg(tiff, entries)) return;
  const found = new Set<TiffField>();
  // One changed number makes one step back; where there are more, the writer did not sort.
  const steps = entries.filter((entry, index) => entry.tag <= (entries[index - 1]?.tag ?? 0)).length;
  for (const index of steps > 1 ? [] : entries.keys()) {
    const number = lostNumber(entries, index);
    const entry = entries[index];
    if (number === null || !entry) continue;
    write16(tiff, entry.place, number);
    entries[index] = { ...entry, tag: number };
    found.add(nameOf(number));
  }
  for (const entry of entries) {
    const isRight = singles.has(entry.tag)
      ? straightenSingle(tiff, entry, entries)
      : !lists.has(entry.tag) || straightenList(tiff, entry);
    if (!isRight) found.add(nameOf(entry.tag));
  }
  const anew = byOthers ? entries.map(({ place }) => ({ ...tiff.entry(place), place })) : [];
  for (const field of setByOthers(tiff, anew)) found.add(field);
  result.fields.push(...found);
  result.rest.push(...missing(tiff, entries));
}

/** The number that an entry had that now has one that is there twice, is out of order or was never given: the only one missing between its neighbours'. */
function lostNumber(entries: readonly Entry[], index: number): number | null {
  const own = entries[index]?.tag ?? 0;
  const [low, high] = [entries[index - 1]?.tag ?? 0, entries[index + 1]?.tag ?? Number.POSITIVE_INFINITY];
  const isOdd = own <= low || own >= high || unused.has(own);
  if (!isOdd || low >= high) return null;
  const told = new Set(entries.map((entry) => entry.tag));
  const isTiled = tileTags.filter((number) => told.has(number)).length > 1;
  const needed = [
    ...[tag.width, tag.height, tag.depth, tag.compression, tag.photometric, tag.samples],
    ...(isTiled ? tileTags : stripTags),
  ];
  const wanted = needed.filter((number) => number > low && number < high && !told.has(number));
  return wanted.length === 1 ? (wanted[0] ?? null) : null;
}

/** Gives a field of one number that count and a type of numbers; whether it had them. Compression may be told of each sample. */
function straightenSingle(tiff: TiffBytes, entry: Entry, entries: readonly Entry[]): boolean {
  const isPerSample = entry.tag === tag.compression && entry.count === samplesOf(tiff, entries);
  const isType = isNumber(tiff, entry);
  if (isType && (entry.count === 1 || isPerSample)) return true;
  // A wrong count hides a number that stands in the entry.
  const value = entry.place + 4 + sizesOf(tiff.isBig).place;
  const isShort = tiff.little ? tiff.u16(value + 2) === 0 : tiff.u16(value) !== 0;
  if (!isType) write16(tiff, entry.place + 2, isShort ? fieldType.short : fieldType.long);
  writeCount(tiff, entry, 1);
  return false;
}

/** Gives a list of places or lengths the widest type with which every one of its values can be one; whether it had a type of numbers. */
function straightenList(tiff: TiffBytes, entry: Entry): boolean {
  if (isNumber(tiff, entry)) return true;
  const value = entry.place + 4 + sizesOf(tiff.isBig).place;
  const types = tiff.isBig ? [fieldType.wide, fieldType.long, fieldType.short] : [fieldType.long, fieldType.short];
  for (const type of types) {
    const isInside = bytesOf({ type, count: entry.count }) <= sizesOf(tiff.isBig).place;
    const values = tiff.values({ ...entry, type, at: isInside ? value : tiff.place(value) });
    const isWhole = values.length === entry.count && values.length > 0;
    if (!isWhole || values.some((one) => one < 1 || one > tiff.bytes.length)) continue;
    write16(tiff, entry.place + 2, type);
    return false;
  }
  return false;
}

const isOldJpeg = (tiff: TiffBytes, entries: readonly Entry[]): boolean =>
  entries.some((entry) => entry.tag === tag.compression && tiff.values(entry, 1)[0] === scheme.oldJpeg);

function samplesOf(tiff: TiffBytes, entries: readonly Entry[]): number {
  const field = entries.find((entry) => entry.tag === tag.samples);
  return field ? (tiff.values(field, 1)[0] ?? 1) : 1;
}

/** Fields that are missing though others show that the picture needs them: how many samples there are, and which colours several are. */
function missing(tiff: TiffBytes, entries: readonly Entry[]): TiffField[] {
  const find = (number: number) => entries.find((entry) => entry.tag === number);
  const samples = samplesOf(tiff, entries);
  const depths = find(tag.depth)?.count ?? 1;
  const fields: TiffField[] = [];
  if (!find(tag.samples) && depths >= leastColours) fields.push('samples');
  if (!find(tag.photometric) && Math.max(samples, depths) >= leastColours) fields.push('photometric');
  if (!find(tag.depth) && samples >= leastColours && tiff.values(find(tag.photometric), 1)[0] === space.rgb)
    fields.push('depth');
  return fields;
}
