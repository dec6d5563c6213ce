import { Buffer } from '../../host/bytes';
import type { Deadline, Effort } from '../../report';
import { nextHeader } from '../deflate/blocks';
import type { Codes } from '../deflate/codes';
import { headAt } from '../deflate/reader';
import { AheadLearner } from './ahead';
import { isJoint, type Joined, JointScale } from './joints';
import { type Likeness, lostByte } from './likeness';
import type { Corrected } from './packedtext';
import { codesAt, type Piece, PieceReader } from './pieces';
import { bestPlace } from './placing';

/** Packed text of `size` bytes, or of at most so many, from where on it may be damaged and is for certain, and what such text looks like. */
export type Gapped = {
  packed: Uint8Array;
  size: number;
  isExact: boolean;
  doubted: number;
  fault: number;
  likeness: Likeness;
};

/** A text with bytes that are not known; of these, where in it each was copied from at first: those with one source are alike. */
export type Gappy = { text: Buffer; sources: Int32Array };

/** Bytes before a fault that are looked through for where it really begins, and before that are not learnt from. */
const mostLate = 400;
/** Bytes behind damage at which reading is tried again: codes fall into step by themselves soon after it ends. */
const skips = [0, 4, 16, 64, 130, 260, 520, 1100, 2100, 4200, 8400];
/** Bytes of text within which codes fall into step, and the fewest behind these by which a place is told. */
const mostToStep = 120;
const leastRead = 60;
/** Zero bytes in a row that are a wiped stretch. */
const wipedRun = 24;
/** Text that may be lost at one place, in bytes: at least, and for each byte of packed data times how it grows. */
const leastReach = 4096;
const reachGrowth = 3;
/** By how much text counts up where it is sound again behind damage. */
const trustedAgain = 15;
/** What joints count together where a copy does not belong: two strange ones, as each copy has two ends. */
const oddJoint = -5;
/** Places that are damaged in one text, and headers of blocks that are tried. */
const mostGaps = 60;
/** Bits that are passed over where reading on leads to the same place. */
const leastStep = 512;
/** Bytes by which garbage may be longer than what it stands for. */
const mostOver = 400;

/** Where the known text ends, and from which bit and with which codes reading may go on. */
type Trouble = { cut: number; bit: number; tables: Codes | null };
/** What reading on came to: the next trouble, the end, or nothing. */
type Next = Trouble | 'end' | null;

/**
 * Unpacks text around pieces of its data that are lost or overwritten. What follows each is put where its copies make text, or where the
 * end of the whole says that it belongs; bytes that are not known, and copies of these, are `lostByte`.
 */
export function unpackAroundGaps(text: Gapped, deadline: Deadline, effort: Effort): Gappy {
  const work = new GapReader(text, deadline, effort);
  work.run();
  return work.text();
}

class GapReader {
  readonly #reader: PieceReader;
  readonly #out: Uint8Array;
  readonly #sources: Int32Array;
  readonly #text: Gapped;
  readonly #likeness: Likeness;
  readonly #scale: JointScale;
  readonly #ahead: AheadLearner;
  readonly #deadline: Deadline;
  readonly #effort: Effort;
  #length = 0;
  /** Up to where anything was ever written. */
  #written = 0;
  /** Whether the end is believed to show a place that nothing else speaks for. */
  #trustsEnd = false;

  constructor(text: Gapped, deadline: Deadline, effort: Effort) {
    const { packed, size, likeness } = text;
    this.#reader = new PieceReader(packed, effort);
    this.#out = new Uint8Array(size).fill(lostByte);
    this.#sources = new Int32Array(size).map((_, at) => at);
    this.#text = text;
    this.#likeness = likeness;
    this.#scale = new JointScale(likeness);
    this.#ahead = new AheadLearner(packed.length, likeness, this.#scale);
    this.#deadline = deadline;
    this.#effort = effort;
  }

