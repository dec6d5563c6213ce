import type { Buffer } from '../host/bytes';
import type { Effort } from '../report';
import { readAvcFields } from './avc/fields';
import { AvcUnits } from './avc/unit';
import { readHevcFields } from './hevc/fields';
import { hevcTypeOf, nalType } from './hevc/naltypes';
import { HevcUnits } from './hevc/unit';
import type { Mended, UnitReader } from './units';

export type SlicedCodec = 'avc' | 'hevc';
/** A sequence and a picture parameter set, as units. */
type Sets = { sps: Buffer; pps: Buffer };

/** nal_unit_type of parameter sets (ISO/IEC 14496-10, table 7-1). */
const avcSets: Record<number, keyof Sets> = { 7: 'sps', 8: 'pps' };
const hevcSets: Record<number, keyof Sets> = { [nalType.sps]: 'sps', [nalType.pps]: 'pps' };

/** Which parameter set a NAL unit holds; null for all others. */
export const setKindOf = (codec: SlicedCodec, unit: Buffer): keyof Sets | null =>
  (codec === 'avc' ? avcSets[(unit[0] ?? 0) & 31] : hevcSets[hevcTypeOf(unit)]) ?? null;

/** The reader of slices by their parameter sets; null for sets that it cannot read. */
function readerBy(codec: SlicedCodec, { sps, pps }: Sets, effort: Effort): UnitReader | null {
  if (codec === 'avc') {
    const fields = readAvcFields(sps, pps);
    return fields && new AvcUnits(fields, effort);
  }
  const fields = readHevcFields(sps, pps);
  return fields && new HevcUnits(fields, effort);
}

/** Whether a reader reads a slice from its beginning to its end. */
function readsWhole(reader: UnitReader, unit: Buffer): boolean {
  const { whole, parts } = reader.check(unit);
  return parts > 0 && whole === parts;
}

/**
 * Reads the slices of a stream whose parameter sets may change on the way (ISO/IEC 14496-10, 7.4.1.2.1): those that lie in the stream count
 * from the first slice on that they read to its end and the ones before do not, so that a damaged set changes nothing. Units have to come
 * in their order.
 */
class FollowingUnits implements UnitReader {
  readonly #codec: SlicedCodec;
  readonly #effort: Effort;
  readonly #readers: UnitReader[] = [];
  readonly #readerOf = new WeakMap<Buffer, UnitReader>();
  /** Left out where the readers keep no account of pictures, so that nobody holds sound slices for it. */
  readonly misplaced?: () => ReadonlySet<Buffer>;
  #current: UnitReader;
  #used: Sets;
  #latest: Sets;

  constructor(codec: SlicedCodec, sets: Sets, effort: Effort, first: UnitReader) {
    this.#codec = codec;
    this.#effort = effort;
    this.#used = sets;
    this.#latest = sets;
    this.#current = first;
    this.#readers.push(first);
    if (first.misplaced)
      this.misplaced = () => new Set(this.#readers.flatMap((reader) => [...(reader.misplaced?.() ?? [])]));
  }

  get effort() {
    return this.#current.effort;
  }

  get isBlind(): boolean {
    return this.#readers.some(({ isBlind }) => isBlind);
  }

  get doubted(): number {
    return this.#readers.reduce((sum, { doubted }) => sum + (doubted ?? 0), 0);
  }

  isSlice(unit: Buffer): boolean {
    const kind = setKindOf(this.#codec, unit);
    if (kind) this.#latest = { ...this.#latest, [kind]: unit };
    if (kind || !this.#current.isSlice(unit)) return false;
    if (this.#isChanged()) this.#follow(unit);
    this.#readerOf.set(unit, this.#current);
    return true;
  }

  #isChanged(): boolean {
    const { sps, pps } = this.#latest;
    return !sps.equals(this.#used.sps) || !pps.equals(this.#used.pps);
  }

  /** Takes the latest sets where they read a slice that the ones before do not; where neither does, the next slice is asked. */
  #follow(unit: Buffer): void {
    const next = readerBy(this.#codec, this.#latest, this.#effort);
    const isBetter = next !== null && !readsWhole(this.#trial(), unit) && readsWhole(next, unit);
    if (!isBetter) return;
    // Reading on trial has left the slice in the reader's account of its picture.
    this.#current = readerBy(this.#codec, this.#latest, this.#effort) ?? next;
    this.#used = this.#latest;
    this.#readers.push(this.#current);
  }

  /** A reader by the sets in use that keeps no account of what it is asked. */
  #trial(): UnitReader {
    return readerBy(this.#codec, this.#used, this.#effort) ?? this.#current;
  }

  rank(unit: Buffer): number {
    return this.#for(unit).rank(unit);
  }

  check(unit: Buffer): { whole: number; parts: number } {
    return this.#for(unit).check(unit);
  }

  brokenAt(unit: Buffer): number {
    return this.#for(unit).brokenAt(unit);
  }

  mend(unit: Buffer, effort: Effort): Mended[] | null {
    return this.#for(unit).mend(unit, effort);
  }

  mendByte(unit: Buffer, effort: Effort): Mended[] | null {
    return this.#for(unit).mendByte?.(unit, effort) ?? null;
  }

  #for(unit: Buffer): UnitReader {
    return this.#readerOf.get(unit) ?? this.#current;
  }
}

/** Reader of the slices of a track by the parameter sets of its configuration; null for streams that it cannot read. */
export function unitReaderFor(codec: SlicedCodec, sets: readonly Buffer[], effort: Effort): UnitReader | null {
  const [sps] = sets.filter((set) => setKindOf(codec, set) === 'sps');
  const [pps] = sets.filter((set) => setKindOf(codec, set) === 'pps');
  const known = sets.filter((set) => setKindOf(codec, set) !== null);
  if (!sps || !pps || known.length !== 2) return null;
  const first = readerBy(codec, { sps, pps }, effort);
  return first && new FollowingUnits(codec, { sps, pps }, effort, first);
}
