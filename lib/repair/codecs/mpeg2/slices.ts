import type { Buffer } from '../../host/bytes';
import { BitReader } from '../bits';
import { BlockBits, placeContext } from '../mpeg4/bits';
import type { PictureReader } from '../pictures';
import type { SliceEnd, SliceStart } from '../slices';
import type { WordSymbols } from '../symbols';
import { codes, type PictureFields, pictureTypes, StreamHeaders, wholeFrame } from './header';
import {
  coefficients,
  dcSizes,
  endOfBlock,
  escapedStep,
  escapeWord,
  holds,
  increments,
  motions,
  patterns,
  runs,
  types,
} from './tables';

/** The beginning of a slice (ISO/IEC 13818-2, 6.2.4); `body` is the place in bits of its first macroblock, and `row` where that lies. */
export type SliceFields = { picture: PictureFields; row: number; body: number };

/** Types of motion (tables 6-17 and 6-18): of fields, two of 16 by 8, with differences between both. */
const motionTypes = { field: 1, whole: 2, dual: 3 } as const;
const samples = 64;
const escapeBits = { run: 6, level: 12 } as const;
/** Levels that escape must not tell (table B.16). */
const forbiddenLevels: ReadonlySet<number> = new Set([0, 1 << (escapeBits.level - 1)]);
/** Zero bits behind a slice that were taken for filling, since its last byte may be zero. */
const mostZeroes = 24;

/** Reads slices of MPEG-2 pictures down to their last coefficient (6.2.4 to 6.2.6). */
export class SliceReader implements PictureReader<SliceFields, SliceStart> {
  readonly #bits = new BlockBits();
  readonly #headers = new StreamHeaders();
  /** What was known of the picture of each slice when it came. */
  readonly #pictures = new WeakMap<Buffer, PictureFields>();
  #isParted: boolean;
  #slice: SliceFields | null = null;

  /** `isParted`: slices begin in the middle of a row, so that others end there. */
  constructor(isParted = false) {
    this.#isParted = isParted;
  }

  /** Whether such slices were met in the survey. */
  get isParted(): boolean {
    return this.#isParted;
  }

  isPicture(unit: Buffer): boolean {
    const code = unit[0] ?? 0;
    return code >= codes.firstSlice && code <= codes.lastSlice;
  }

