import { Buffer } from '../../host/bytes';
import { biff, mostRecord, writeRecord } from './biff';

/** Shared strings by number, undefined where one cannot be read; `complete` when all that are announced are there. */
export type SharedStrings = { strings: (string | undefined)[]; complete: boolean };

/** Reads the shared strings (2.4.265) from a record and the ones that continue it, as it stands; up to the first that is damaged. */
export function readSharedStrings(parts: readonly Buffer[]): SharedStrings {
  const reader = new PartReader(parts);
  const used = reader.u32();
  const unique = Math.min(reader.u32(), mostStrings);
  const strings: string[] = [];
  // Some programs leave a count behind in a table that no cell uses and that holds nothing.
  if (used === 0 && parts.length === 1 && (parts[0]?.length ?? 0) <= 8) return { strings, complete: true };
  let blanks = 0;
  while (strings.length < unique) {
    const text = reader.text();
    if (text === null) break;
    if (text === '') blanks++;
    strings.push(text);
  }
  // Zeroes in the place of strings read as empty ones, which are shorter than those that were there.
  const isRead = strings.length >= unique && (blanks < 2 || reader.atEnd);
  return { strings, complete: parts.length > 0 && isRead };
}

/** Where the first of the shared strings stands, behind their counts. */
export const sharedBegin: PartPlace = { number: 0, part: 0, at: 8 };

/** Where reading the shared strings from a place on stops before all are read, and where the one before begins; null where all that are announced are there. */
export function readsUpTo(parts: readonly Buffer[], place: PartPlace): { at: PartPlace; from: PartPlace } | null {
  const reader = new PartReader(parts);
  reader.u32();
  const unique = Math.min(reader.u32(), mostStrings);
  reader.place = place;
  let before = place;
  for (let number = place.number; number < unique; number++) {
    const at = { number, ...reader.place };
    const text = reader.text();
    if (text === null) return { at, from: before };
    before = at;
  }
  return null;
}

/** Strings that are read of one table. */
const mostStrings = 4_000_000;

/**
 * Reads the shared strings of a damaged table: behind one that is damaged reading goes on at the next of `places`, or from where the rest
 * comes out even with the end. With `announced` the beginning with the counts is lost, and so many strings there are.
 */
export function recoverSharedStrings(
  parts: readonly Buffer[],
  places: readonly PartPlace[],
  announced: number | null,
): (string | undefined)[] {
  const reader = new PartReader(parts);
  if (announced === null) reader.u32();
  const unique = Math.min(announced ?? reader.u32(), mostStrings);
  const strings: (string | undefined)[] = [];
  let following = 0;
  while (strings.length < unique) {
    while ((places[following]?.number ?? unique) <= strings.length) following++;
    const next = places[following] ?? null;
    const before = reader.place;
    // What a table without its beginning starts with is the end of a string, as likely as not.
    const isCut = announced !== null && strings.length === 0;
    if (!isCut && takeString(reader, strings, next)) continue;
    const end = next?.number ?? unique;
    const rest = evenStrings(reader, before, end - strings.length - (isCut ? 0 : 1), next);
    if (!rest && !next) break;
    while (strings.length < end - (rest?.length ?? 0)) strings.push(undefined);
    for (const string of rest ?? []) strings.push(string);
    if (next) reader.place = next;
  }
  return strings;
}

/** Reads one more string; false when it is damaged. */
function takeString(reader: PartReader, strings: (string | undefined)[], next: PartPlace | null): boolean {
  const text = reader.text();
  // Of strings that differ, as shared ones do, no two are empty: what reads so are zeroes that came in their place.
  const isBlank = text === '' && strings.at(-1) === '';
  if (isBlank) strings[strings.length - 1] = undefined;
  if (text === null || isBlank || !fits(reader, next, strings.length)) return false;
  strings.push(text);
  return true;
}

/** Whether the string that was read, of this number, ends where the next one whose place is known begins, or before that. */
function fits(reader: PartReader, next: PartPlace | null, number: number): boolean {
  if (!next) return true;
  return next.number === number + 1 ? reader.isAt(next) : !reader.isBehind(next);
}

/** A place in a record and those that continue it, and the number of the string there. */
export type PartPlace = { number: number; part: number; at: number };

/** Bytes behind a damaged string in which the next sound one is looked for: of a piece of a file that is lost as a whole. */
const farthestString = 1 << 16;

/** The strings from the first place behind `from` from which they come out even with `stop`, or the end of the last record. */
function evenStrings(
  reader: PartReader,
  from: { part: number; at: number },
  most: number,
  stop: PartPlace | null,
): string[] | null {
  // What was read from one place without success need not be read from a place on the way again.
  const failed = new Set<number>();
  let { part, at } = from;
  for (let step = 0; step < farthestString; step++) {
    at++;
    if (at >= reader.lengthOf(part)) {
      part++;
      at = 0;
    }
    if (part >= reader.count || (stop && (part > stop.part || (part === stop.part && at >= stop.at)))) return null;
    reader.place = { part, at };
    const strings = stringsUpTo(reader, most, stop, failed);
    if (strings) return strings;
  }
  return null;
}

/** The strings from the reader's place on, when they end where `stop` is, or the last record ends; `failed` has the places from which they do not. */
function stringsUpTo(reader: PartReader, most: number, stop: PartPlace | null, failed: Set<number>): string[] | null {
  const strings: string[] = [];
  const isDone = () => (stop ? reader.isAt(stop) : reader.atEnd);
  while (!isDone() && !reader.atEnd) {
    if (failed.has(reader.position)) return null;
    failed.add(reader.position);
    const text = reader.text();
    if (text === null || (text === '' && strings.at(-1) === '')) return null;
    strings.push(text);
  }
  return isDone() && strings.length > 0 && strings.length <= most ? strings : null;
}

