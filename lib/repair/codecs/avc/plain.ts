import type { Effort } from '../../report';
import { type SliceEnd, type SliceStart, spentOn } from '../slices';
import { PlainBits } from './coefficients';
import type { AvcFields } from './fields';
import type { AvcSlice } from './header';
import { AvcModes } from './modes';
import { partLists, quarterLists, quarterShapes } from './motion';
import { blockX, blockY } from './places';
import { highProfiles } from './sets';
import { type AvcSymbols, contexts } from './symbols';
import { patterns } from './words';

/** Blocks of a macroblock whose coefficients neighbours look at: 16 of luma, four of each colour. */
const blocksEach = 24;
/** Kinds of blocks whose numbers of coefficients differ: DC and AC of whole macroblocks, others by how they are predicted, DC and AC of colours. */
const blockKinds = { whole: 0, rest: 1, intra: 2, inter: 3, colours: 4, coloursRest: 5 } as const;
/** Differences of vectors that are large, in quarters of a sample. */
const farFrom = 8;
/** mb_type of macroblocks in I slices (table 7-11): those of samples, and the first of those that are parted further in B and P slices. */
const samplesType = 25;
const quartersOfBoth = 22;
/** Types in P slices from which on macroblocks are predicted in the picture itself, and in B slices (tables 7-13 and 7-14). */
const intraFrom = [5, 23, 0];
/** Vectors of a quarter by its shape. */
const vectorsOf = [1, 2, 2, 4];
/** The longest level_prefix (9.2.2.1, A.2), in profiles of many bits what no coefficient of 14 bits goes beyond. */
const mostLevelPrefix = { high: 20, other: 15 };
/** Codes of coded_block_pattern, quarters of P macroblocks and of B ones. */
const most = { pattern: 47, quarterOfOne: 3, quarterOfBoth: 12, chromaMode: 3 };

/**
 * Reads the data of slices of H.264 down to the last coefficient (ISO/IEC 14496-10, 7.3.4 and 7.3.5, CAVLC, frames), without making pictures
 * of it: whether an encoder can have written it is told by where it ends.
 */
export class PlainData {
  readonly fields: AvcFields;
  readonly blocks: number;
  readonly #bits: PlainBits;
  readonly #effort: Effort;
  readonly #wide: number;
  readonly #slices: Int32Array;
  readonly #totals: Uint8Array;
  /** Macroblocks that are predicted in the picture itself, and modes of that. */
  readonly #inside: Uint8Array;
  readonly #patterns: Uint8Array;
  readonly #modes: AvcModes;
  #slice: AvcSlice | null = null;
  #mark = 0;
  #block = 0;
  #left = -1;
  #above = -1;
  #qpRange: number;
  /** Sizes of the last differences of vectors, across and down. */
  readonly #lastSizes = [0, 0];

