import type { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { escapedPlace, flip, unescaped } from '../bits';
import type { BlockStart, RowEnd } from '../slices';
import type { Mended, UnitReader } from '../units';
import { HevcData } from './data';
import type { HevcFields } from './fields';
import { type HevcSlice, readHevcSlice } from './header';
import { hevcTypeOf, isSliceType } from './naltypes';

/** Bits within which another one may do the same as a wrong one, when the row below confirms them; chosen on the bench. */
const near = 400;
/** Times what sound slices hold that a slice may hold where none of its bits keeps it within; chosen on the bench. */
const looser = 2;

/** A part of a slice's data that is read for itself: a row of blocks, or all of them. Places in the unit with emulation prevention. */
type Part = { from: number; to: number; address: number; last: boolean };

/** A search through the part of a unit at a place: the bit to go on with, if it ended with its effort, and those that will do, alone and with the row below. */
type Search = { from: number; times: number; bit: number | null; found: number[]; followed: number[] };
/** What became of a unit so far: what was set right in it, and the search that goes on. */
type Open = { mended: Mended[]; search: Search };

const searchFrom = (from: number, times: number): Search => ({ from, times, bit: null, found: [], followed: [] });

/** The bytes from `from` to `to` of a unit without emulation prevention, which may have begun two bytes before. */
function unescapedPart(unit: Buffer, from: number, to: number): Buffer {
  const before = Math.max(0, from - 2);
  const lead = before === from - 2 && unit[before] === 0 && unit[from - 1] === 0 ? 2 : 0;
  if (lead === 2 && unit[from] === 3) return unescaped(unit.subarray(from + 1, to));
  return unescaped(unit.subarray(from, to));
}

/** Whether a unit of the only layer holds a slice. */
export function isHevcSlice(unit: Buffer): boolean {
  return ((unit[0] ?? 0) & 0x81) === 0 && isSliceType(hevcTypeOf(unit));
}

/** The last beginning of a block that lies before a bit, or the first of all; those behind it are taken away. */
function startBefore(starts: BlockStart[], bit: number): BlockStart | undefined {
  while (starts.length > 1 && (starts.at(-1)?.state.at ?? 0) * 8 > bit) starts.pop();
  return starts.at(-1);
}

/** Checks slices of HEVC bit by bit, and finds single wrong bits in them. */
export class HevcUnits implements UnitReader {
  /** Chosen on the bench. */
  readonly effort = { one: 800, more: 2000, all: 4500 };
  readonly isBlind = false;
  readonly #fields: HevcFields;
  readonly #data: HevcData;
  /** Units in which a search ended with its effort, which goes on with more. */
  readonly #open = new WeakMap<Buffer, Open>();
  /** Blocks that slices were seen to begin with: others end there. */
  readonly #begins = new Set<number>();

  constructor(fields: HevcFields, effort: Effort) {
    this.#fields = fields;
    this.#data = new HevcData(fields, effort);
    this.#begins.add(this.#data.across * this.#data.down);
  }

  /** Units that hold slices, which alone are checked. */
  isSlice(unit: Buffer): boolean {
    return isHevcSlice(unit);
  }

  rank(unit: Buffer): number {
    const type = ((unit[0] ?? 0) >> 1) & 63;
    return type >= 16 ? 0 : 2 - (type % 2);
  }

  #parts(unit: Buffer, slice: HevcSlice): Part[] {
    const parts: Part[] = [];
    let from = escapedPlace(unit, slice.body);
    let address = slice.slice_segment_address;
    for (let index = 0; index <= slice.entry_point_offset.length; index++) {
      const last = index === slice.entry_point_offset.length;
      const to = last ? unit.length : from + (slice.entry_point_offset[index] ?? 0);
      if (to > unit.length) return [];
      parts.push({ from, to, address, last });
      from = to;
      address = (Math.floor(address / this.#data.across) + 1) * this.#data.across;
    }
    return parts;
  }

  #read(unit: Buffer, part: Part): RowEnd {
    const bytes = unescapedPart(unit, part.from, part.to);
    if (!this.#fields.entropy_coding_sync_enabled_flag) return this.#data.whole(bytes, 0, bytes.length, part.address);
    return this.#data.row(bytes, 0, bytes.length, part.address, part.last);
  }

  #begin(unit: Buffer, times: number | null = null): Part[] {
    const slice = readHevcSlice(unescaped(unit, 2048), this.#fields);
    if (!slice) return [];
    const parts = this.#parts(unit, slice);
    if (parts.length > 0) this.#data.begin(slice, times);
    return parts;
  }

  /** How many parts of a slice can be read from its beginning on, and how many there are; 0 of 0 where the header is broken. */
  check(unit: Buffer): { whole: number; parts: number } {
    const parts = this.#begin(unit);
    for (const [index, part] of parts.entries())
      if (!this.#read(unit, part).whole) return { whole: index, parts: parts.length };
    if (parts[0]) this.#begins.add(parts[0].address);
    return { whole: parts.length, parts: parts.length };
  }

  brokenAt(unit: Buffer): number {
    const parts = this.#begin(unit);
    for (const part of parts) {
      const { whole, position } = this.#read(unit, part);
      // What emulation prevention adds is some bytes of thousands.
      if (!whole) return Math.min(part.to, part.from + (position >> 3));
    }
    return parts.length > 0 ? -1 : 0;
  }

  /**
   * Finds single wrong bits in a unit that is broken, one for each part of it at most, and sets them right in `unit`. A bit counts where
   * it is the only one with which a row ends exactly where it must. Null where there is no such bit, or `effort` is spent.
   */
  mend(unit: Buffer, effort: Effort): Mended[] | null {
    const open = this.#open.get(unit) ?? { mended: [], search: searchFrom(-1, 1) };
    this.#open.set(unit, open);
    const { mended } = open;
    let { whole, parts } = this.check(unit);
    if (parts === 0 || whole === 0) {
      const inHeader = this.#mendHeader(unit);
      if (inHeader) {
        mended.push(inHeader);
        ({ whole, parts } = this.check(unit));
      }
    }
    while (whole < parts) {
      const found = this.#mendPart(unit, whole, open, effort);
      if (!found) return null;
      mended.push(found);
      ({ whole } = this.check(unit));
      if (mended.length > parts) return null;
    }
    return whole === parts && parts > 0 ? mended : null;
  }

  #mendHeader(unit: Buffer): Mended | null {
    const found: Mended[] = [];
    const most = Math.min(unit.length, 16 + 3 * this.#data.down);
    let best = 0;
    for (let bit = 0; bit < most * 8; bit++) {
      flip(unit, bit);
      const { whole, parts } = isHevcSlice(unit) ? this.check(unit) : { whole: 0, parts: 0 };
      // Other rows of the same unit may be broken as well.
      if (whole > 0 && whole >= Math.min(2, parts) && whole >= best) {
        if (whole > best) found.length = 0;
        best = whole;
        found.push({ at: bit >> 3, byte: unit[bit >> 3] ?? 0 });
      }
      flip(unit, bit);
    }
    const [only] = found;
    if (!only || found.length > 1) return null;
    unit[only.at] = only.byte;
    return only;
  }

  /** The wrong bit of a part, looked for by what sound slices hold at most, and then by more, as this one may hold more. */
  #mendPart(unit: Buffer, index: number, open: Open, effort: Effort): Mended | null {
    const part = this.#begin(unit)[index];
    if (!part) return null;
    if (open.search.from !== part.from) open.search = searchFrom(part.from, 1);
    const found = this.#mendWithin(unit, index, open.search, effort);
    if (found || open.search.times > 1 || effort.isSpent) return found;
    open.search = searchFrom(part.from, looser);
    return this.#mendWithin(unit, index, open.search, effort);
  }

  #mendWithin(unit: Buffer, index: number, search: Search, effort: Effort): Mended | null {
    const parts = this.#begin(unit, search.times);
    for (const before of parts.slice(0, index)) this.#read(unit, before);
    const part = parts[index];
    const next = parts[index + 1];
    if (!part) return null;
    const bytes = unescapedPart(unit, part.from, part.to);
    const confirms = next ? () => this.#read(unit, next).whole : null;
    const only = this.#wrongBit(bytes, part, search, confirms, effort);
    if (only === null) return null;
    const at = part.from + escapedPlace(unit.subarray(part.from, part.to), only >> 3);
    const byte = (bytes[only >> 3] ?? 0) ^ (128 >> (only & 7));
    unit[at] = byte;
    return { at, byte };
  }

  /** The only bit of a part with which it ends where it must; null where there is none, or more than one. */
  #wrongBit(
    bytes: Buffer,
    part: Part,
    search: Search,
    confirms: (() => boolean) | null,
    effort: Effort,
  ): number | null {
    const starts: BlockStart[] = [];
    const { address, last } = part;
    const { position } = this.#fields.entropy_coding_sync_enabled_flag
      ? this.#data.row(bytes, 0, bytes.length, address, last, starts)
      : this.#data.whole(bytes, 0, bytes.length, address, starts);
    const { found, followed } = search;
    // What is wrong lies before the place where it was noticed, mostly shortly before.
    for (let bit = search.bit ?? Math.min(bytes.length * 8, position + 8) - 1; bit >= 16; bit--) {
      if ((bit & 15) === 0 && effort.isSpent) {
        search.bit = bit;
        return null;
      }
      if (bit < ((confirms ? followed : found)[0] ?? 0) - near) break;
      const start = startBefore(starts, bit);
      if (!start) break;
      flip(bytes, bit);
      const isFound = this.#endsRight(this.#data.from(start, last));
      if (isFound) found.push(bit);
      // The row below is read with what was learnt in this one, and confirms it.
      if (isFound && confirms?.()) followed.push(bit);
      flip(bytes, bit);
    }
    const best = followed.length > 0 ? followed : found;
    return best.length === 1 ? (best[0] ?? null) : null;
  }

  #endsRight({ whole, next }: RowEnd): boolean {
    return whole && (this.#fields.entropy_coding_sync_enabled_flag || this.#begins.has(next));
  }
}
