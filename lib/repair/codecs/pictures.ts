import type { Buffer } from '../host/bytes';
import type { Effort } from '../report';
import { flip } from './bits';
import type { SliceEnd, SliceStart } from './slices';
import { isUsual, type Known, learn, learnt, WordSymbols, windowBits } from './symbols';
import type { Mended, UnitReader } from './units';

/** Reads the pictures, or slices, of a codec without arithmetic coding, whose macroblocks stand behind one head, up to place `body` in bits. */
export type PictureReader<Head extends { body: number }, Start extends SliceStart> = {
  isPicture(unit: Buffer): boolean;
  /** What stands before the first macroblock; null where that cannot be. `before`: the same of the unit with another bit. */
  head(unit: Buffer, before?: Head): Head | null;
  /** As in `UnitReader`. */
  rank(head: Head): number;
  /** Whether what is needed for reading a picture is known. */
  isReadable(head: Head): boolean;
  /** Reads a picture; the beginnings of its macroblocks are added to `starts`. */
  read(unit: Buffer, head: Head, starts?: Start[]): SliceEnd;
  /** Has the words of all that is read from here on taken in. */
  watch(symbols: WordSymbols | null): void;
  /** Reads the picture that was read last once more, from one of its macroblocks on, until `isKnown` tells that it goes on as before. */
  readFrom(start: Start, isKnown: (start: Start) => boolean): SliceEnd;
};

/**
 * Bits before the place where damage is noticed among which no other bit may do the same, and how many times as far as the one found they
 * reach at least; chosen on the bench.
 */
const near = 16_000;
const nearness = 3;
/** Bits of the longest word, with what belongs to it, which a place lies before where it cannot be read. */
const longestWord = 32;
/** Bytes of a unit in which its head lies. */
const headBytes = 12;

/**
 * The share of windows of sound pictures that are unlikelier than what stands around a bit that was turned, from which on that is what was wrong: of
 * 32 right bits 28 were, of 24 that did for four random bytes 12.
 */
const few = 0.1;

type Sound<Head> = { unit: Buffer; head: Head };

/** Checks pictures bit by bit, and finds single wrong bits in them. */
export class PictureUnits<Head extends { body: number }, Start extends SliceStart> implements UnitReader {
  /** Chosen on the bench. */
  readonly effort = { one: 200, more: 600, all: 1500 };
  readonly isBlind = true;
  doubted = 0;
  readonly #pictures: PictureReader<Head, Start>;
  readonly #effort: Effort;
  readonly #heads = new WeakMap<Buffer, Head>();
  /** Sound pictures of each rank, as many as its symbols are learnt from. */
  readonly #sound = new Map<number, { bits: number; pictures: Sound<Head>[] }>();
  readonly #known = new Map<number, Known<WordSymbols> | null>();

  constructor(pictures: PictureReader<Head, Start>, effort: Effort) {
    this.#pictures = pictures;
    this.#effort = effort;
  }

  isSlice(unit: Buffer): boolean {
    return this.#pictures.isPicture(unit);
  }

  rank(unit: Buffer): number {
    const head = this.#pictures.head(unit);
    return head ? this.#pictures.rank(head) : 1;
  }

  check(unit: Buffer): { whole: number; parts: number } {
    const head = this.#pictures.head(unit);
    if (!head) return { whole: 0, parts: 1 };
    this.#heads.set(unit, head);
    if (!this.#pictures.isReadable(head)) return { whole: 1, parts: 1 };
    const { whole } = this.#spent(head, this.#pictures.read(unit, head));
    if (whole) this.#keep(unit, head);
    return { whole: whole ? 1 : 0, parts: 1 };
  }

  brokenAt(unit: Buffer): number {
    const head = this.#pictures.head(unit);
    if (!head || !this.#pictures.isReadable(head)) return head ? -1 : 0;
    const { whole, position } = this.#spent(head, this.#pictures.read(unit, head));
    return whole ? -1 : Math.min(unit.length, position >> 3);
  }

  #keep(unit: Buffer, head: Head): void {
    const rank = this.#pictures.rank(head);
    const kept = this.#sound.get(rank) ?? { bits: 0, pictures: [] };
    this.#sound.set(rank, kept);
    if (kept.bits > learnt.most) return;
    kept.bits += unit.length * 8;
    kept.pictures.push({ unit, head });
  }

  /** Takes the symbols of a picture in, by windows from a bit on; the bits that it has. */
  #observe({ unit, head }: Sound<Head>, symbols: WordSymbols, from = head.body): number {
    symbols.begin(from);
    this.#pictures.watch(symbols);
    const { position } = this.#spent(head, this.#pictures.read(unit, head));
    this.#pictures.watch(null);
    return position - head.body;
  }

