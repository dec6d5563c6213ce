import type { Effort } from '../../report';
import type { Codes } from '../deflate/codes';
import { FlateReader, headAt, type Sink } from '../deflate/reader';
import type { StepEnd, StepInflater } from '../deflate/steps';
import { distanceOf, isByte, isEndOfBlock, padded, symbolAt, symbolValue, widthOf } from '../deflate/symbols';
import { crc32 } from '../sums';
import { type Influence, influencesOf, weighted } from '../sumweights';
import { Fours } from './fours';
import type { PackedText, Turned } from './packedtext';
import { isWhole } from './trial';

/**
 * Packed text that ends as it should and has the right length, in bytes, what its check sum (CRC-32) should be and is, and bits of it that
 * were turned already, each of which may be the wrong one.
 */
export type SilentText = {
  packed: Uint8Array;
  length: number;
  wanted: number;
  found: number;
  turned: readonly number[];
};

/** Longer texts are not searched, in bytes: each of them takes sixteen bytes of memory. */
const longest = 1 << 22;
/** Symbols and bytes of text within which codes must be in step again. */
const mostSymbols = 64;
const mostFresh = 2048;
/** Bytes of text before and behind a bit that was turned within which another one may be the wrong one. */
const nearTurned = { before: 1500, behind: 300 };
/**
 * Bits of which two are tried together, at most: those after which the text looks most like itself. Of so many pairs one in a thousand
 * texts has one that fits a sum of 32 bits by chance.
 */
const mostPaired = 3000;

/**
 * Wrong bits that change letters and nothing else: text that is as long as it should be and breaks no rule, but does not have its check
 * sum. What a turned bit changes of the text, and of all that copies from there, changes the sum by as much wherever else it was changed
 * (a CRC is linear), so that no trial reads the text again. Returns the one bit, or the two, that fit; null where none do, or too much would do.
 */
export function findSilentBits(text: SilentText, effort: Effort): readonly number[] | null {
  if (text.length > longest) return null;
  const search = new SilentSearch(text, effort);
  return search.run(text.wanted ^ text.found, text.turned);
}

/** A block of codes by its symbols: from the first one up to the one that ends it. */
type Block = { first: number; end: number; tables: Codes };

/** Bits, by how much turning them changes the sum of the text, and how much more it looks like itself then. */
type Change = { bits: readonly number[]; sum: number; gain: number };

/** The same in a text that was read to its end, with bits that were turned on the way; none where its size or its sum is not known. */
export function silentBits(
  part: PackedText,
  { bytes, output }: StepInflater,
  end: StepEnd,
  turned: readonly Turned[],
  effort: Effort,
): readonly number[] {
  const { length } = end;
  if (part.crc === undefined || !isWhole(part, end)) return [];
  const sums = { wanted: part.crc, found: crc32(output.subarray(0, length)) };
  const text = { packed: bytes, length, ...sums, turned: turned.map(({ bit }) => bit) };
  return findSilentBits(text, effort.share(part.lastBitEffort)) ?? [];
}

/** Text that is read once, with what every byte was copied from and where every symbol stands. */
class SilentSearch implements Sink {
  length = 0;
  readonly #text: Uint8Array;
  /** Where each byte was copied from; below zero where it was not. */
  readonly #sources: Int32Array;
  readonly #influences: Influence;
  readonly #view: DataView;
  readonly #source: Uint8Array;
  readonly #effort: Effort;
  readonly #fours: Fours;
  /** Of each symbol the bit and the byte of text where it begins, and of each block its first symbol. */
  readonly #bits: number[] = [];
  readonly #outs: number[] = [];
  readonly #blocks: Pick<Block, 'first' | 'tables'>[] = [];
  readonly #changes: Change[] = [];
  readonly #fresh = new Uint8Array(mostFresh);
  readonly #inside = new Int32Array(mostFresh);

