import type { Buffer } from '../../host/bytes';
import { BlockBits } from '../mpeg4/bits';
import { cbpy, dquant, interCoefficients, mcbpc, mcbpcPredicted, stuffing, types, vectors } from '../mpeg4/tables';
import type { PictureReader } from '../pictures';
import type { CodedStart, SliceEnd } from '../slices';
import type { WordSymbols } from '../symbols';
import { type PictureFields, readFlashFields, readPictureFields } from './header';

/** INTRADC that is forbidden besides zero (ITU-T H.263, table 15). */
const forbiddenDc = 128;
const blocksEach = 6;
/** Bits of a group's start code, a one behind zeroes (5.2.2). */
const groupBits = 17;
/** Rows of macroblocks of a group by the height of pictures, from which on they are two and four (4.2.1). */
const [twoRows, fourRows] = [400, 800];
/** The code that ends a sequence (5.1.27), its bits, and zeroes at most that a picture is filled up with. */
const endOfSequence = 0x3f;
const endBits = 22;
const mostFilled = 64;

const noPicture: PictureFields = {
  ...{ width: 0, height: 0, isIntra: true, isDisposable: false, quantiser: 1, escapes: 'h263' },
  body: 0,
};

/** Reads pictures of H.263 without optional modes, or of Flash video, down to their last coefficient (5.3, 5.4). */
export class H263Reader implements PictureReader<PictureFields, CodedStart> {
  readonly #isFlash: boolean;
  readonly #bits = new BlockBits();
  #picture: PictureFields = noPicture;
  #quantiser = 1;

  constructor(isFlash: boolean) {
    this.#isFlash = isFlash;
  }

  isPicture(unit: Buffer): boolean {
    return unit.length > 4;
  }

  head(unit: Buffer): PictureFields | null {
    return this.#isFlash ? readFlashFields(unit) : readPictureFields(unit);
  }

  rank({ isIntra, isDisposable }: PictureFields): number {
    return isIntra ? 0 : isDisposable ? 2 : 1;
  }

  isReadable(): boolean {
    return true;
  }

  read(unit: Buffer, fields: PictureFields, starts?: CodedStart[]): SliceEnd {
    this.#picture = fields;
    this.#quantiser = fields.quantiser;
    this.#bits.start(unit, fields.body);
    return this.#run(0, starts);
  }

  watch(symbols: WordSymbols | null): void {
    this.#bits.symbols = symbols;
  }

  readFrom({ block, at, quantiser }: CodedStart, isKnown: (start: CodedStart) => boolean): SliceEnd {
    this.#bits.at = at;
    this.#bits.failed = false;
    this.#quantiser = quantiser;
    return this.#run(block, undefined, isKnown);
  }

  #run(from: number, starts?: CodedStart[], isKnown?: (start: CodedStart) => boolean): SliceEnd {
    const bits = this.#bits;
    const wide = Math.ceil(this.#picture.width / 16);
    const blocks = wide * Math.ceil(this.#picture.height / 16);
    for (let block = from; block < blocks; block++) {
      const start = { block, at: bits.at, quantiser: this.#quantiser };
      starts?.push(start);
      if (block > from && isKnown?.(start)) return { whole: false, block, position: bits.at };
      if (block > 0 && block % wide === 0) this.#group(block / wide);
      this.#macroblock();
      if (bits.failed || bits.at > bits.end) return { whole: false, block, position: bits.at };
    }
    return { whole: this.#isAtEnd(), block: blocks, position: bits.at };
  }

  /** Whether nothing but the end of the sequence and zeroes follow (5.1.26, 5.1.27); some writers fill pictures up to whole words. */
  #isAtEnd(): boolean {
    const bits = this.#bits;
    if (bits.peek((8 - (bits.at & 7)) & 7) !== 0) return false;
    const at = bits.at;
    bits.at = (at + 7) & ~7;
    const isSequenceEnd = bits.peek(endBits) === endOfSequence;
    if (isSequenceEnd) bits.at += endBits;
    let isZero = bits.end - bits.at < mostFilled;
    for (; isZero && bits.at < bits.end; bits.at += 8) isZero = bits.peek(8) === 0;
    bits.at = at;
    return isZero;
  }

  /** Passes over the header of a group of macroblocks (5.2), where one stands before this row. */
  #group(row: number): void {
    const bits = this.#bits;
    const at = bits.at;
    const each = this.#picture.height > fourRows ? 4 : this.#picture.height > twoRows ? 2 : 1;
    if (this.#isFlash || row % each !== 0) return;
    for (let filled = 0; filled < 8; filled++) {
      bits.at = at + filled;
      if (bits.peek(groupBits) !== 1) continue;
      bits.at += groupBits;
      if (bits.take(5) !== row / each) bits.failed = true;
      bits.at += 2;
      this.#quantiser = bits.take(5);
      if (this.#quantiser === 0) bits.failed = true;
      return;
    }
    bits.at = at;
  }

  #macroblock(): void {
    const bits = this.#bits;
    const { isIntra } = this.#picture;
    for (;;) {
      if (!isIntra && bits.take(1) === 1) return;
      const word = bits.find(isIntra ? mcbpc : mcbpcPredicted);
      if (bits.failed) return;
      if (isIntra ? word === stuffing : word >> 2 === types.stuffing) continue;
      if (isIntra) this.#intra(word & 3, word > 3);
      else this.#predicted(word & 3, word >> 2);
      return;
    }
  }

  #intra(colours: number, hasQuantiser: boolean): void {
    const bits = this.#bits;
    const pattern = (bits.find(cbpy) << 2) | colours;
    if (hasQuantiser) this.#step();
    for (let block = 0; block < blocksEach && !bits.failed; block++) {
      const level = bits.take(8);
      if (level === 0 || level === forbiddenDc) bits.failed = true;
      if (pattern & (32 >> block)) bits.block(interCoefficients, 1, this.#picture.escapes);
    }
  }

  #predicted(colours: number, kind: number): void {
    const bits = this.#bits;
    if (kind === types.intra || kind === types.intraQuant) {
      this.#intra(colours, kind === types.intraQuant);
      return;
    }
    const pattern = ((15 ^ bits.find(cbpy)) << 2) | colours;
    if (kind === types.interQuant || kind === types.fourQuant) this.#step();
    const count = kind === types.interOfFour || kind === types.fourQuant ? 4 : 1;
    for (let part = count * 2; part > 0 && !bits.failed; part--) if (bits.find(vectors) !== 0) bits.at++;
    for (let block = 0; block < blocksEach && !bits.failed; block++)
      if (pattern & (32 >> block)) bits.block(interCoefficients, 0, this.#picture.escapes);
  }

  #step(): void {
    this.#quantiser = dquant(this.#quantiser, this.#bits.take(2));
  }
}