  text(): Gappy {
    const length = this.#length;
    return { text: Buffer.from(this.#out.subarray(0, length)), sources: this.#sources.subarray(0, length) };
  }

  /** Takes back what was read from an offset on. */
  #lose(from: number): void {
    for (let at = from; at < this.#written; at++) {
      this.#out[at] = lostByte;
      this.#sources[at] = at;
    }
    this.#written = Math.min(this.#written, from);
  }

  run(): void {
    const first = this.#reader.read(headAt(0), this.#out.length);
    this.#write(first, 0, 0, first.length);
    const wiped = wipedFrom(this.#reader.source.subarray(0, this.#reader.end >> 3));
    const reached = wiped < 0 ? -1 : first.bits.subarray(0, first.length).findIndex((bit) => bit >= wiped * 8);
    const fault = Math.min(this.#text.fault, reached < 0 ? first.length : reached);
    const doubted = Math.min(this.#text.doubted, fault);
    this.#scale.follow(this.#joined(first, 0), 0, Math.max(0, doubted - mostLate), true);
    const damaged = this.#damage(first, 0, Math.max(0, doubted - mostLate), fault);
    // Strange as it may be from some place on, it is as long as it was, and nothing in it looks damaged.
    const isWhole = this.#text.isExact && first.length === this.#out.length && reached < 0;
    if (isWhole && !damaged && this.#isPlain(first, fault) && !this.#damage(first, 0, doubted, first.length)) return;
    let trouble: Next = damaged ? this.#troubleAt(first, 0, damaged.from) : this.#troubleNear(first, 0, fault);
    for (let turn = 0; trouble && trouble !== 'end' && turn < mostGaps && trouble.cut < this.#out.length; turn++) {
      this.#deadline.check();
      this.#length = trouble.cut;
      const next: Next = this.#resume(trouble);
      trouble = next && next !== 'end' && next.bit <= trouble.bit ? { ...next, bit: trouble.bit + leastStep } : next;
    }
  }

  /** Whether nothing of a piece that begins the text looks strange around an index, not even a copy from a wrong place. */
  #isPlain(piece: Piece, around: number): boolean {
    let sum = 0;
    for (let index = Math.max(0, around - mostLate); index < Math.min(piece.length, around + mostLate); index++) {
      sum = Math.min(0, sum + this.#jointAt(piece, 0, index));
      if (sum < oddJoint) return false;
    }
    return true;
  }

  /** Writes a piece from an index on at its place. */
  #write({ values }: Piece, place: number, from: number, to: number): void {
    const out = this.#out;
    const last = Math.min(to, out.length - place);
    for (let index = from; index < last; index++) {
      const value = values[index] ?? lostByte;
      const at = place + index;
      out[at] = value >= 0 ? value : (out[place + value] ?? lostByte);
      this.#sources[at] = value >= 0 ? at : (this.#sources[place + value] ?? at);
    }
    this.#length = Math.max(this.#length, place + last);
    this.#written = Math.max(this.#written, place + last);
  }

  /** Trouble at an index of a piece: what comes from there on is taken back. */
  #troubleAt(piece: Piece, place: number, index: number): Trouble {
    this.#lose(place + index);
    const bit = index < piece.length ? (piece.bits[index] ?? piece.bit) : piece.bit;
    return { cut: place + index, bit, tables: codesAt(piece, bit) };
  }

  /** The same, or a little before where the text already looks strange. */
  #troubleNear(piece: Piece, place: number, index: number, from = 0): Trouble {
    return this.#troubleAt(piece, place, this.#bestEnd(piece, place, Math.max(from, index - mostLate), index));
  }

  /** Up to which index what was read of a piece looks most like text. */
  #bestEnd(piece: Piece, place: number, from: number, to: number): number {
    let [best, most, sum] = [to, Number.NEGATIVE_INFINITY, 0];
    for (let index = from; index <= to; index++) {
      if (sum >= most) [best, most] = [index, sum];
      sum += this.#jointAt(piece, place, index);
    }
    return best;
  }

  /** What the bytes up to an index of a piece tell of whether it is damaged: only where symbols are joined can that show. */
  #jointAt({ bits }: Piece, place: number, index: number): number {
    if (!isJoint(bits, index)) return 0;
    const at = place + index;
    const out = this.#out;
    return this.#scale.worth(out[at - 2] ?? lostByte, out[at - 1] ?? lostByte, out[at] ?? lostByte);
  }

