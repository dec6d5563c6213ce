import type { Effort } from '../../report';
import { Cabac } from '../cabac';
import { Extremes } from '../extremes';
import { type BlockState, type SliceEnd, spentOn } from '../slices';
import { avcContexts, startAvcContexts } from './contexts';
import type { AvcFields } from './fields';
import type { AvcSlice } from './header';
import { measure, room } from './measures';
import { AvcModes } from './modes';
import { AvcMotion, partLists, quarterLists, quarterShapes } from './motion';
import { blockX, blockY } from './places';
import { readAvcResidual } from './residual';
import { intraInBoth, readBothType, readSubType } from './types';

/** Kinds of macroblocks; what neighbours look at. */
const kinds = { none: 0, skipped: 1, direct: 2, inter: 3, intra: 4, intra16: 5, pcm: 6 } as const;

/** The largest cu_qp difference of eight-bit pictures (7.4.5): mb_qp_delta from -26 to 25, in its mapped form. */
const mostQpDelta = 52;

/** Macroblock types of B slices below this one are parted in two, and the one itself in four (table 7-14). */
const firstParted = 22;

/**
 * Reads the data of slices of H.264 down to the last coefficient (ISO/IEC 14496-10, 7.3.4 and 7.3.5, CABAC, frames), without making
 * pictures of it: whether an encoder can have written it is told by where it ends.
 */
export class AvcData {
  readonly fields: AvcFields;
  readonly blocks: number;
  readonly #cabac = new Cabac(avcContexts);
  readonly #effort: Effort;
  readonly #wide: number;
  readonly #slices: Int32Array;
  readonly #kinds: Uint8Array;
  readonly #patterns: Uint8Array;
  readonly #chromaModes: Uint8Array;
  readonly #large: Uint8Array;
  /** Bits of the blocks with coefficients: 16 of luma, 4 and 4 of chroma, then those of the three kinds of DC. */
  readonly #coded: Int32Array;
  readonly #motion: AvcMotion;
  readonly #extremes = new Extremes(room);
  readonly #modes: AvcModes;
  #slice: AvcSlice | null = null;
  #mark = 0;
  #delta = false;
  #failed = false;
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;
  /** Neighbours of the macroblock, or -1. */
  #left = -1;
  #above = -1;
  #block = 0;

  constructor(fields: AvcFields, effort: Effort) {
    this.fields = fields;
    this.#effort = effort;
    this.#wide = fields.PicWidthInMbs;
    this.blocks = fields.PicWidthInMbs * fields.FrameHeightInMbs;
    this.#slices = new Int32Array(this.blocks).fill(-1);
    this.#kinds = new Uint8Array(this.blocks);
    this.#patterns = new Uint8Array(this.blocks);
    this.#chromaModes = new Uint8Array(this.blocks);
    this.#large = new Uint8Array(this.blocks);
    this.#coded = new Int32Array(this.blocks);
    this.#motion = new AvcMotion(this.#cabac, this.blocks, this.#extremes);
    this.#modes = new AvcModes(this.blocks);
    effort.spend('sliceRoom', this.blocks);
  }

