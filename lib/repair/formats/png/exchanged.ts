import { type Exchange, exchange } from '../../core/exchange';
import { inverse, plainSum, product, zeroesBehind } from '../../core/sumalgebra';
import { crc32 } from '../../core/sums';
import { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { pngSignature } from './chunks';

/** Sizes of the pieces that are looked for, in bytes: the usual cluster first, then larger ones and the sectors that all are made of. */
const pieceSizes: readonly number[] = [4096, 8192, 16_384, 32_768, 65_536, 2048, 1024, 512];
/** Pairs of pieces of one chunk that are held against its sum at most, of each size: one in 2^32 fits by chance. */
const mostPairs = 1 << 21;
/** Exchanges that one file is taken to have, damaged chunks without one after which no more is looked for, and effort in units. */
const mostExchanges = 200;
const mostFailures = 4;
const searchEffort = 1500;
/** Length, name and sum of a chunk, in bytes. */
const overhead = 12;

/** A chunk as its head tells it: where that begins, and where its data ends. */
type Told = { at: number; end: number };

/**
 * A file as it was before pieces of it changed places, as one that was put together in a wrong order. Each exchange makes the check sum of a
 * chunk fit (ISO/IEC 15948, 5.3) that did not. Null where there is none.
 */
export function undoExchanges(given: Buffer, effort: Effort): { bytes: Buffer; exchanges: Exchange[] } | null {
  const share = effort.share(searchEffort);
  const begun = withBeginning(given);
  const exchanges = begun ? [begun.first] : [];
  const pieces = new Pieces(begun?.bytes ?? Buffer.from(given), share);
  const { bytes } = pieces;
  let failures = 0;
  let sizes: readonly number[] = [];
  for (let at = 8; exchanges.length < mostExchanges && failures < mostFailures && !share.isSpent; ) {
    const told = toldAt(bytes, at);
    if (!told) break;
    if (isWhole(bytes, told)) {
      if (told.end + 4 >= bytes.length) break;
      at = told.end + 4;
      continue;
    }
    // What moved one piece moved others of its size.
    const found = pieces.best(told, sizes) ?? pieces.best(told, pieceSizes);
    if (found) {
      pieces.exchange(found);
      exchanges.push(found);
      sizes = [found.size];
      continue;
    }
    failures++;
    at = told.end + 4;
  }
  return exchanges.length > 0 ? { bytes, exchanges } : null;
}

const isWhole = (bytes: Buffer, { at, end }: Told): boolean =>
  crc32(bytes.subarray(at + 4, end)) === bytes.readUInt32BE(end);

/** A file whose beginning stands elsewhere in it, with that put back where its first chunk is whole then and the one behind it has a head. */
function withBeginning(given: Buffer): { bytes: Buffer; first: Exchange } | null {
  const at = given.indexOf(pngSignature);
  if (at <= 0) return null;
  for (const size of pieceSizes) {
    if (at % size !== 0 || at + size > given.length) continue;
    const bytes = Buffer.from(given);
    const first = { first: 0, second: at, size };
    exchange(bytes, first);
    // Where the picture goes on in the place that it was found in, something stands in front of it.
    if (goesOn(bytes, 0, size) && !goesOn(given, at, at + size)) return { bytes, first };
  }
  return null;
}

/** Whether the chunks of a picture that begins at a place lead to one behind another place. */
function goesOn(bytes: Buffer, from: number, until: number): boolean {
  let at = from + pngSignature.length;
  while (at < until) {
    const told = toldAt(bytes, at);
    if (!told) return false;
    at = told.end + 4;
  }
  return at === bytes.length || toldAt(bytes, at) !== null;
}

/** The chunk whose head stands at a place; null where none does. */
function toldAt(bytes: Buffer, at: number): Told | null {
  if (at + overhead > bytes.length || !/^[a-zA-Z]{4}$/.test(bytes.toString('latin1', at + 4, at + 8))) return null;
  const end = at + 8 + bytes.readUInt32BE(at);
  return end + 4 <= bytes.length ? { at, end } : null;
}

/** The pieces of a file, with their sums by size. */
class Pieces {
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

  /** The exchange of pieces of one of these sizes after which most chunks are whole in a row, from this one on to behind the pieces. */
  best(told: Told, sizes: readonly number[]): Exchange | null {
    let best: { found: Exchange; whole: number } | null = null;
    for (const size of sizes) {
      const found = this.find(told, size);
      if (!found) continue;
      exchange(this.bytes, found);
      const whole = this.#wholeFrom(told.at, told.end + Math.max(size, overhead));
      exchange(this.bytes, found);
      if (whole > (best?.whole ?? 0)) best = { found, whole };
    }
    return best?.found ?? null;
  }

  /** Chunks that are whole in a row from a place on, of those that begin before another one. */
  #wholeFrom(from: number, until: number): number {
    let count = 0;
    for (let at = from; at < until; count++) {
      const told = toldAt(this.bytes, at);
      if (!told || !isWhole(this.bytes, told)) return count;
      this.#effort.spend('summedByte', told.end - at);
      at = told.end + 4;
    }
    return count;
  }

  /** The exchange of two pieces with which the sum of a chunk fits; what stands before the chunk stays where it is. */
  find(told: Told, size: number): Exchange | null {
    const { at, end } = told;
    const first = Math.ceil((at + 8) / size);
    const behind = Math.max(first, Math.floor(end / size));
    const count = Math.floor(this.bytes.length / size);
    if (first >= count || this.#effort.isSpent) return null;
    const off = crc32(this.bytes.subarray(at + 4, end)) ^ this.bytes.readUInt32BE(end);
    this.#effort.spend('summedByte', end - at);
    const chunk = new ChunkPieces(this.bytes, told, size, this.#sumsOf(size), off);
    // The one that begins inside the chunk and ends behind its data holds its sum.
    const found = chunk.withOutside(first, behind, count) ?? chunk.withinPair(first, behind, this.#effort);
    if (found || behind >= count || behind * size >= end + 4) return found;
    return chunk.withLast(behind, first, count, this.#effort);
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

/** The pieces of one size that lie in a chunk whose sum is off. */
class ChunkPieces {
  readonly #bytes: Buffer;
  readonly #end: number;
  readonly #size: number;
  readonly #sums: Int32Array;
  readonly #off: number;

  constructor(bytes: Buffer, { end }: Told, size: number, sums: Int32Array, off: number) {
    this.#bytes = bytes;
    this.#end = end;
    this.#size = size;
    this.#sums = sums;
    this.#off = off;
  }

  /** What the sum of a piece that lies in the chunk is multiplied by, as so many bytes stand behind it. */
  #weight(piece: number): number {
    return zeroesBehind(this.#end - (piece + 1) * this.#size);
  }

  #exchange(first: number, second: number): Exchange {
    return { first: first * this.#size, second: second * this.#size, size: this.#size };
  }

  /** A piece of the chunk that belongs behind it, from `first` to before `behind`, in exchange with one that lies there. */
  withOutside(first: number, behind: number, count: number): Exchange | null {
    const outside = new Map<number, number>();
    for (let piece = Math.ceil((this.#end + 4) / this.#size); piece < count; piece++)
      outside.set(this.#sums[piece] ?? 0, piece);
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

  /** Two pieces of the chunk in each other's place. */
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

  /** The piece in which the data of the chunk ends, which holds all of its sum or a part, in exchange with one from `first` on. */
  withLast(last: number, first: number, count: number, effort: Effort): Exchange | null {
    const length = Math.max(0, this.#end - last * this.#size);
    const own = plainSum(this.#bytes.subarray(last * this.#size, last * this.#size + length));
    const given = this.#bytes.readUInt32BE(this.#end);
    for (let piece = first; piece < count && !effort.isSpent; piece++) {
      if (piece === last) continue;
      effort.spend('summedByte', length);
      const from = piece * this.#size;
      let off = this.#off ^ own ^ plainSum(this.#bytes.subarray(from, from + length)) ^ given;
      if (piece < last) off ^= product((this.#sums[piece] ?? 0) ^ (this.#sums[last] ?? 0), this.#weight(piece));
      if (off === (this.#sumWith(last, piece) | 0)) return this.#exchange(last, piece);
    }
    return null;
  }

  /** What stands in the place of the chunk's sum with these two exchanged. */
  #sumWith(last: number, piece: number): number {
    const moved = (piece - last) * this.#size;
    const [from, to] = [last * this.#size, (last + 1) * this.#size];
    const sum = Buffer.alloc(4);
    for (let index = 0; index < 4; index++) {
      const at = this.#end + index;
      sum[index] = this.#bytes[at >= from && at < to ? at + moved : at] ?? 0;
    }
    return sum.readUInt32BE(0);
  }
}
