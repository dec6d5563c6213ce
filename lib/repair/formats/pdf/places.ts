import { zlibHeaderLength } from '../../core/deflate/whole';
import { nothingToldYet } from '../../families/document';
import type { Buffer } from '../../host/bytes';
import { inflateCut } from '../../host/packing';
import { type Effort, type EngineJob, LimitError } from '../../report';
import { brokenGroup, decodeBase85 } from './base85';
import { readTables } from './check';
import { filtersOf } from './filters';
import { mostUnpacked, unpackedSize } from './lostfilters';
import { type PdfScan, scanObjects } from './scan';
import { entriesOf, nameOf, numberOf, type PdfObject, type PdfValue, referenceOf } from './values';

/** Bytes between two offsets of a file. */
export type Range = { start: number; end: number };

/** Data of a stream, and whether it is written in base 85. */
export type Packed = Range & { isBase85: boolean };

/** Places as they were before these bytes changed. */
type Earlier = { places: Places; changed: readonly Range[] };

/** Something that does not stand where the file says, but elsewhere. Offsets in bytes. */
export type Moved = { expected: number; found: number };

/**
 * How the pieces of a file fit each other: data of streams that its own sums vouch for, and data that does not fit them, the smallest first;
 * what stands elsewhere than the tables say, and places that they name rightly; and how much is wrong in all.
 */
export type Places = { whole: Range[]; broken: Packed[]; moved: Moved[]; placed: number[]; faults: number };

/** Faults that a file has whose tables cannot be read: what else is wrong with it cannot be told then. */
const withoutTables = 1e6;
const objectHead = /^\s*(\d{1,10})\s+\d{1,5}\s+obj/;
/** Bytes in which the head of an object stands, with the white space before it. */
const headBytes = 40;

/**
 * Reads how the pieces of a file fit each other. What earlier places say of a stream is taken over where it does not lie in the bytes that
 * were changed since.
 */
export function placesOf(job: EngineJob, bytes: Buffer, effort: Effort, earlier: Earlier | null = null): Places | null {
  const scan = scanned(job, bytes);
  if (!scan) return null;
  effort.spend('recordByte', bytes.length);
  effort.spend('markupByte', scan.objects.size * headBytes);
  const sums = new StreamSums(scan, effort, earlier);
  const base = Math.max(0, bytes.subarray(0, headBytes).indexOf('%PDF-'));
  const tables = readTables(bytes, base, { ...job, bytes }, nothingToldYet());
  const places: Places = { whole: [], broken: [], moved: [], placed: [], faults: tables ? 0 : withoutTables };
  for (const object of scan.objects.values()) {
    if (object.flaws.length > 0) places.faults++;
    sums.take(object, places);
  }
  if (!tables) movedTable(bytes, base, scan, places);
  let heads: ReturnType<typeof headsIn> | null = null;
  for (const [number, entry] of tables?.entries ?? []) {
    if (!('offset' in entry)) continue;
    const expected = entry.offset + base;
    const head = objectHead.exec(bytes.toString('latin1', expected, expected + headBytes));
    if (Number(head?.[1]) === number) places.placed.push(expected);
    else {
      places.faults++;
      heads ??= headsIn(bytes);
      for (const found of heads.get(number) ?? []) places.moved.push({ expected, found });
    }
  }
  places.broken.sort((one, other) => one.end - one.start - (other.end - other.start));
  return places;
}

/** Where heads of objects stand, by their numbers, also within what looks like data of others. */
function headsIn(bytes: Buffer): Map<number, number[]> {
  const heads = new Map<number, number[]>();
  let count = 0;
  for (let at = bytes.indexOf(' obj'); at >= 0 && count < mostHeads; at = bytes.indexOf(' obj', at + 1)) {
    const before = /(?:^|\D)(\d{1,10}) \d{1,5}$/.exec(bytes.toString('latin1', Math.max(0, at - headBytes), at));
    if (!before) continue;
    const [, number = ''] = before;
    const places = heads.get(Number(number)) ?? [];
    if (places.length < mostAlike) places.push(at - before[0].length + before[0].indexOf(number));
    heads.set(Number(number), places);
    count++;
  }
  return heads;
}

/** Heads of objects that are looked at, and of one number. */
const mostHeads = 1 << 16;
const mostAlike = 8;

/** Null where pieces come together so that the file claims too much. */
function scanned(job: EngineJob, bytes: Buffer): PdfScan | null {
  try {
    return scanObjects(bytes, job.limits, job.deadline);
  } catch (error) {
    if (error instanceof LimitError) return null;
    throw error;
  }
}

