import type { Buffer } from '../../host/bytes';
import { type BiffRecord, biff, mostRecord } from './biff';
import { type PartPlace, readSharedStrings, recoverSharedStrings, type SharedStrings } from './sharedstrings';

/** What is left of the record of shared strings and those that continue it ([MS-XLS] 2.4.265): the first and last of them among the records, -1 where there is none. */
export type Shared = {
  data: Buffer;
  parts: Buffer[];
  first: number;
  last: number;
  places: PartPlace[];
  /** Whether the record that begins the table, with the counts of its strings, is lost. */
  isHeadless: boolean;
  /** Strings that the index says there are at most; null without one. */
  most: number | null;
};

/** Bytes of the stream that hold shared strings. */
type Part = { from: number; to: number };

const endOf = ({ offset, length }: BiffRecord) => offset + 4 + length;

/** The shared strings' records among those of the workbook itself, and what lies between them where headers of theirs are lost. */
export function sharedParts(data: Buffer, globals: readonly BiffRecord[]): Shared {
  const index = globals.find(({ type }) => type === biff.extSst);
  const found = globals.findIndex(({ type }) => type === biff.sst);
  const isHeadless = found < 0;
  const first = isHeadless ? firstContinued(globals) : found;
  let last = first;
  while (first >= 0 && globals[last + 1]?.type === biff.continued) last++;
  const parts = first < 0 ? [] : partsOf(globals.slice(first, last + 1));
  if (isHeadless) parts.unshift(...beforeFirst(globals, first, index));
  else parts.push(...behindLast(globals, last));
  return {
    data,
    parts: parts.map(({ from, to }) => data.subarray(from, to)),
    first,
    last,
    places: index ? placesIn(index.data, parts) : [],
    isHeadless,
    most: index ? mostIn(index.data) : null,
  };
}

/** The first record that continues one of which nothing is left: nothing, or what is no record, stands before it. */
function firstContinued(globals: readonly BiffRecord[]): number {
  return globals.findIndex((record, index) => {
    const before = globals[index - 1];
    return record.type === biff.continued && (!before || endOf(before) < record.offset);
  });
}

/** The data of records one behind the other; between two that are apart stands another whose header is lost. */
function partsOf(records: readonly BiffRecord[]): Part[] {
  const parts: Part[] = [];
  for (const record of records) {
    const before = parts.at(-1);
    if (before) parts.push(...between(before.to, record.offset));
    parts.push({ from: record.offset + 4, to: endOf(record) });
  }
  return parts;
}

/** What lies between two records that are apart, behind the header that is lost. */
const between = (end: number, next: number): Part[] => (next > end + 4 ? [{ from: end + 4, to: next }] : []);

/** What is left of the first record, whose header is lost, as far as it reached at most. */
function beforeFirst(globals: readonly BiffRecord[], first: number, index: BiffRecord | undefined): Part[] {
  const next = first >= 0 ? globals[first] : index;
  if (!next) return [];
  const before = globals[globals.indexOf(next) - 1];
  const from = Math.max(before ? endOf(before) : 0, next.offset - mostRecord, 0);
  return next.offset > from ? [{ from, to: next.offset }] : [];
}

/** What lies between the last record and the next of another kind, where they are apart. */
function behindLast(globals: readonly BiffRecord[], last: number): Part[] {
  const [record, next] = [globals[last], globals[last + 1]];
  return record && next ? between(endOf(record), next.offset) : [];
}

/** Strings between two places of the index, which is a record of so many entries (2.4.107, dsst). */
const eachIn = (index: Buffer) => (index.length >= 2 ? index.readUInt16LE(0) : 0);
const mostIn = (index: Buffer) => eachIn(index) * Math.floor((index.length - 2) / 8);

/** Where some of the shared strings begin, as their index says (2.4.107); only what lies inside of their records counts. */
function placesIn(index: Buffer, parts: readonly Part[]): PartPlace[] {
  const places: PartPlace[] = [];
  const each = eachIn(index);
  for (let at = 2, entry = 0; each > 0 && at + 8 <= index.length; at += 8, entry++) {
    const offset = index.readUInt32LE(at);
    const part = parts.findIndex(({ from, to }) => offset >= from && offset < to);
    if (part >= 0) places.push({ number: entry * each, part, at: offset - (parts[part]?.from ?? 0) });
  }
  return places;
}

/** What was read last of a stream, by where it was: the same strings are asked for when a stream is checked, measured and rebuilt. */
const lastRead = new WeakMap<Buffer, { from: string; read: SharedStrings }>();

/** Reads the shared strings; `highest` is the greatest number of one that a cell names, which tells how many there are where nothing else does. */
export function sharedStrings(shared: Shared, highest: number): SharedStrings {
  const { data, parts, places, isHeadless } = shared;
  const from = JSON.stringify([parts.map((part) => [part.byteOffset, part.length]), places, isHeadless && highest]);
  const last = lastRead.get(data);
  if (last?.from === from) return last.read;
  const read = readStrings(shared, highest);
  lastRead.set(data, { from, read });
  return read;
}

function readStrings({ parts, places, isHeadless, most }: Shared, highest: number): SharedStrings {
  if (isHeadless) {
    if (parts.length === 0 || highest < 0) return { strings: [], complete: false };
    const announced = Math.min(highest + 1, most ?? highest + 1);
    return { strings: recoverSharedStrings(parts, places, announced), complete: false };
  }
  const plain = readSharedStrings(parts);
  if (plain.complete || parts.length === 0) return plain;
  const placed = places.length > 0 ? recoverSharedStrings(parts, places, null) : [];
  // The index is not always right either, and then finds less than there is before the damage.
  const isPlaced = places.length > 0 && countOf(placed) >= countOf(plain.strings);
  return { strings: isPlaced ? placed : recoverSharedStrings(parts, [], null), complete: false };
}

/** Strings that could be read and hold something. */
const countOf = (strings: SharedStrings['strings']) => strings.filter((text) => text).length;
