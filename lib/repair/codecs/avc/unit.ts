import type { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { escapedPlace, flip, unescaped } from '../bits';
import type { SliceEnd, SliceStart } from '../slices';
import type { Mended, UnitReader } from '../units';
import { AvcData } from './data';
import type { AvcFields } from './fields';
import { type AvcSlice, readAvcSlice } from './header';
import { AvcLikeliest, type OpenSlice } from './likeliest';
import { AvcPictures } from './pictures';
import { PlainData } from './plain';

/** Bits before a wrong one among which another may do the same, with arithmetic coding and without, where many do; chosen on the bench. */
const near = { arithmetic: 200, plain: 4000 };
/** Bytes before a wrong one among which another may do the same. */
const nearBytes = 25;
/** Bytes of a unit in which its header lies with certainty; chosen on the bench. */
const headerBytes = 24;

/** Bytes that arithmetic decoding has read before the first decision (9.3.1.2). */
const aheadBytes = 3;

/** Reads the data of slices, with arithmetic coding or without. */
export type AvcSliceData = {
  readonly fields: AvcFields;
  readonly blocks: number;
  read(slice: AvcSlice, bytes: Uint8Array, end: number, starts?: SliceStart[], isBound?: boolean): SliceEnd;
  readFrom(start: SliceStart): SliceEnd;
};

/** The reader for the slices of a stream by what its parameter sets say. */
export const sliceDataFor = (fields: AvcFields, effort: Effort): AvcSliceData =>
  fields.entropy_coding_mode_flag ? new AvcData(fields, effort) : new PlainData(fields, effort);

/** Whether a unit holds a slice that is coded in one part. */
export function isAvcSlice(unit: Buffer): boolean {
  const type = (unit[0] ?? 0) & 31;
  return ((unit[0] ?? 0) & 0x80) === 0 && (type === 1 || type === 5);
}

/** Checks slices of H.264 bit by bit, and finds single wrong bits in them. */
export class AvcUnits implements UnitReader {
  /** Chosen on the bench. */
  readonly effort = { one: 700, more: 1700, all: 3300 };
  readonly isBlind: boolean;
  readonly #fields: AvcFields;
  readonly #data: AvcSliceData;
  readonly #pictures: AvcPictures;
  readonly #likeliest: AvcLikeliest | null;
  /** Where the search through a slice ended with its effort, from which on it goes on with more. */
  readonly #ended = new WeakMap<Buffer, { bit: number; found: readonly number[] }>();

  constructor(fields: AvcFields, effort: Effort) {
    this.#fields = fields;
    this.isBlind = !fields.entropy_coding_mode_flag;
    this.#data = sliceDataFor(fields, effort);
    const soundOf = (slice_type: number) => this.#soundOf(slice_type);
    this.#likeliest = this.#data instanceof PlainData ? new AvcLikeliest(this.#data, soundOf) : null;
    this.#pictures = new AvcPictures(fields, this.#data.blocks);
  }

  isSlice(unit: Buffer): boolean {
    return isAvcSlice(unit);
  }

  rank(unit: Buffer): number {
    return ((unit[0] ?? 0) & 31) === 5 ? 0 : (unit[0] ?? 0) & 0x60 ? 1 : 2;
  }

  check(unit: Buffer): { whole: number; parts: number } {
    const { bytes, end } = content(unit);
    const slice = readAvcSlice(bytes, this.#fields);
    const read = slice && this.#data.read(slice, bytes, end);
    this.#pictures.add(unit, slice, read?.whole ? read.block : -1);
    return { whole: read?.whole ? 1 : 0, parts: slice ? 1 : 0 };
  }

  brokenAt(unit: Buffer): number {
    const { bytes, end } = content(unit);
    const slice = readAvcSlice(bytes, this.#fields);
    const read = slice && this.#data.read(slice, bytes, end);
    return read?.whole ? -1 : Math.min(unit.length, escapedPlace(unit, (read?.position ?? 0) >> 3));
  }

  misplaced(): ReadonlySet<Buffer> {
    return this.#pictures.misplaced();
  }

  mend(unit: Buffer, effort: Effort): Mended[] | null {
    const bit = this.#wrongBit(unit, effort);
    if (bit === null) return null;
    const at = escapedPlace(unit, bit >> 3);
    if (at >= unit.length) return null;
    unit[at] = (unit[at] ?? 0) ^ (128 >> (bit & 7));
    return this.#isWhole(unit) ? [{ at, byte: unit[at] ?? 0 }] : null;
  }

  mendByte(unit: Buffer, effort: Effort): Mended[] | null {
    if (!this.#fields.entropy_coding_mode_flag) return null;
    const slice = readAvcSlice(content(unit).bytes, this.#fields);
    const found = slice && this.#wrongByte(unit, slice, effort);
    const at = found ? escapedPlace(unit, found.at) : unit.length;
    if (!found || at >= unit.length) return null;
    const old = unit[at] ?? 0;
    unit[at] = found.byte;
    if (this.#isWhole(unit)) return [{ at, byte: found.byte }];
    unit[at] = old;
    return null;
  }

  /** The only byte of the data with another value of which a slice ends where it must, looked for backwards from where it is noticed; null where none is, or the effort ended first. */
  #wrongByte(unit: Buffer, slice: AvcSlice, effort: Effort): { at: number; byte: number } | null {
    const { bytes, end } = content(unit);
    const starts: SliceStart[] = [];
    const { position } = this.#data.read(slice, bytes, end, starts, true);
    let found: { at: number; byte: number } | null = null;
    for (let at = Math.min(end - 1, (position >> 3) + 1); at >= slice.body + aheadBytes; at--) {
      if (found && at < found.at - nearBytes) break;
      const start = startFor(starts, at * 8);
      if (!start) break;
      const old = bytes[at] ?? 0;
      for (let change = 1; change < 256; change++) {
        if (effort.isSpent) return null;
        bytes[at] = old ^ change;
        const read = this.#data.readFrom(start);
        if (!read.whole || !this.#pictures.allows(unit, read.block)) continue;
        if (found) return null;
        found = { at, byte: old ^ change };
      }
      bytes[at] = old;
    }
    return found;
  }

  /** Whether a slice ends with its data, and where those beside it say. */
  #isWhole(unit: Buffer): boolean {
    const { bytes, end } = content(unit);
    const slice = readAvcSlice(bytes, this.#fields);
    const read = slice && this.#data.read(slice, bytes, end);
    return read?.whole === true && this.#pictures.allows(unit, read.block);
  }

  /** The bit that is wrong, if it is the only one that can be: the header is looked through where no bit of the data is it. */
  #wrongBit(unit: Buffer, effort: Effort): number | null {
    const slice = readAvcSlice(content(unit).bytes, this.#fields);
    let found: readonly number[] | null = [];
    if (slice) found = this.#inData(unit, slice, effort);
    if (found?.length === 0) found = this.#inHeader(unit, slice ? this.#firstBit(slice) : headerBytes * 8, effort);
    const [only, other] = found ?? [];
    if (only === undefined) return null;
    const { bytes, end } = content(unit);
    if (!slice || !this.#likeliest || only < slice.data) return other === undefined ? only : null;
    return this.#likeliest.choose({ slice, bytes, end }, found ?? [], effort);
  }

  /** Sound slices of a type. */
  *#soundOf(slice_type: number): Generator<OpenSlice> {
    for (const unit of this.#pictures.sound(slice_type)) {
      const { bytes, end } = content(unit);
      const slice = readAvcSlice(bytes, this.#fields);
      if (slice) yield { slice, bytes, end };
    }
  }

  /** The first bit of the data that another may be tried for by itself. */
  #firstBit({ body, data }: AvcSlice): number {
    return this.#fields.entropy_coding_mode_flag ? (body + aheadBytes) * 8 : data;
  }

  /**
   * Bits of the data that may be the wrong one: what is wrong lies before the place where it is noticed, mostly shortly before. Null where the
   * effort ended first.
   */
  #inData(unit: Buffer, slice: AvcSlice, effort: Effort): readonly number[] | null {
    const { bytes, end } = content(unit);
    const starts: SliceStart[] = [];
    const { position } = this.#data.read(slice, bytes, end, starts, true);
    const before = this.#ended.get(unit);
    const found = [...(before?.found ?? [])];
    const around = this.#fields.entropy_coding_mode_flag ? near.arithmetic : near.plain;
    const first = this.#firstBit(slice);
    for (let bit = before?.bit ?? Math.min(end * 8, position + 8) - 1; bit >= first; bit--) {
      if ((bit & 15) === 0 && effort.isSpent) {
        this.#ended.set(unit, { bit, found });
        return null;
      }
      if (found[0] !== undefined && bit < found[0] - around) break;
      const start = startFor(starts, bit);
      if (!start) break;
      flip(bytes, bit);
      const read = this.#data.readFrom(start);
      if (read.whole && this.#pictures.allows(unit, read.block)) found.push(bit);
      flip(bytes, bit);
    }
    return found;
  }

  /** Bits of the header, up to one before `until`, that may be the wrong one; none where the effort ended first. */
  #inHeader(unit: Buffer, until: number, effort: Effort): readonly number[] {
    const { bytes, end } = content(unit);
    const found: number[] = [];
    for (let bit = 0; bit < Math.min(until, end * 8); bit++) {
      if (effort.isSpent) return [];
      flip(bytes, bit);
      const slice = isAvcSlice(bytes) ? readAvcSlice(bytes, this.#fields) : null;
      if (slice) {
        const read = this.#data.read(slice, bytes, end, undefined, true);
        if (read.whole && this.#pictures.allows(unit, read.block)) found.push(bit);
      }
      flip(bytes, bit);
    }
    return found;
  }
}

/** The last beginning of a macroblock at which a bit was not read yet, for bits that go backwards: later ones are taken away. */
function startFor(starts: SliceStart[], bit: number): SliceStart | null {
  while (starts.length > 1 && (starts.at(-1)?.at ?? 0) > bit) starts.pop();
  const start = starts.at(-1);
  return start && start.at <= bit ? start : null;
}

/** A unit without emulation prevention, and where its data ends: zero words may follow (ISO/IEC 14496-10, 7.4.2.10). */
function content(unit: Buffer): { bytes: Buffer; end: number } {
  const bytes = unescaped(unit);
  let end = bytes.length;
  while (end > 1 && bytes[end - 1] === 0) end--;
  return { bytes, end };
}