  /** A piece at its place in the text. */
  #joined({ bits }: Piece, place: number): Joined {
    const out = this.#out;
    return {
      byteAt: (index) => out[place + index] ?? lostByte,
      isJoint: (index) => isJoint(bits, index),
      isNew: (index) => this.#ahead.isNew(bits[index] ?? 0),
      learn: (from, to) => this.#likeness.learn(out, Math.max(0, place + from - 2), place + to),
    };
  }

  /** Goes on behind trouble, up to the next one; null where nothing more can be read. */
  #resume(trouble: Trouble): Next {
    return this.#behind(trouble, false) ?? this.#behind(trouble, true);
  }

  #behind(trouble: Trouble, isSure: boolean): Next {
    this.#trustsEnd = isSure;
    const { source, end } = this.#reader;
    let from = trouble.bit + 1;
    let { tables } = trouble;
    for (let turn = 0; turn < mostGaps && !this.#effort.isSpent; turn++) {
      const header = nextHeader(source, from, end, end, this.#deadline);
      const limit = header < 0 ? end : header;
      const next = tables && this.#within({ ...trouble, tables }, limit);
      if (next) return next;
      if (header < 0) return null;
      const piece = this.#reader.read(headAt(header), this.#out.length);
      const place = this.#placeOf(piece, trouble, header);
      if (place !== null) return this.#take(piece, place, 0, trouble);
      from = header + 1;
      tables = null;
    }
    return null;
  }

  /** Goes on with the codes of the same block. */
  #within({ cut, bit, tables }: Trouble & { tables: Codes }, limit: number): Next {
    const start = behindZeroes(this.#reader.source, bit >>> 3);
    for (const skip of skips) {
      const at = start === bit >>> 3 && skip === 0 ? bit + 1 : (start + skip) * 8;
      if (at + leastRead > limit || this.#effort.isSpent) return null;
      const trouble = { cut, bit: at, tables };
      const place = { ...headAt(at), tables };
      const lead = this.#reader.read(place, mostToStep, limit);
      if (lead.length < leastRead) continue;
      const step = lead.bits[lead.length - 1] ?? at;
      const codes = codesAt(lead, step);
      const piece = this.#reader.read({ ...headAt(step), tables: codes }, this.#out.length);
      const offset = this.#placeOf(piece, { ...trouble, bit }, step);
      if (offset !== null) return this.#takeFrom({ ...trouble, bit: start * 8 }, piece, step, offset);
    }
    return null;
  }

  /** Where a piece that begins at a bit belongs; null where nothing shows it. */
  #placeOf(piece: Piece, { cut, bit }: Trouble, from: number): number | null {
    this.#ahead.learn(piece);
    const size = this.#out.length;
    const growth = this.#text.isExact ? size / Math.max(1, this.#reader.end >>> 3) : cut / Math.max(1, bit >>> 3);
    const reach = leastReach + ((from - bit) / 8) * growth * reachGrowth;
    const known =
      this.#text.isExact && piece.isEnd && size - piece.length >= cut - mostOver ? size - piece.length : null;
    const placed = bestPlace(
      piece,
      {
        bytes: this.#out,
        likeness: this.#likeness,
        cut,
        from: Math.max(0, cut - mostOver),
        to: Math.min(size, cut + reach),
        known,
        trustsKnown: this.#trustsEnd,
      },
      this.#effort,
    );
    if (placed?.means) this.#scale.take(placed.means, this.#ahead.mean);
    return placed?.place ?? null;
  }

  /** Takes a piece whose place is known, with what was read before it as far as that looks like text. */
  #takeFrom(trouble: Trouble & { tables: Codes }, piece: Piece, step: number, place: number): Next {
    const chain = this.#reader.read({ ...headAt(trouble.bit), tables: trouble.tables }, this.#out.length);
    const index = chain.bits.subarray(0, chain.length).indexOf(step);
    if (index < 0) return this.#take(piece, place, 0, trouble);
    const before = place - index;
    const at = (one: number) => {
      const value = chain.values[one] ?? lostByte;
      return value >= 0 ? value : (this.#out[before + value] ?? lostByte);
    };
    const far = Math.min(chain.length - 3, index + mostToStep * 4);
    let [best, most, sum] = [far, 0, 0];
    for (let one = far; one >= 0 && before + one >= trouble.cut - mostOver; one--) {
      // Before the codes are in step, bytes that are not copied are wrong as well.
      if (chain.bits[one] === chain.bits[one + 2]) continue;
      sum += this.#scale.worth(at(one), at(one + 1), at(one + 2));
      if (sum >= most) [best, most] = [one, sum];
    }
    const bit = chain.bits[best] ?? step;
    // From there on it is read anew, so that what it copies from damage is not taken for known.
    const read = this.#reader.read({ ...headAt(bit), tables: codesAt(chain, bit) }, this.#out.length);
    const skipped = chain.bits.subarray(0, chain.length).indexOf(bit);
    // Garbage that is longer than what it stands for lies before it as well.
    return this.#take(read, before + skipped, best - skipped, { ...trouble, cut: Math.min(trouble.cut, before) });
  }

  /** Writes a piece at its place from an index on, up to where it looks damaged itself. */
  #take(piece: Piece, place: number, from: number, { cut }: Trouble): Next {
    const first = Math.max(from, Math.max(0, cut - mostOver) - place);
    this.#lose(Math.min(cut, place + first));
    this.#write(piece, place, first, piece.length);
    const last = Math.min(piece.length, this.#out.length - place);
    const isAnchored = this.#text.isExact && piece.isEnd && place + piece.length === this.#out.length;
    const damaged = this.#damage(piece, place, first, last);
    if (!damaged) return piece.isEnd ? 'end' : this.#troubleNear(piece, place, last, first);
    if (!isAnchored) return this.#troubleAt(piece, place, damaged.from);
    // What follows stays in its place, which the end shows; read anew, it copies nothing from the damage.
    this.#lose(place + damaged.from);
    const bit = piece.bits[damaged.to] ?? piece.bit;
    const begin = piece.bits.subarray(0, damaged.to + 1).indexOf(bit);
    if (damaged.to >= last || this.#effort.isSpent) return 'end';
    const rest = this.#reader.read({ ...headAt(bit), tables: codesAt(piece, bit) }, this.#out.length);
    return this.#take(rest, place + begin, damaged.to - begin, { cut: place + damaged.to, bit, tables: null });
  }

  /** A stretch of a piece that looks damaged, between two indexes; null when there is none. */
  #damage(piece: Piece, place: number, from: number, to: number): { from: number; to: number } | null {
    const { kept, at: shown, isDamaged } = this.#scale.follow(this.#joined(piece, place), from, to);
    if (!isDamaged) return null;
    let at = shown;
    let [sum, lowest, begins] = [0, 0, at];
    for (; at < to && sum - lowest < trustedAgain; at++) {
      sum += this.#jointAt(piece, place, at);
      if (sum <= lowest) [lowest, begins] = [sum, at + 1];
    }
    return { from: kept, to: sum - lowest < trustedAgain ? to : begins };
  }
}

