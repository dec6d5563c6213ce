import type { Buffer } from '../../host/bytes';
import type { AvcFields } from './fields';
import type { AvcSlice } from './header';

/** Profiles in which the slices of a picture may come in any order (ISO/IEC 14496-10, A.2.1 and A.2.3): Baseline and Extended. */
const unorderedProfiles = [66, 88];
/** Slices that must end where others of their picture begin before their sizes say anything; chosen on the bench. */
const enough = 20;

/** A slice in the order of the stream: null where its header cannot be read, and the macroblock after its last one, -1 where it does not end with its data. */
type Seen = { unit: Buffer; slice: AvcSlice | null; end: number };
/** Where a slice must end by those of its picture, and the one that begins there; `isOpen` where what follows it is not known. */
type Due = { block: number; next: Seen | null; isOpen: boolean };

/** Whether two slices belong to the same primary coded picture (7.4.1.2.4). */
const isSamePicture = (one: AvcSlice, other: AvcSlice) =>
  one.picture.every((value, index) => value === other.picture[index]);

/**
 * Where slices must end: data that is read behind a wrong bit may come to the end of a slice all the same, but at some other macroblock.
 * The slices of a picture hold each of its macroblocks once, so that each ends where the next one begins, or with the picture. As slices may
 * be lost, one that ends sooner is believed where others of the stream were seen to begin at that macroblock.
 */
export class AvcPictures {
  readonly #blocks: number;
  readonly #isOrdered: boolean;
  readonly #seen: Seen[] = [];
  readonly #dues = new Map<Buffer, Due>();
  /** How many slices that can be read begin with a macroblock. */
  readonly #begins = new Map<number, number>();

  constructor(fields: AvcFields, blocks: number) {
    this.#blocks = blocks;
    this.#isOrdered = !unorderedProfiles.includes(fields.profile_idc);
  }

  /** Adds the next slice of the stream, and the macroblock after its last one, -1 where it does not end with its data. */
  add(unit: Buffer, slice: AvcSlice | null, end: number): void {
    if (slice && end >= 0)
      this.#begins.set(slice.first_mb_in_slice, (this.#begins.get(slice.first_mb_in_slice) ?? 0) + 1);
    // Redundant pictures (7.4.3) need not hold all macroblocks.
    if (!slice || slice.redundant_pic_cnt === 0) this.#seen.push({ unit, slice, end });
  }

  /** Whether a slice may end at this macroblock, as far as those that were added say. */
  allows(unit: Buffer, end: number): boolean {
    const due = this.#dues.get(unit);
    return due && !due.isOpen ? end === due.block : this.#isUsual(end);
  }

  /** Slices that end with their data, but where they cannot. */
  misplaced(): ReadonlySet<Buffer> {
    for (let at = 0; at < this.#seen.length; ) at += this.#settle(at);
    const [least, isRegular] = [this.#leastBetween(), this.#isRegular];
    const misplaced = this.#seen.filter((seen) => seen.end >= 0 && !this.#isPlaced(seen, least, isRegular));
    return new Set(misplaced.map(({ unit }) => unit));
  }

  /** A slice from here on, and those behind it that belong to the same picture. */
  #pictureAt(from: number): Seen[] {
    const first = this.#seen[from] as Seen;
    const slices = [first];
    for (let at = from + 1; first.slice; at++) {
      const last = slices.at(-1)?.slice;
      const slice = this.#seen[at]?.slice;
      if (!slice || !last || !isSamePicture(slice, last)) break;
      const isBehind = slice.first_mb_in_slice > last.first_mb_in_slice;
      const isThere = slices.some((other) => other.slice?.first_mb_in_slice === slice.first_mb_in_slice);
      if (this.#isOrdered ? !isBehind : isThere) break;
      slices.push(this.#seen[at] as Seen);
    }
    return slices;
  }

  /** Notes where the slices of the picture that begins here must end; how many there are. */
  #settle(from: number): number {
    const slices = this.#pictureAt(from);
    // What cannot be read may belong to this picture, and what was not looked at any more.
    const isCut = !this.#seen[from + slices.length]?.slice;
    const firstOf = ({ slice }: Seen) => slice?.first_mb_in_slice ?? 0;
    const sorted = [...slices].sort((one, other) => firstOf(one) - firstOf(other));
    for (const [index, { unit, slice }] of sorted.entries()) {
      const next = sorted[index + 1] ?? null;
      const isOpen = !slice || (isCut && (next === null || !this.#isOrdered));
      this.#dues.set(unit, { block: next ? firstOf(next) : this.#blocks, next, isOpen });
    }
    return slices.length;
  }

  /** Slices of a type that end where they must. */
  *sound(slice_type: number): Generator<Buffer> {
    for (const { unit, slice, end } of this.#seen)
      if (slice?.slice_type === slice_type && this.#dues.get(unit)?.block === end) yield unit;
  }

  #isUsual(end: number): boolean {
    return end === this.#blocks || this.#begins.has(end);
  }

  /** Whether the slices of all pictures begin with the same macroblocks, as they do where their number is set, not their size: none with one that no other begins with. */
  get #isRegular(): boolean {
    for (const [block, count] of this.#begins) if (block > 0 && count < 2) return false;
    return true;
  }

  #isPlaced(seen: Seen, least: number, isRegular: boolean): boolean {
    const due = this.#dues.get(seen.unit);
    if (!due || due.block === seen.end) return true;
    // A slice that goes on into the next one is wrong if that one is right.
    if (due.next && seen.end > due.block && this.#dues.get(due.next.unit)?.block === due.next.end) return false;
    if (this.#isUsual(seen.end)) return true;
    return !isRegular && (seen.end > due.block || due.block - seen.end >= least / 2);
  }

  /** Macroblocks of the smallest slice that ends where it must: fewer are never lost. */
  #leastBetween(): number {
    const sizes: number[] = [];
    for (const { unit, slice, end } of this.#seen)
      if (slice && end >= 0 && this.#dues.get(unit)?.block === end) sizes.push(end - slice.first_mb_in_slice);
    return sizes.length < enough ? 0 : sizes.reduce((one, other) => Math.min(one, other));
  }
}