/** Texts hold no zeroes; more than these show that what is read is none. */
const mostBlank = 3;

/** Reads across records; a string cut by a record boundary goes on after a byte that tells its new width. */
class PartReader {
  #part = 0;
  #at = 0;
  readonly #parts: readonly Buffer[];

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts;
  }

  get place(): { part: number; at: number } {
    return { part: this.#part, at: this.#at };
  }

  set place({ part, at }: { part: number; at: number }) {
    this.#part = part;
    this.#at = at;
  }

  /** The place as one number; records are shorter than their greatest length. */
  get position(): number {
    return this.#part * (mostRecord * 16) + this.#at;
  }

  isAt(place: { part: number; at: number }): boolean {
    this.#settle();
    return this.#part === place.part && this.#at === place.at;
  }

  isBehind(place: { part: number; at: number }): boolean {
    return this.#part > place.part || (this.#part === place.part && this.#at > place.at);
  }

  get count(): number {
    return this.#parts.length;
  }

  lengthOf(part: number): number {
    return this.#parts[part]?.length ?? 0;
  }

  get atEnd(): boolean {
    this.#settle();
    return this.#part === this.#parts.length && this.#at === 0;
  }

  #settle(): void {
    while (this.#part < this.#parts.length && this.#at >= (this.#parts[this.#part]?.length ?? 0)) {
      this.#part++;
      this.#at = 0;
    }
  }

  skip(count: number): void {
    for (let left = count; left > 0; ) {
      this.#settle();
      const room = (this.#parts[this.#part]?.length ?? Number.POSITIVE_INFINITY) - this.#at;
      const taken = Math.min(left, room);
      this.#at += taken;
      left -= taken;
    }
  }

  byte(): number | null {
    this.#settle();
    const value = this.#parts[this.#part]?.[this.#at];
    this.#at++;
    return value ?? null;
  }

  u16(): number | null {
    const low = this.byte();
    const high = this.byte();
    return low === null || high === null ? null : low | (high << 8);
  }

  u32(): number {
    return ((this.u16() ?? 0) | ((this.u16() ?? 0) << 16)) >>> 0;
  }

  text(): string | null {
    const count = this.u16();
    const flags = this.byte();
    if (count === null || flags === null || (flags & 0xf2) !== 0) return null;
    const runs = flags & 8 ? this.u16() : 0;
    const extra = flags & 4 ? this.u32() : 0;
    if (runs === null) return null;
    const text = this.#characters(count, (flags & 1) === 1);
    if (text === null) return null;
    this.skip(runs * 4 + Math.min(extra, 1 << 20));
    return text;
  }

  /** So many characters, as many together as one record holds in one width. */
  #characters(count: number, isWide: boolean): string | null {
    let [wide, text, blank] = [isWide, '', 0];
    for (let left = count; left > 0; ) {
      if (this.#at >= this.lengthOf(this.#part)) {
        this.#settle();
        const renewed = this.byte();
        if (renewed === null) return null;
        wide = (renewed & 1) === 1;
      }
      const width = wide ? 2 : 1;
      const most = Math.min(left, Math.floor(Math.max(0, this.lengthOf(this.#part) - this.#at) / width));
      const piece = most > 0 ? this.#within(most * width) : this.#across(wide);
      if (!piece) return null;
      for (let at = 0; at + width <= piece.length && blank <= mostBlank; at += width)
        if (piece[at] === 0 && (!wide || piece[at + 1] === 0)) blank++;
      if (blank > mostBlank) return null;
      text += piece.toString(wide ? 'utf16le' : 'latin1');
      left -= Math.max(1, most);
    }
    return text;
  }

  /** Bytes of the record at hand. */
  #within(bytes: number): Buffer | null {
    const from = this.#at;
    this.#at += bytes;
    return this.#parts[this.#part]?.subarray(from, this.#at) ?? null;
  }

  /** A character whose bytes a boundary parts. */
  #across(wide: boolean): Buffer | null {
    const code = wide ? this.u16() : this.byte();
    return code === null ? null : Buffer.from([code & 255, code >> 8]).subarray(0, wide ? 2 : 1);
  }
}

/** Writes shared strings with the records that continue them; no string is cut by a boundary unless it is longer than a record. */
export function writeSharedStrings(strings: readonly string[], references: number): Buffer {
  const records: Buffer[] = [];
  const head = Buffer.alloc(8);
  head.writeUInt32LE(Math.max(references, strings.length), 0);
  head.writeUInt32LE(strings.length, 4);
  let pieces: Buffer[] = [head];
  let length = 8;
  const flush = () => {
    records.push(writeRecord(records.length === 0 ? biff.sst : biff.continued, Buffer.concat(pieces)));
    pieces = [];
    length = 0;
  };
  for (const string of strings) {
    const text = string.slice(0, 4000);
    const item = Buffer.alloc(3 + text.length * 2);
    item.writeUInt16LE(text.length, 0);
    item[2] = 1;
    item.write(text, 3, 'utf16le');
    if (length + item.length > mostRecord) flush();
    pieces.push(item);
    length += item.length;
  }
  flush();
  return Buffer.concat(records);
}