  constructor({ packed, length }: SilentText, effort: Effort) {
    this.#effort = effort;
    this.#source = padded(packed);
    this.#view = new DataView(this.#source.buffer, this.#source.byteOffset, this.#source.length);
    this.#text = new Uint8Array(length);
    this.#sources = new Int32Array(length).fill(-1);
    const reader = new FlateReader(this.#source, this, effort);
    reader.place = headAt(0);
    reader.passAt = 0;
    reader.pass = () => this.#pass(reader);
    reader.run(length + 1);
    effort.spend('inflatedByte', this.length);
    effort.spend('symbol', length);
    this.#influences = influencesOf(this.#sources);
    this.#fours = new Fours(this.#text, this.#sources);
  }

  byte(value: number): void {
    this.#text[this.length++] = value;
  }

  copy(distance: number, count: number): boolean {
    if (distance > this.length) return false;
    for (let to = this.length + count; this.length < to; this.length++) {
      this.#text[this.length] = this.#text[this.length - distance] ?? 0;
      this.#sources[this.length] = this.length - distance;
    }
    return true;
  }

  store(bytes: Uint8Array): void {
    for (const byte of bytes) this.byte(byte);
  }

  #pass({ tables, bit }: FlateReader): void {
    if (!tables) return;
    if (this.#blocks.at(-1)?.tables !== tables) this.#blocks.push({ first: this.#bits.length, tables });
    this.#bits.push(bit);
    this.#outs.push(this.length);
  }

  /** Bits that, all of them turned, change the sum as wanted; null where none do. */
  run(wanted: number, turned: readonly number[]): readonly number[] | null {
    if (this.length !== this.#text.length) return null;
    for (const [index, block] of this.#blocks.entries()) {
      // The last symbol of a block ends it.
      const end = (this.#blocks[index + 1]?.first ?? this.#bits.length) - 1;
      for (const bit of turned) this.#addInstead(bit, { ...block, end });
      for (let symbol = block.first; symbol < end; symbol++) {
        if ((symbol & 255) === 0 && this.#effort.isSpent) return null;
        for (let bit = this.#bits[symbol] ?? 0; bit < (this.#bits[symbol + 1] ?? 0); bit++)
          this.#add([bit], symbol, { ...block, end });
      }
    }
    const only = this.#changes.find(({ sum }) => sum === wanted);
    return only?.bits ?? pairOf(this.#changes, wanted);
  }

  /** Adds what other bits change near one that was turned, with that one turned back. */
  #addInstead(bit: number, block: Block): void {
    const at = this.#symbolAt(bit);
    if (at < block.first || at >= block.end) return;
    const out = this.#outs[at] ?? 0;
    for (let symbol = at; symbol >= block.first && out - (this.#outs[symbol] ?? 0) < nearTurned.before; symbol--)
      this.#addWith(bit, symbol, at, block);
    for (let symbol = at + 1; symbol < block.end && (this.#outs[symbol] ?? 0) - out < nearTurned.behind; symbol++)
      this.#addWith(bit, symbol, at, block);
  }

  #addWith(bit: number, symbol: number, at: number, block: Block): void {
    if (this.#effort.isSpent) return;
    for (let other = this.#bits[symbol] ?? 0; other < (this.#bits[symbol + 1] ?? 0); other++)
      if (other !== bit) this.#add([bit, other], Math.min(symbol, at), block);
  }

  /** The symbol that a bit is part of. */
  #symbolAt(bit: number): number {
    let [low, high] = [0, this.#bits.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#bits[middle] ?? 0) <= bit) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Adds what bits change, the first of which lies in a symbol, where the text stays as long as it is. */
  #add(bits: readonly number[], symbol: number, block: Block): void {
    this.#turn(bits);
    const count = this.#read(symbol, bits.length === 1 ? (bits[0] ?? 0) : Math.max(bits[0] ?? 0, bits[1] ?? 0), block);
    this.#turn(bits);
    if (count <= 0) return;
    const begin = this.#outs[symbol] ?? 0;
    const gain = this.#fours.gain(this.#fresh, begin, count);
    this.#changes.push({ bits, sum: this.#sumOf(begin, count), gain });
  }

  #turn(bits: readonly number[]): void {
    for (const bit of bits) this.#source[bit >> 3] = (this.#source[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  }

  /** Reads on from a symbol until codes are in step behind the last changed bit: how many bytes are new then, or 0 where the text is not as long as it was. */
  #read(first: number, last: number, { tables, end }: Block): number {
    const begin = this.#outs[first] ?? 0;
    let at = this.#bits[first] ?? 0;
    let count = 0;
    let other = first;
    const limit = this.#bits[end] ?? 0;
    for (let turn = 0; turn < mostSymbols && at < limit; turn += at > last ? 1 : 0) {
      const symbol = symbolAt(this.#view, tables, at);
      if (symbol < 0 || isEndOfBlock(symbol)) break;
      if (isByte(symbol)) this.#fresh[count++] = symbolValue(symbol);
      else count = this.#copied(begin, count, distanceOf(symbol), symbolValue(symbol));
      this.#effort.spend('symbol');
      if (count <= 0 || count >= mostFresh) break;
      at += widthOf(symbol);
      while (other < end && (this.#bits[other] ?? 0) < at) other++;
      if (at > last && this.#bits[other] === at) return this.#outs[other] === begin + count ? count : 0;
    }
    return 0;
  }

  /** Copies into the new text that begins at an offset; returns how long it is then, or 0 where there is nothing to copy, or no room. */
  #copied(begin: number, count: number, distance: number, length: number): number {
    const from = begin + count - distance;
    if (from < 0 || count + length > mostFresh) return 0;
    for (let step = 0; step < length; step++) {
      const at = from + step;
      this.#fresh[count + step] = (at < begin ? this.#text[at] : this.#fresh[at - begin]) ?? 0;
    }
    return count + length;
  }

  /** By how much the new text at an offset changes the sum of the whole. */
  #sumOf(begin: number, count: number): number {
    const inside = this.#inside;
    for (let at = 0; at < count; at++) inside[at] = this.#influences[begin + at] ?? 0;
    // Copies within what is new are new themselves.
    for (let at = 0; at < count; at++) {
      const source = (this.#sources[begin + at] ?? -1) - begin;
      if (source >= 0) inside[source] = (inside[source] ?? 0) ^ (this.#influences[begin + at] ?? 0);
    }
    let sum = 0;
    for (let at = 0; at < count; at++) {
      const change = (this.#text[begin + at] ?? 0) ^ (this.#fresh[at] ?? 0);
      if (change !== 0) sum ^= weighted(change, inside[at] ?? 0);
    }
    return sum;
  }
}

/** The only two changes that change the sum as wanted, of those after which the text looks most like itself. */
function pairOf(changes: readonly Change[], wanted: number): number[] | null {
  const likely = changes.filter(({ gain, bits }) => gain > 0 || bits.length > 1);
  likely.sort((left, right) => right.gain - left.gain);
  const seen = new Map<number, Change>();
  let found: number[] | null = null;
  for (const change of likely.slice(0, mostPaired)) {
    const other = seen.get(change.sum ^ wanted);
    if (other && found) return null;
    if (other) found = [...other.bits, ...change.bits];
    seen.set(change.sum, change);
  }
  return found;
}