  constructor(fields: AvcFields, effort: Effort) {
    this.fields = fields;
    this.#effort = effort;
    this.#bits = new PlainBits(
      highProfiles.includes(fields.profile_idc) ? mostLevelPrefix.high : mostLevelPrefix.other,
    );
    this.#wide = fields.PicWidthInMbs;
    this.blocks = fields.PicWidthInMbs * fields.FrameHeightInMbs;
    this.#slices = new Int32Array(this.blocks).fill(-1);
    this.#totals = new Uint8Array(this.blocks * blocksEach);
    this.#patterns = new Uint8Array(this.blocks);
    this.#inside = new Uint8Array(this.blocks);
    this.#modes = new AvcModes(this.blocks);
    this.#qpRange = 26 + 3 * (fields.BitDepthY - 8);
    effort.spend('sliceRoom', this.blocks);
  }

  /** Reads a slice from its first macroblock on. The beginnings of its macroblocks are added to `starts`. */
  read(slice: AvcSlice, bytes: Uint8Array, end: number, starts?: SliceStart[]): SliceEnd {
    this.#slice = slice;
    this.#mark++;
    this.#bits.start(bytes, slice.data, end);
    return spentOn(this.#effort, slice.body, this.#run(slice.first_mb_in_slice, starts));
  }

  /** Reads the slice that was read last once more, from one of its macroblocks on. */
  readFrom({ block, at }: SliceStart): SliceEnd {
    this.#bits.at = at;
    this.#bits.failed = false;
    return spentOn(this.#effort, at >> 3, this.#run(block));
  }

  /** Reads a slice and lets `symbols` take what it is made of. */
  observe(slice: AvcSlice, bytes: Uint8Array, end: number, symbols: AvcSymbols, from = slice.data): SliceEnd {
    this.#bits.symbols = symbols;
    symbols.begin(from);
    const read = this.read(slice, bytes, end);
    this.#bits.symbols = null;
    return read;
  }

  #run(from: number, starts?: SliceStart[]): SliceEnd {
    const bits = this.#bits;
    const isSkipping = this.#slice?.slice_type !== 2;
    for (let block = from; ; block++) {
      starts?.push({ block, at: bits.at });
      if (isSkipping) {
        const run = bits.number(contexts.skipRun + (this.#slice?.slice_type as number));
        if (bits.failed || run > this.blocks - block) return { whole: false, block, position: bits.at };
        for (let count = run; count > 0; count--) this.#enter(block++);
        if (run > 0 && bits.at === bits.stop) return { whole: true, block, position: bits.at };
      }
      if (block >= this.blocks) return { whole: false, block, position: bits.at };
      this.#enter(block);
      this.#macroblock();
      if (bits.failed || bits.at > bits.stop) return { whole: false, block: block + 1, position: bits.at };
      if (bits.at === bits.stop) return { whole: true, block: block + 1, position: bits.at };
    }
  }

  #enter(block: number): void {
    const column = block % this.#wide;
    const above = block - this.#wide;
    this.#block = block;
    this.#slices[block] = this.#mark;
    this.#left = column > 0 && this.#slices[block - 1] === this.#mark ? block - 1 : -1;
    this.#above = above >= 0 && this.#slices[above] === this.#mark ? above : -1;
    this.#totals.fill(0, block * blocksEach, (block + 1) * blocksEach);
    this.#inside[block] = 0;
    this.#patterns[block] = 0;
    this.#modes.begin(block, this.#sampled(this.#left), this.#sampled(this.#above));
  }

  #insideOf(beside: number): number {
    return beside >= 0 ? (this.#inside[beside] as number) : 0;
  }

  /** The neighbour, if its samples may be looked at to predict this macroblock in the picture itself (8.3.1.2); else -1. */
  #sampled(beside: number): number {
    return beside >= 0 && this.fields.constrained_intra_pred_flag && !this.#inside[beside] ? -1 : beside;
  }

  #macroblock(): void {
    const kind = (this.#slice as AvcSlice).slice_type;
    const beside = this.#insideOf(this.#left) + this.#insideOf(this.#above);
    const type = this.#bits.number(contexts.type + kind * 3 + beside);
    const intra = type - (intraFrom[kind] as number);
    if (intra > samplesType) this.#bits.failed = true;
    else if (intra >= 0) this.#intra(intra);
    else if (kind === 0) this.#predicted(type);
    else this.#both(type);
  }

  #intra(type: number): void {
    const bits = this.#bits;
    this.#inside[this.#block] = 1;
    if (type === samplesType) {
      this.#samples();
      return;
    }
    if (type === 0) {
      this.#blockModes(this.fields.transform_8x8_mode_flag && bits.flag(contexts.large));
      this.#chromaMode();
      this.#pattern('intra', false);
      return;
    }
    const mode = (type - 1) & 3;
    // Vertical and flat prediction look above, horizontal and flat ones to the left (8.3.3).
    if ((mode === 0 || mode === 3) && this.#sampled(this.#above) < 0) bits.failed = true;
    if ((mode === 1 || mode === 3) && this.#sampled(this.#left) < 0) bits.failed = true;
    this.#chromaMode();
    this.#qpDelta();
    this.#patterns[this.#block] = (type > 12 ? 15 : 0) | ((((type - 1) >> 2) % 3) << 4);
    this.#residuals(blockKinds.intra, true, type > 12 ? 15 : 0, ((type - 1) >> 2) % 3);
  }

  /** Modes of blocks of 4 by 4, or of 8 by 8. */
  #blockModes(large: boolean): void {
    const bits = this.#bits;
    for (let part = 0; part < 16; part += large ? 4 : 1) {
      const rem = bits.take(1) === 1 ? -1 : bits.take(3);
      bits.symbols?.note(contexts.mode + (large ? 1 : 0), rem + 1, rem < 0 ? 1 : 4, bits.at);
      if (!this.#modes.take(part, large, rem)) bits.failed = true;
    }
  }

  #samples(): void {
    const bits = this.#bits;
    // pcm_alignment_zero_bit
    if (bits.take(-bits.at & 7) !== 0) bits.failed = true;
    bits.at += 8 * (this.fields.BitDepthY === 8 ? 384 : this.fields.BitDepthY * 48);
    this.#totals.fill(16, this.#block * blocksEach, (this.#block + 1) * blocksEach);
  }

  #chromaMode(): void {
    const mode = this.#bits.number(contexts.chromaMode + (this.#slice?.slice_type === 2 ? 1 : 0));
    if (mode > most.chromaMode) this.#bits.failed = true;
    if ((mode === 1 || mode === 3) && this.#sampled(this.#left) < 0) this.#bits.failed = true;
    if (mode >= 2 && this.#sampled(this.#above) < 0) this.#bits.failed = true;
  }

  #qpDelta(): void {
    const delta = this.#bits.signed(contexts.qpDelta + (this.#inside[this.#block] as number));
    if (delta < -this.#qpRange || delta >= this.#qpRange) this.#bits.failed = true;
  }

  #vectors(count: number): void {
    for (let index = count * 2; index > 0 && !this.#bits.failed; index--) {
      const way = index & 1;
      const last = this.#lastSizes[way] as number;
      this.#lastSizes[way] = this.#bits.size(contexts.vector + way * 3 + (last === 0 ? 0 : last < farFrom ? 1 : 2));
    }
  }

  #predicted(type: number): void {
    const bits = this.#bits;
    const count = (this.#slice as AvcSlice).num_ref_idx_active[0];
    if (type < 3) {
      const parts = type === 0 ? 1 : 2;
      for (let part = 0; part < parts; part++) bits.reference(count, contexts.reference);
      this.#vectors(parts);
      this.#pattern('inter', true);
      return;
    }
    const shapes = [0, 1, 2, 3].map(() => bits.number(contexts.partType));
    if (shapes.some((shape) => shape > most.quarterOfOne)) bits.failed = true;
    if (type === 3) for (let part = 0; part < 4; part++) bits.reference(count, contexts.reference);
    for (const shape of shapes) this.#vectors(vectorsOf[shape] ?? 0);
    this.#pattern(
      'inter',
      shapes.every((shape) => shape === 0),
    );
  }

  #both(type: number): void {
    const { direct_8x8_inference_flag: inference } = this.fields;
    if (type === 0) this.#pattern('inter', inference);
    else if (type < quartersOfBoth) {
      const lists = partLists[type] as number;
      const parts = type < 4 ? [lists] : [lists >> 4, lists & 15];
      this.#lists(
        parts,
        parts.map(() => 0),
      );
      this.#pattern('inter', true);
    } else {
      const quarters = [0, 1, 2, 3].map(() => this.#bits.number(contexts.partType + 1));
      if (quarters.some((quarter) => quarter > most.quarterOfBoth)) this.#bits.failed = true;
      const shapes = quarters.map((quarter) => quarterShapes[quarter] ?? 0);
      this.#lists(
        quarters.map((quarter) => quarterLists[quarter] ?? 0),
        shapes,
      );
      this.#pattern(
        'inter',
        quarters.every((quarter, index) => (quarter === 0 ? inference : shapes[index] === 0)),
      );
    }
  }

  /** References and vectors of parts by the lists that each uses. */
  #lists(lists: readonly number[], shapes: readonly number[]): void {
    const { num_ref_idx_active: counts } = this.#slice as AvcSlice;
    for (const list of [0, 1] as const)
      for (const used of lists) if (used & (1 << list)) this.#bits.reference(counts[list], contexts.reference + list);
    for (const list of [0, 1] as const)
      for (const [part, used] of lists.entries())
        if (used & (1 << list)) this.#vectors(vectorsOf[shapes[part] as number] ?? 0);
  }

  /** coded_block_pattern and what follows it; `mayBeLarge` where the flag of large transforms comes behind it. */
  #pattern(kind: 'intra' | 'inter', mayBeLarge: boolean): void {
    const bits = this.#bits;
    const from = bits.at;
    const code = bits.number(contexts.unknown);
    if (code > most.pattern) bits.failed = true;
    if (bits.failed) return;
    const pattern = patterns[kind][code] as number;
    this.#patterns[this.#block] = pattern;
    if (bits.symbols) this.#notePattern(bits.symbols, pattern, bits.at - from);
    if ((pattern & 15) !== 0 && mayBeLarge && this.fields.transform_8x8_mode_flag) bits.flag(contexts.large + 1);
    if (pattern === 0) return;
    this.#qpDelta();
    this.#residuals(kind === 'intra' ? blockKinds.intra : blockKinds.inter, false, pattern & 15, pattern >> 4);
  }

  /** coded_block_pattern of so many bits: each quarter by those beside and above it, and colours by those of the macroblocks there. */
  #notePattern(symbols: AvcSymbols, pattern: number, bits: number): void {
    const left = this.#left >= 0 ? (this.#patterns[this.#left] as number) : 15;
    const above = this.#above >= 0 ? (this.#patterns[this.#above] as number) : 15;
    const first = contexts.pattern + 4 * (this.#inside[this.#block] as number);
    for (let quarter = 0; quarter < 4; quarter++) {
      const beside = quarter & 1 ? pattern >> (quarter - 1) : left >> (quarter + 1);
      const over = quarter & 2 ? pattern >> (quarter - 2) : above >> (quarter + 2);
      symbols.note(first + (beside & 1) + 2 * (over & 1), (pattern >> quarter) & 1, bits / 5, this.#bits.at);
    }
    const colours = contexts.chromaPattern + 9 * (this.#inside[this.#block] as number);
    symbols.note(colours + (left >> 4) + 3 * (above >> 4), pattern >> 4, bits / 5, this.#bits.at);
  }

  /** Coefficients that the blocks beside and above have, nC (9.2.1). Its neighbours are in this macroblock or in the next ones. */
  #nearby(leftIndex: number, isLeftIn: boolean, aboveIndex: number, isAboveIn: boolean): number {
    const own = this.#block;
    const left = isLeftIn ? own : this.#left;
    const above = isAboveIn ? own : this.#above;
    const besides = left >= 0 ? (this.#totals[left * blocksEach + leftIndex] as number) : -1;
    const over = above >= 0 ? (this.#totals[above * blocksEach + aboveIndex] as number) : -1;
    if (besides < 0) return Math.max(0, over);
    return over < 0 ? besides : (besides + over + 1) >> 1;
  }

  #lumaNearby(x: number, y: number): number {
    const index = y * 4 + x;
    return this.#nearby(x > 0 ? index - 1 : index + 3, x > 0, y > 0 ? index - 4 : index + 12, y > 0);
  }

  #residuals(kind: number, isWhole: boolean, luma: number, chroma: number): void {
    const bits = this.#bits;
    const base = this.#block * blocksEach;
    if (isWhole) bits.block(this.#lumaNearby(0, 0), 16, blockKinds.whole);
    for (let index = 0; index < 16 && !bits.failed; index++) {
      if (!(luma & (1 << (index >> 2)))) continue;
      const [x, y] = [blockX[index] as number, blockY[index] as number];
      this.#totals[base + y * 4 + x] = bits.block(
        this.#lumaNearby(x, y),
        isWhole ? 15 : 16,
        isWhole ? blockKinds.rest : kind,
      );
    }
    if (chroma > 0) for (let plane = 0; plane < 2 && !bits.failed; plane++) bits.block(-1, 4, blockKinds.colours);
    if (chroma < 2) return;
    for (let part = 0; part < 8 && !bits.failed; part++) {
      const [x, y, index] = [part & 1, (part >> 1) & 1, 16 + part];
      const nearby = this.#nearby(x > 0 ? index - 1 : index + 1, x > 0, y > 0 ? index - 2 : index + 2, y > 0);
      this.#totals[base + index] = bits.block(nearby, 15, blockKinds.coloursRest);
    }
  }
}