  #knownOf(rank: number): Known<WordSymbols> | null {
    const before = this.#known.get(rank);
    if (before !== undefined) return before;
    const sound = () => this.#sound.get(rank)?.pictures ?? [];
    const known = learn(new WordSymbols(), sound, (one, symbols) => this.#observe(one, symbols));
    this.#known.set(rank, known);
    return known;
  }

  /** Whether what stands around a bit is as in sound pictures once it is turned: where more than one bit is wrong, one may do, but the rest stays. */
  #isLikely(unit: Buffer, bit: number): boolean {
    const head = this.#pictures.head(unit, this.#heads.get(unit));
    const known = head && this.#knownOf(this.#pictures.rank(head));
    if (!head || !known) return true;
    this.#observe({ unit, head }, known.symbols, Math.max(head.body, bit - windowBits.words / 3));
    return isUsual(known, known.symbols.worst[0] ?? 0, few);
  }

  #spent(from: Head | Start, end: SliceEnd): SliceEnd {
    this.#effort.spend('wordReading');
    this.#effort.spend('wordBit', Math.max(0, end.position - ('at' in from ? from.at : 0)));
    return end;
  }

  mend(unit: Buffer, effort: Effort): Mended[] | null {
    const head = this.#heads.get(unit);
    const found = head ? this.#inData(unit, head, effort) : [];
    if (found) found.push(...this.#inHead(unit, head, effort));
    const [bit] = found ?? [];
    if (bit === undefined || found?.length !== 1 || effort.isSpent) return null;
    flip(unit, bit);
    if (!this.#isLikely(unit, bit)) this.doubted++;
    return [{ at: bit >> 3, byte: unit[bit >> 3] ?? 0 }];
  }

  /** Bits of the data that may be the wrong one, which lies before the place where that is noticed; null where the effort ends before, or there are several. */
  #inData(unit: Buffer, head: Head, effort: Effort): number[] | null {
    const starts: Start[] = [];
    const { position } = this.#spent(head, this.#pictures.read(unit, head, starts));
    const known = new Map(starts.map((start) => [start.at, start]));
    const isKnown = (start: Start) => {
      const before = known.get(start.at);
      return before !== undefined && isSame(before, start);
    };
    let found: number | null = null;
    const first = starts[0]?.at ?? 0;
    for (let bit = Math.min(unit.length * 8, position + longestWord) - 1; bit >= first; bit--) {
      if ((bit & 15) === 0 && effort.isSpent) return null;
      if (found !== null && position - bit > Math.max(near, nearness * (position - found))) break;
      while (starts.length > 1 && (starts.at(-1)?.at ?? 0) > bit) starts.pop();
      const start = starts.at(-1) as Start;
      flip(unit, bit);
      const isWhole = this.#spent(start, this.#pictures.readFrom(start, isKnown)).whole;
      flip(unit, bit);
      if (!isWhole) continue;
      if (found !== null) return null;
      found = bit;
    }
    return found === null ? [] : [found];
  }

  /** Bits of the head that may be the wrong one. `before`: what the head says as it is, if anything. */
  #inHead(unit: Buffer, before: Head | undefined, effort: Effort): number[] {
    const found: number[] = [];
    const end = before?.body ?? headBytes * 8;
    for (let bit = 0; bit < Math.min(end, unit.length * 8) && !effort.isSpent; bit++) {
      flip(unit, bit);
      const head = this.#pictures.isPicture(unit) ? this.#pictures.head(unit, before) : null;
      // What a picture between others needs is known only while they are read in their order.
      const isKnown = head !== null && (before !== undefined || this.#pictures.rank(head) < 2);
      if (isKnown && this.#pictures.isReadable(head) && this.#spent(head, this.#pictures.read(unit, head)).whole)
        found.push(bit);
      flip(unit, bit);
    }
    return found;
  }
}

/** Whether two beginnings of macroblocks are the same, with all that is read there. */
function isSame<Start extends SliceStart>(one: Start, other: Start): boolean {
  return Object.entries(one).every(([name, value]) => other[name as keyof Start] === value);
}
