import type { Buffer } from '../../../host/bytes';
import { bytesOf, type Directory, type Field, kinds, sizesOf, TiffBytes, tag } from '../directory';

/** The type of fields of eight bytes (LONG8, BigTIFF). */
const wide = 16;
/** The last type of fields of TIFF 6.0 (DOUBLE, section 2), and the most values that a field has. */
const lastUsual = 12;
const mostValues = 1 << 22;
/** Bytes of the least list of places: three of strips and three of lengths. */
const leastList = 24;
/** Places that one list may have. */
const mostPlaces = 100_000;

/** What is left of a lost directory: fields that survived, in the byte order they were written in. */
export type Remains = { tiff: TiffBytes; directory: Directory };

const usualTags = new Set([
  254, 256, 257, 258, 259, 262, 266, 270, 271, 272, 273, 274, 277, 278, 279, 282, 283, 284, 296, 305, 306, 317, 320,
  322, 323, 324, 325, 338, 339, 347, 530, 531, 532,
]);
const structural = new Set<number>([
  tag.width,
  tag.height,
  tag.depth,
  tag.compression,
  tag.photometric,
  tag.samples,
  tag.rowsPerStrip,
  tag.stripOffsets,
  tag.stripCounts,
  tag.tileOffsets,
  tag.tileCounts,
]);
const mostMissing = 10;
const leastFields = 3;

/** The most that are found and given back. */
const mostFound = 16;
const mostGiven = 4;

/** Looks for entries of a directory that stand twelve bytes apart, or twenty (BigTIFF), with growing tags (TIFF 6.0, section 2), whatever became of those between; the most first. */
export function findRemains(bytes: Buffer): Remains[] {
  const found: Remains[] = [];
  for (const [little, isBig] of kinds) {
    const tiff = new TiffBytes(bytes, little, isBig);
    const seen = new Set<number>();
    for (let at = 2; at + sizesOf(isBig).entry <= bytes.length && found.length < mostFound; at += 2) {
      // Tags of pictures begin with a byte of 1 (256 to 511).
      if (bytes[little ? at + 1 : at] !== 1 || seen.has(at)) continue;
      const first = entry(tiff, at);
      if (!first) continue;
      const { fields, end } = entriesFrom(tiff, at, first, seen);
      if (fields.size < leastFields || ![...fields.keys()].some((number) => structural.has(number))) continue;
      found.push({ tiff, directory: { offset: at, fields, next: 0, sound: false, isBig } });
      at = end - 2;
    }
  }
  return found.sort((left, right) => right.directory.fields.size - left.directory.fields.size).slice(0, mostGiven);
}

/** The entries behind a first one, and where the last one ends; `seen` takes their places. */
function entriesFrom(tiff: TiffBytes, at: number, first: Field, seen: Set<number>) {
  const fields = new Map<number, Field>([[first.tag, first]]);
  const entryBytes = sizesOf(tiff.isBig).entry;
  let [last, end, missing] = [first.tag, at + entryBytes, 0];
  for (let next = end; missing <= mostMissing && next + entryBytes <= tiff.bytes.length; next += entryBytes) {
    const field = entry(tiff, next);
    if (!field || field.tag <= last) {
      missing++;
      continue;
    }
    seen.add(next);
    fields.set(field.tag, field);
    [last, end, missing] = [field.tag, next + entryBytes, 0];
  }
  return { fields, end };
}

function entry(tiff: TiffBytes, at: number): Field | null {
  if (!usualTags.has(tiff.u16(at))) return null;
  const field = tiff.entry(at);
  const { tag: number, type, count } = field;
  const isWide = tiff.isBig && type === wide;
  if (type < 1 || (type > lastUsual && !isWide) || count < 1 || count > mostValues) return null;
  if (structural.has(number) && type !== 3 && type !== 4 && !isWide) return null;
  return field.at + bytesOf(field) > tiff.bytes.length ? null : field;
}

/** The places of strips as a list in the file tells them, with what stands between the lists and the data: a table of colours, or nothing. */
export type Places = { segments: { at: number; count: number }[]; palette: number[] };

const paletteSize = 768;

/** Numbers that are looked at for a list of places: lists that rise all the way may begin at each of them. */
const mostLooks = 40_000_000;

/** A list of the places of strips and the list of their lengths beside it, proven by each other; null when no such lists are found. */
export function findPlaces(bytes: Buffer): Places | null {
  let best: Places['segments'] = [];
  let left = mostLooks;
  let palette: number[] = [];
  for (const [little, isBig] of kinds) {
    const tiff = new TiffBytes(bytes, little, isBig);
    const each = sizesOf(isBig).place;
    for (let at = 8; at + leastList <= bytes.length && left > 0; at += 2) {
      const places = ascending(tiff, at);
      left -= places.length + 1;
      if (places.length < 3 || places.length <= best.length) continue;
      const span = places.length * each;
      for (const from of [at + span, at + span + 2, at - span, at - span - 2]) {
        const counts = places.map((_, index) => tiff.place(from + index * each));
        const fits = places.every((place, index) => {
          const [count, next] = [counts[index] ?? 0, places[index + 1]];
          return count > 0 && (next === undefined || (place + count <= next && next - place - count < 4));
        });
        if (from < 8 || !fits) continue;
        best = places.map((place, index) => ({ at: place, count: counts[index] ?? 0 }));
        palette = paletteBetween(tiff, Math.max(at, from) + span, places[0] ?? 0);
      }
      if (best.length === places.length) at += span - 2;
    }
  }
  return best.length > 0 ? { segments: best, palette } : null;
}

/** Red, green and blue of 256 colours (TIFF 6.0, section 5), where exactly as many numbers stand between two places. */
function paletteBetween(tiff: TiffBytes, from: number, to: number): number[] {
  const room = to - from - paletteSize * 2;
  return room >= 0 && room < 4 ? tiff.values({ tag: tag.palette, type: 3, count: paletteSize, at: from }) : [];
}

function ascending(tiff: TiffBytes, at: number): number[] {
  const places: number[] = [];
  let last = 7;
  // Places in a small file begin with zero bytes, which picture data seldom does twice in a row.
  const each = sizesOf(tiff.isBig).place;
  for (let next = at; next + each <= tiff.bytes.length && places.length < mostPlaces; next += each) {
    const place = tiff.place(next);
    if (place <= last || place >= tiff.bytes.length || (places.length > 0 && place - last < 16)) break;
    places.push(place);
    last = place;
  }
  return places;
}