  /**
   * Takes in what stands before and around slices; each unit has to be given once, in their order. True for slices of which the headers are
   * known: recordings may begin in the middle of a picture.
   */
  take(unit: Buffer): boolean {
    if (!this.isPicture(unit)) {
      this.#headers.take(unit);
      return false;
    }
    if (this.#headers.picture) this.#pictures.set(unit, this.#headers.picture);
    return this.#headers.picture !== null;
  }

  /** Looks at a unit at the beginning of a stream beforehand: whether its pictures are understood. */
  survey(unit: Buffer): boolean {
    this.take(unit);
    const fields = this.isPicture(unit) ? this.head(unit) : null;
    if (!fields) return false;
    this.#bits.start(unit, fields.body);
    if (this.#increment() > 1) this.#isParted = true;
    return true;
  }

  head(unit: Buffer): SliceFields | null {
    const picture = this.#pictures.get(unit);
    if (!picture) return null;
    const bits = new BitReader(unit, 1);
    const row = (unit[0] ?? 0) - 1 + (picture.isTall ? bits.take(3) << 7 : 0);
    const quantiser = bits.take(5);
    // intra_slice_flag and what it brings, then extra information.
    if (bits.bit() === 1) {
      bits.skip(8);
      while (bits.bit() === 1 && !bits.over) bits.skip(8);
    }
    return quantiser > 0 && row < picture.high ? { picture, row, body: bits.position } : null;
  }

  rank({ picture }: SliceFields): number {
    const { picture_coding_type: type } = picture;
    return type === pictureTypes.intra ? 0 : type === pictureTypes.between ? 2 : 1;
  }

  isReadable(): boolean {
    return true;
  }

  read(unit: Buffer, fields: SliceFields, starts?: SliceStart[]): SliceEnd {
    this.#slice = fields;
    this.#bits.start(unit, fields.body);
    return this.#run(fields.row * fields.picture.wide - 1, starts);
  }

  watch(symbols: WordSymbols | null): void {
    this.#bits.symbols = symbols;
  }

  readFrom({ block, at }: SliceStart, isKnown: (start: SliceStart) => boolean): SliceEnd {
    this.#bits.at = at;
    this.#bits.failed = false;
    return this.#run(block, undefined, isKnown);
  }

  /** Reads on behind macroblock `before`, which is the one before the slice or in it. */
  #run(before: number, starts?: SliceStart[], isKnown?: (start: SliceStart) => boolean): SliceEnd {
    const bits = this.#bits;
    const { picture, row } = this.#slice as SliceFields;
    const end = (row + 1) * picture.wide;
    let block = before;
    for (let isFirst = true; ; isFirst = false) {
      const isBegin = block === row * picture.wide - 1;
      if (!isBegin && this.#isAtEnd()) return { whole: block + 1 === end || this.#isParted, block, position: bits.at };
      const start = { block, at: bits.at };
      starts?.push(start);
      if (!isFirst && isKnown?.(start)) return { whole: false, block, position: bits.at };
      const step = this.#increment();
      // In an I picture no macroblock is left out (6.3.16.1).
      if (step > 1 && !isBegin && picture.picture_coding_type === pictureTypes.intra) bits.failed = true;
      block += step;
      if (block >= end) bits.failed = true;
      if (!bits.failed) this.#macroblock();
      if (bits.failed || bits.at > bits.end + mostZeroes) return { whole: false, block, position: bits.at };
    }
  }

  /** Whether nothing but zeroes follows, as before the next start code (6.2.4). */
  #isAtEnd(): boolean {
    const rest = this.#bits.end - this.#bits.at;
    return rest < 8 && (rest <= 0 || this.#bits.peek(rest) === 0);
  }

  #increment(): number {
    let step = 1;
    for (;;) {
      const word = this.#bits.find(increments);
      if (this.#bits.failed || word < escapedStep) return step + word;
      step += escapedStep;
    }
  }

  #macroblock(): void {
    const bits = this.#bits;
    const { picture } = this.#slice as SliceFields;
    const table = types[picture.picture_coding_type];
    const held = table?.holds[bits.find(table.words)];
    if (held === undefined || bits.failed) {
      bits.failed = true;
      return;
    }
    const isIntra = (held & holds.intra) !== 0;
    const isMoved = (held & (holds.forward | holds.backward)) !== 0;
    const isFrame = picture.picture_structure === wholeFrame;
    const isTold = isFrame && !picture.frame_pred_frame_dct;
    let motion: number = isFrame ? motionTypes.whole : motionTypes.field;
    if (isMoved && (isTold || !isFrame)) motion = bits.take(2);
    if (isMoved && motion === 0) bits.failed = true;
    if (isTold && (isIntra || held & holds.pattern)) bits.at++;
    if (held & holds.quantiser && bits.take(5) === 0) bits.failed = true;
    const isConcealed = isIntra && picture.concealment_motion_vectors;
    if (held & holds.forward || isConcealed) this.#vectors(motion, 0, isFrame);
    if (held & holds.backward) this.#vectors(motion, 2, isFrame);
    if (isConcealed && bits.take(1) === 0) bits.failed = true;
    this.#blocks(held, isIntra);
  }

  /** motion_vectors( ) (6.2.5.2); `from`: the first of its two f_code. */
  #vectors(motion: number, from: number, isFrame: boolean): void {
    const isTwo = isFrame ? motion === motionTypes.field : motion === motionTypes.whole;
    const isSelected = isTwo || (!isFrame && motion === motionTypes.field);
    for (let part = isTwo ? 2 : 1; part > 0 && !this.#bits.failed; part--) {
      if (isSelected) this.#bits.at++;
      this.#motion(from, motion === motionTypes.dual);
      this.#motion(from + 1, motion === motionTypes.dual);
    }
  }

  #motion(which: number, isDual: boolean): void {
    const bits = this.#bits;
    const reach = this.#slice?.picture.f_code[which] ?? 0;
    if (reach === 0 || reach > 9) bits.failed = true;
    // The sign, and motion_residual.
    if (bits.find(motions) !== 0) bits.at += reach;
    if (isDual && bits.take(1) === 1) bits.at++;
  }

  #blocks(held: number, isIntra: boolean): void {
    const bits = this.#bits;
    const { blocks, intra_vlc_format } = (this.#slice as SliceFields).picture;
    const more = blocks - 6;
    let pattern = isIntra ? (1 << blocks) - 1 : 0;
    if (!isIntra && held & holds.pattern) {
      const word = bits.find(patterns);
      pattern = (word << more) | bits.take(more);
      if (pattern === 0) bits.failed = true;
    }
    const table = isIntra && intra_vlc_format ? coefficients.one : coefficients.zero;
    for (let block = 0; block < blocks && !bits.failed; block++) {
      if (!(pattern & (1 << (blocks - 1 - block)))) continue;
      if (isIntra) bits.skip(bits.find(block < 4 ? dcSizes.luma : dcSizes.colour));
      this.#block(table, isIntra);
    }
  }

  #block(table: (typeof coefficients)['zero'], isIntra: boolean): void {
    const bits = this.#bits;
    let place = isIntra ? 1 : 0;
    // The first coefficient of other blocks has no end of block before it: its one bit is level one (7.2.2.2).
    if (!isIntra && bits.peek(1) === 1) {
      bits.at += 2;
      place = 1;
    }
    while (!bits.failed && bits.at <= bits.end + mostZeroes) {
      const word = bits.find(table, placeContext(place));
      if (word === endOfBlock) {
        if (place === 0) bits.failed = true;
        return;
      }
      if (word === escapeWord) {
        place += bits.take(escapeBits.run) + 1;
        if (forbiddenLevels.has(bits.take(escapeBits.level))) bits.failed = true;
      } else {
        place += (runs[word] ?? 0) + 1;
        bits.at++;
      }
      if (place > samples) bits.failed = true;
    }
    bits.failed = true;
  }
}