/** Tables that stand elsewhere than the end of the file says (7.5.5, 7.5.8). */
function movedTable(bytes: Buffer, base: number, { objects }: PdfScan, places: Places): void {
  const mark = bytes.lastIndexOf('startxref');
  const noted = mark < 0 ? null : /^startxref\s+(\d{1,10})/.exec(bytes.toString('latin1', mark, mark + headBytes));
  if (!noted) return;
  const expected = Number(noted[1]) + base;
  const table = /(?:^|[^t])xref\s+\d/g;
  const text = bytes.toString('latin1');
  for (let count = 0; count < mostSections; count++) {
    const found = table.exec(text);
    if (!found) break;
    places.moved.push({ expected, found: found.index + found[0].indexOf('xref') });
  }
  for (const { value, offset } of objects.values())
    if (nameOf(entriesOf(value).get('Type')) === 'XRef') places.moved.push({ expected, found: offset });
}

/** Sections of tables that are taken for the one that is missing. */
const mostSections = 8;

/** Tells of streams whether their data fits its sum (RFC 1950, 2.2). */
class StreamSums {
  readonly #scan: PdfScan;
  readonly #effort: Effort;
  readonly #known = new Map<string, boolean>();
  readonly #changed: readonly Range[];

  constructor(scan: PdfScan, effort: Effort, earlier: Earlier | null) {
    this.#scan = scan;
    this.#effort = effort;
    this.#changed = earlier?.changed ?? [];
    for (const range of earlier?.places.whole ?? []) this.#known.set(keyOf(range), true);
    for (const range of earlier?.places.broken ?? []) this.#known.set(keyOf(range), false);
  }

  take({ stream, value, offset }: PdfObject, places: Places): void {
    if (!stream || this.#effort.isSpent) return;
    const { bytes, objects } = this.#scan;
    const entries = entriesOf(value);
    const resolve = (one: PdfValue | undefined) => {
      const number = referenceOf(one);
      return number === null ? one : objects.get(number)?.value;
    };
    const [first, second] = filtersOf(entries, resolve).map(({ name }) => name);
    const isBase85 = first === 'ASCII85Decode';
    if ((isBase85 ? second : first) !== 'FlateDecode') return;
    const start = stream.byteOffset - bytes.byteOffset;
    const length = numberOf(resolve(entries.get('Length'))) ?? stream.length;
    const end = Math.min(bytes.length, start + Math.max(length, 0));
    const one = { start, end, isBase85 };
    const isChanged = this.#changed.some((range) => range.start < end && range.end > offset);
    const known = isChanged ? undefined : this.#known.get(keyOf(one));
    const isWhole = known ?? fitsSum(bytes.subarray(start, end), one.isBase85, this.#effort);
    places[isWhole ? 'whole' : 'broken'].push(one);
    if (!isWhole) places.faults++;
  }
}

const keyOf = ({ start, end }: Range): string => `${start} ${end}`;

/** Whether data of a stream is zlib data from end to end that fits its sum. */
export function fitsSum(data: Buffer, isBase85: boolean, effort: Effort): boolean {
  effort.spend('textProbe');
  if (isBase85) {
    const broken = brokenGroup(data);
    effort.spend('judgedByte', broken < 0 ? data.length : broken);
    if (broken >= 0) return false;
    effort.spend('lzwByte', data.length);
  }
  const packed = isBase85 ? decodeBase85(data).data : data;
  effort.spend('inflatedByte', packed.length * 2);
  const spend = (size: number) => {
    effort.spend('inflatedByte', size);
    effort.spend('summedByte', size * sumPrice);
  };
  return unpackedSize(packed, mostUnpacked, spend) > 0;
}

/** An Adler-32 is not made by the host, and costs so many times what other sums do. */
const sumPrice = 4;

/** The byte up to which data of a stream can be read, and its end where all of it can: what does not belong there begins before. */
export function readableTo(data: Buffer, isBase85: boolean, effort: Effort): number {
  if (isBase85) {
    const broken = brokenGroup(data);
    return broken < 0 ? data.length : broken;
  }
  const packed = data.subarray(zlibHeaderLength(data));
  let [low, high] = [0, packed.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    effort.spend('textProbe');
    effort.spend('inflatedByte', middle * 2);
    if (inflateCut(packed.subarray(0, middle), mostUnpacked) === null) high = middle - 1;
    else low = middle;
  }
  return low + data.length - packed.length;
}