/** Bits that were turned this near to each other, in bits, were overwritten together: text that goes on behind them does so by chance. */
const chanceful = { bits: 3, within: 3000 };

/** Packed text with bits set right, but for those that lie in a piece that was overwritten: what is left of it is at fault there. */
export function withoutChance(corrected: Corrected): Pick<Corrected, 'packed' | 'bits' | 'doubted' | 'fault'> {
  const { packed, turned, doubted, fault } = corrected;
  const { bits, within } = chanceful;
  const first = turned.findIndex(({ bit }, index) => {
    const near = turned.slice(index).filter((other) => Math.abs(other.bit - bit) < within);
    return near.length >= bits;
  });
  if (first < 0) return { packed, bits: turned.length, doubted, fault };
  const back = Uint8Array.from(packed);
  for (const { bit } of turned.slice(first)) back[bit >> 3] = (back[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  const before = turned[first]?.fault ?? doubted;
  return { packed: back, bits: first, doubted: Math.min(doubted, before), fault };
}

/** Bytes of zero in a row that codes never make: there the data was wiped. */
const surelyWiped = 64;

/** The byte from which on packed data is wiped, or -1. */
export function wipedFrom(packed: Uint8Array): number {
  for (let at = 0, run = 0; at < packed.length; at++) {
    run = packed[at] === 0 ? run + 1 : 0;
    if (run === surelyWiped) return at + 1 - run;
  }
  return -1;
}

/** The first byte behind a wiped stretch that begins about there; the place itself where there is none. */
function behindZeroes(source: Uint8Array, at: number): number {
  for (let look = Math.max(0, at - wipedRun), run = 0; look < source.length; look++) {
    if (source[look] === 0) run++;
    else if (run >= wipedRun) return look;
    else if (look > at + wipedRun) return at;
    else run = 0;
  }
  return at;
}
