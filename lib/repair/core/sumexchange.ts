import { Buffer } from '../host/bytes';
import type { Effort } from '../report';
import { type Exchange, exchange } from './exchange';
import { inverse, plainSum, product, zeroesBehind } from './sumalgebra';
import { crc32 } from './sums';

/** Sizes of the pieces that are looked for, in bytes: the usual cluster first, then larger ones and the sectors that all are made of. */
export const summedSizes: readonly number[] = [4096, 8192, 16_384, 32_768, 65_536, 2048, 1024, 512];
/** Pairs of pieces of one stretch that are held against its sum at most, of each size: one in 2^32 fits by chance. */
const mostPairs = 1 << 21;

/** A stretch of a file, and the CRC-32 that it should have, which may stand in the file itself. Offsets in bytes. */
export type Summed = { from: number; to: number; stated: number } | { from: number; to: number; statedAt: number };

const statedOf = (bytes: Buffer, summed: Summed): number =>
  'statedAt' in summed ? bytes.readUInt32BE(summed.statedAt) : summed.stated;

/** Whether a stretch has the sum that it should have. */
export const isWhole = (bytes: Buffer, summed: Summed): boolean =>
  crc32(bytes.subarray(summed.from, summed.to)) === statedOf(bytes, summed) >>> 0;

/** The pieces of a file, with their sums by size. */
export class Pieces {
  readonly bytes: Buffer;
  readonly #effort: Effort;
  readonly #sums = new Map<number, Int32Array>();

  constructor(bytes: Buffer, effort: Effort) {
    this.bytes = bytes;
    this.#effort = effort;
  }

  exchange(found: Exchange): void {
    exchange(this.bytes, found);
    const { first, second, size } = found;
    const sums = this.#sumsOf(size);
    const [one, other] = [first / size, second / size];
    [sums[one], sums[other]] = [sums[other] ?? 0, sums[one] ?? 0];
    this.#sums.clear();
    this.#sums.set(size, sums);
  }