  /**
   * Reads a slice from its first macroblock on. The beginnings of its macroblocks are added to `starts`. Where `isBound`, it ends
   * as soon as a macroblock takes more than those of sound slices did, then and whenever it is read once more.
   */
  read(slice: AvcSlice, bytes: Uint8Array, end: number, starts?: BlockState[], isBound = false): SliceEnd {
    this.#slice = slice;
    this.#bytes = bytes;
    this.#end = end;
    this.#mark++;
    this.#delta = false;
    startAvcContexts(this.#cabac.contexts, slice.contexts, slice.SliceQPY);
    this.#cabac.start(bytes, slice.body, end);
    this.#extremes.begin(slice.slice_type, isBound ? 1 : null);
    const read = this.#run(slice.first_mb_in_slice, this.blocks, starts);
    if (read.whole) this.#extremes.learn(slice.slice_type, read.block - slice.first_mb_in_slice);
    return spentOn(this.#effort, slice.body, read);
  }

  /** Reads the slice that was read last once more, from one of its macroblocks on, up to one before `until`. */
  readFrom({ block, state, delta }: BlockState, until = this.blocks): SliceEnd {
    this.#cabac.restore(state);
    this.#delta = delta;
    return spentOn(this.#effort, state.at, this.#run(block, until));
  }

  #run(from: number, until: number, starts?: BlockState[]): SliceEnd {
    this.#failed = false;
    this.#motion.failed = false;
    const cabac = this.#cabac;
    for (let block = from; block < until; block++) {
      if (starts) {
        const state = cabac.save();
        starts.push({ block, at: state.at * 8, state, delta: this.#delta });
      }
      const from = cabac.position;
      this.#macroblock(block);
      const isUsual = this.#extremes.allows(measure.bits, cabac.position - from);
      const done = !isUsual || this.#failed || this.#motion.failed || cabac.over;
      if (done) return { whole: false, block: block + 1, position: cabac.position };
      if (cabac.terminate() === 1) return { whole: cabac.ended, block: block + 1, position: cabac.position };
    }
    return { whole: false, block: until, position: cabac.position };
  }

  #macroblock(block: number): void {
    const kind = (this.#slice as AvcSlice).slice_type;
    const column = block % this.#wide;
    this.#block = block;
    this.#slices[block] = this.#mark;
    this.#left = column > 0 && this.#slices[block - 1] === this.#mark ? block - 1 : -1;
    const above = block - this.#wide;
    this.#above = above >= 0 && this.#slices[above] === this.#mark ? above : -1;
    this.#chromaModes[block] = 0;
    this.#large[block] = 0;
    this.#patterns[block] = 0;
    this.#coded[block] = 0;
    if (kind < 2) this.#motion.begin(block, this.#left, this.#above);
    if (kind < 2) {
      const base = kind === 0 ? 11 : 24;
      if (this.#cabac.bin(base + this.#besides(kinds.skipped))) {
        this.#kinds[block] = kinds.skipped;
        this.#delta = false;
        return;
      }
    }
    if (kind === 2) {
      this.#modes.begin(block, this.#left, this.#above);
      this.#intra(3, true);
    } else if (kind === 0) this.#predicted();
    else this.#both();
  }

  /** How many of the neighbours beside and above are of kinds behind this one. */
  #besides(kind: number): number {
    const left = this.#left >= 0 && (this.#kinds[this.#left] as number) > kind ? 1 : 0;
    return this.#above >= 0 && (this.#kinds[this.#above] as number) > kind ? left + 1 : left;
  }

  #intra(base: number, alone: boolean): void {
    const cabac = this.#cabac;
    let at = base;
    if (alone) {
      at += this.#besides(kinds.intra);
    }
    if (cabac.bin(at) === 0) this.#intra4();
    else if (cabac.terminate()) this.#samples();
    else this.#intra16(alone ? base + 2 : base, alone);
  }

  #intra16(at: number, alone: boolean): void {
    const cabac = this.#cabac;
    const more = alone ? 1 : 0;
    const luma = cabac.bin(at + 1) ? 15 : 0;
    const chroma = cabac.bin(at + 2) ? 1 + cabac.bin(at + 2 + more) : 0;
    const mode = cabac.bin(at + 3 + more) * 2 + cabac.bin(at + 3 + 2 * more);
    const block = this.#block;
    this.#kinds[block] = kinds.intra16;
    // Vertical and flat prediction look above, horizontal and flat ones to the left (8.3.3).
    if ((mode === 0 || mode === 3) && this.#above < 0) this.#failed = true;
    if ((mode === 1 || mode === 3) && this.#left < 0) this.#failed = true;
    this.#chromaMode();
    this.#patterns[block] = luma | (chroma << 4);
    this.#qpDelta();
    this.#residuals(true, luma, chroma);
  }

  #samples(): void {
    const block = this.#block;
    this.#kinds[block] = kinds.pcm;
    this.#patterns[block] = 0x2f;
    this.#coded[block] = 0x7ffffff;
    this.#delta = false;
    const from = (this.#cabac.position + 7) >> 3;
    const next = from + (this.fields.BitDepthY === 8 ? 384 : this.fields.BitDepthY * 48);
    if (next >= this.#end) this.#failed = true;
    else this.#cabac.start(this.#bytes, next, this.#end);
  }

  #intra4(): void {
    const cabac = this.#cabac;
    this.#kinds[this.#block] = kinds.intra;
    const large = this.fields.transform_8x8_mode_flag && this.#readLarge();
    for (let part = 0; part < 16; part += large ? 4 : 1) {
      const rem = cabac.bin(68) ? -1 : cabac.bin(69) + 2 * cabac.bin(69) + 4 * cabac.bin(69);
      if (this.#slice?.slice_type === 2 && !this.#modes.take(part, large, rem)) this.#failed = true;
    }
    this.#chromaMode();
    this.#pattern(true, false);
  }

  #readLarge(): boolean {
    const left = this.#left >= 0 ? (this.#large[this.#left] as number) : 0;
    const above = this.#above >= 0 ? (this.#large[this.#above] as number) : 0;
    const value = this.#cabac.bin(277 + left + above);
    this.#large[this.#block] = value;
    return value === 1;
  }

  #chromaMode(): void {
    const cabac = this.#cabac;
    const left = this.#left >= 0 && this.#chromaModes[this.#left] !== 0 ? 1 : 0;
    const above = this.#above >= 0 && this.#chromaModes[this.#above] !== 0 ? 1 : 0;
    let mode = cabac.bin(64 + left + above);
    if (mode && cabac.bin(67)) mode = 2 + cabac.bin(67);
    this.#chromaModes[this.#block] = mode;
    if ((mode === 1 || mode === 3) && this.#left < 0) this.#failed = true;
    if (mode >= 2 && this.#above < 0) this.#failed = true;
  }

  /** Reads coded_block_pattern and what follows it; `mayBeLarge` where the flag of large transforms comes behind it. */
  #pattern(intra: boolean, mayBeLarge: boolean): void {
    const cabac = this.#cabac;
    const left = this.#left >= 0 ? (this.#patterns[this.#left] as number) : 0x0f;
    const above = this.#above >= 0 ? (this.#patterns[this.#above] as number) : 0x0f;
    let luma = cabac.bin(73 + (left & 2 ? 0 : 1) + (above & 4 ? 0 : 2));
    luma |= cabac.bin(73 + (luma & 1 ? 0 : 1) + (above & 8 ? 0 : 2)) << 1;
    luma |= cabac.bin(73 + (left & 8 ? 0 : 1) + (luma & 1 ? 0 : 2)) << 2;
    luma |= cabac.bin(73 + (luma & 4 ? 0 : 1) + (luma & 2 ? 0 : 2)) << 3;
    const [leftChroma, aboveChroma] = [left >> 4, above >> 4];
    let chroma = cabac.bin(77 + (leftChroma ? 1 : 0) + (aboveChroma ? 2 : 0));
    if (chroma) chroma += cabac.bin(81 + (leftChroma === 2 ? 1 : 0) + (aboveChroma === 2 ? 2 : 0));
    this.#patterns[this.#block] = luma | (chroma << 4);
    if (luma && mayBeLarge && this.fields.transform_8x8_mode_flag) this.#readLarge();
    if (luma || chroma) {
      this.#qpDelta();
      this.#residuals(intra, luma, chroma);
    } else this.#delta = false;
  }

  #qpDelta(): void {
    const cabac = this.#cabac;
    let at = 60 + (this.#delta ? 1 : 0);
    let value = 0;
    while (cabac.bin(at)) {
      at = value === 0 ? 62 : 63;
      if (++value > mostQpDelta + 6 * (this.fields.BitDepthY - 8)) {
        this.#failed = true;
        return;
      }
    }
    this.#delta = value > 0;
    if (!this.#extremes.allows(measure.qpDelta, value)) this.#failed = true;
  }

  /** References that slices of this kind may have in each list. */
  get #refs(): readonly number[] {
    return (this.#slice as AvcSlice).num_ref_idx_active;
  }

  #predicted(): void {
    const cabac = this.#cabac;
    if (cabac.bin(14)) {
      this.#intra(17, false);
      return;
    }
    this.#kinds[this.#block] = kinds.inter;
    if (cabac.bin(15) === 0) {
      if (cabac.bin(16) === 0) this.#motion.parts(this.#refs, [0x11, 0x11], 0);
      else {
        const shapes = [0, 1, 2, 3].map(() => (cabac.bin(21) ? 0 : cabac.bin(22) === 0 ? 1 : cabac.bin(23) ? 2 : 3));
        this.#motion.quarters(this.#refs, [1, 1, 1, 1], shapes);
        this.#pattern(
          false,
          shapes.every((shape) => shape === 0),
        );
        return;
      }
    } else this.#motion.parts(this.#refs, [0x11, 0x11], cabac.bin(17) ? 1 : 2);
    this.#pattern(false, true);
  }

  #both(): void {
    const cabac = this.#cabac;
    this.#kinds[this.#block] = kinds.inter;
    if (cabac.bin(27 + this.#besides(kinds.direct)) === 0) {
      this.#kinds[this.#block] = kinds.direct;
      this.#pattern(false, this.fields.direct_8x8_inference_flag);
      return;
    }
    const type = readBothType(cabac);
    if (type === intraInBoth) {
      this.#intra(32, false);
      return;
    }
    if (type < firstParted) {
      const lists = partLists[type] as number;
      const first = type < 4 ? lists : lists >> 4;
      this.#motion.parts(this.#refs, [first, lists & 15], type < 4 ? 0 : type % 2 === 0 ? 1 : 2);
      this.#pattern(false, true);
      return;
    }
    const quarters = [0, 1, 2, 3].map(() => readSubType(cabac));
    this.#motion.quarters(
      this.#refs,
      quarters.map((quarter) => quarterLists[quarter] as number),
      quarters.map((quarter) => quarterShapes[quarter] as number),
    );
    const large = quarters.every((quarter) =>
      quarter === 0 ? this.fields.direct_8x8_inference_flag : quarterShapes[quarter] === 0,
    );
    this.#pattern(false, large);
  }

  /** Whether the block beside or above has coefficients; where there is none, as for intra blocks. */
  #flag(place: number, bit: number, intra: boolean): number {
    if (place < 0) return intra ? 1 : 0;
    return ((this.#coded[place] as number) >> bit) & 1;
  }

  #part(
    category: number,
    bit: number,
    leftBit: number,
    leftIn: boolean,
    aboveBit: number,
    aboveIn: boolean,
    intra: boolean,
  ): void {
    const block = this.#block;
    const left = this.#flag(leftIn ? block : this.#left, leftBit, intra);
    const above = this.#flag(aboveIn ? block : this.#above, aboveBit, intra);
    if (this.#failed || this.#cabac.bin(85 + category * 4 + left + 2 * above) === 0) return;
    this.#coded[block] = (this.#coded[block] as number) | (1 << bit);
    if (!readAvcResidual(this.#cabac, category, this.#extremes)) this.#failed = true;
  }

  #residuals(intra: boolean, luma: number, chroma: number): void {
    const block = this.#block;
    const whole = this.#kinds[block] === kinds.intra16;
    if (whole) this.#part(0, 24, 24, false, 24, false, true);
    for (let quarter = 0; quarter < 4; quarter++) {
      if (!(luma & (1 << quarter))) continue;
      if (this.#large[block]) this.#largeBlock(quarter);
      else this.#smallBlocks(quarter, whole ? 1 : 2, intra);
    }
    if (chroma > 0) this.#chroma(chroma, intra);
  }

  /** A block of 8 by 8, which has no coded_block_flag of its own in 4:2:0. */
  #largeBlock(quarter: number): void {
    const block = this.#block;
    if (this.#failed || !readAvcResidual(this.#cabac, 5, this.#extremes)) this.#failed = true;
    for (let part = 0; part < 4; part++) {
      const index = quarter * 4 + part;
      const bit = (blockY[index] as number) * 4 + (blockX[index] as number);
      this.#coded[block] = (this.#coded[block] as number) | (1 << bit);
    }
  }

  #smallBlocks(quarter: number, category: number, intra: boolean): void {
    for (let part = 0; part < 4; part++) {
      const x = blockX[quarter * 4 + part] as number;
      const y = blockY[quarter * 4 + part] as number;
      const bit = y * 4 + x;
      this.#part(category, bit, x > 0 ? bit - 1 : bit + 3, x > 0, y > 0 ? bit - 4 : bit + 12, y > 0, intra);
    }
  }

  #chroma(chroma: number, intra: boolean): void {
    for (let plane = 0; plane < 2; plane++) this.#part(3, 25 + plane, 25 + plane, false, 25 + plane, false, intra);
    if (chroma === 1) return;
    for (let plane = 0; plane < 2; plane++)
      for (let part = 0; part < 4; part++) {
        const [x, y] = [part & 1, part >> 1];
        const bit = 16 + plane * 4 + part;
        this.#part(4, bit, x > 0 ? bit - 1 : bit + 1, x > 0, y > 0 ? bit - 2 : bit + 2, y > 0, intra);
      }
  }
}