  /** The exchange of two pieces of a size with which a stretch has its sum; the one in which it begins stays where it is. */
  find(summed: Summed, size: number): Exchange | null {
    const { from, to } = summed;
    const first = Math.ceil(from / size);
    const behind = Math.max(first, Math.floor(to / size));
    const count = Math.floor(this.bytes.length / size);
    if (first >= count || this.#effort.isSpent) return null;
    this.#effort.spend('summedByte', to - from);
    const stretch = new StretchPieces(this.bytes, summed, size, this.#sumsOf(size));
    const found = stretch.withOutside(first, behind, count) ?? stretch.withinPair(first, behind, this.#effort);
    const end = 'statedAt' in summed ? Math.max(to, summed.statedAt + 4) : to;
    if (found || behind >= count || behind * size >= end) return found;
    return stretch.withLast(behind, count, this.#effort);
  }

  #sumsOf(size: number): Int32Array {
    const known = this.#sums.get(size);
    if (known) return known;
    this.#effort.spend('summedByte', this.bytes.length);
    const sums = Int32Array.from({ length: Math.floor(this.bytes.length / size) }, (_, index) =>
      plainSum(this.bytes.subarray(index * size, (index + 1) * size)),
    );
    this.#sums.set(size, sums);
    return sums;
  }
}

/** The pieces of one size that lie in a stretch whose sum is off. */
class StretchPieces {
  readonly #bytes: Buffer;
  readonly #summed: Summed;
  readonly #end: number;
  readonly #size: number;
  readonly #sums: Int32Array;
  /** Its sum as it stands, and by what that is off. */
  readonly #sum: number;
  readonly #off: number;

  constructor(bytes: Buffer, summed: Summed, size: number, sums: Int32Array) {
    this.#bytes = bytes;
    this.#summed = summed;
    this.#end = summed.to;
    this.#size = size;
    this.#sums = sums;
    this.#sum = crc32(bytes.subarray(summed.from, summed.to));
    this.#off = this.#sum ^ statedOf(bytes, summed);
  }

  /** What the sum of a piece that lies in the stretch is multiplied by, as so many bytes stand behind it. */
  #weight(piece: number): number {
    return zeroesBehind(this.#end - (piece + 1) * this.#size);
  }

  #isOutside(piece: number): boolean {
    return (piece + 1) * this.#size <= this.#summed.from || piece * this.#size >= this.#end;
  }

  #exchange(first: number, second: number): Exchange {
    return { first: first * this.#size, second: second * this.#size, size: this.#size };
  }

  /** A piece of the stretch that belongs elsewhere, from `first` to before `behind`, in exchange with one that lies outside. */
  withOutside(first: number, behind: number, count: number): Exchange | null {
    const outside = new Map<number, number>();
    for (let piece = 0; piece < count; piece++) if (this.#isOutside(piece)) outside.set(this.#sums[piece] ?? 0, piece);
    if (outside.size === 0) return null;
    // What is wrong in a piece is told by dividing by its weight, and the weight of each is that of the next one times the same.
    const step = inverse(zeroesBehind(this.#size));
    let wanted = product(this.#off, inverse(zeroesBehind(this.#end - behind * this.#size)));
    for (let piece = behind - 1; piece >= first; piece--) {
      const other = outside.get((this.#sums[piece] ?? 0) ^ wanted);
      if (other !== undefined) return this.#exchange(piece, other);
      wanted = product(wanted, step);
    }
    return null;
  }

  /** Two pieces of the stretch in each other's place. */
  withinPair(first: number, behind: number, effort: Effort): Exchange | null {
    const count = behind - first;
    if (count < 2 || (count * (count - 1)) / 2 > mostPairs) return null;
    const weights = Int32Array.from({ length: count }, (_, index) => this.#weight(first + index));
    for (let one = 0; one < count; one++) {
      effort.spend('sumProduct', count - one);
      const [sum, weight] = [this.#sums[first + one] ?? 0, weights[one] ?? 0];
      for (let other = one + 1; other < count; other++) {
        const both = product(sum ^ (this.#sums[first + other] ?? 0), weight ^ (weights[other] ?? 0));
        if (both === this.#off && both !== 0) return this.#exchange(first + one, first + other);
      }
    }
    return null;
  }

  /** The piece in which the stretch ends, which may hold its sum or a part of that, in exchange with one that lies inside or outside. */
  withLast(last: number, count: number, effort: Effort): Exchange | null {
    const length = Math.max(0, this.#end - last * this.#size);
    const own = plainSum(this.#bytes.subarray(last * this.#size, last * this.#size + length));
    for (let piece = 0; piece < count && !effort.isSpent; piece++) {
      const isInside = piece < last && piece * this.#size >= this.#summed.from;
      if (piece === last || !(isInside || this.#isOutside(piece))) continue;
      effort.spend('summedByte', length);
      const from = piece * this.#size;
      let sum = this.#sum ^ own ^ plainSum(this.#bytes.subarray(from, from + length));
      if (isInside) sum ^= product((this.#sums[piece] ?? 0) ^ (this.#sums[last] ?? 0), this.#weight(piece));
      if (sum === (this.#statedWith(last, piece) | 0)) return this.#exchange(last, piece);
    }
    return null;
  }

  /** What the sum should be with these two exchanged. */
  #statedWith(last: number, piece: number): number {
    if (!('statedAt' in this.#summed)) return this.#summed.stated;
    const { statedAt } = this.#summed;
    const moved = (piece - last) * this.#size;
    const [from, to] = [last * this.#size, (last + 1) * this.#size];
    const sum = Buffer.alloc(4);
    for (let index = 0; index < 4; index++) {
      const at = statedAt + index;
      sum[index] = this.#bytes[at >= from && at < to ? at + moved : at] ?? 0;
    }
    return sum.readUInt32BE(0);
  }
}
