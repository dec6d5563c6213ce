import type { Effort } from '../../report';
import { Cabac } from '../cabac';
import { Extremes } from '../extremes';
import { type BlockStart, type RowEnd, spentOn } from '../slices';
import { at, contextCount, startContexts } from './contexts';
import type { HevcFields } from './fields';
import type { HevcSlice } from './header';
import { measure, room, sizes } from './measures';
import { readLikelyMode, readOtherMode, readQpDelta, readVector } from './prediction';
import { readResidual } from './residual';
import { readSao } from './sao';

/** What stands in the map of intra modes where a block has none. */
const inter = 255;

/** Modes of intra prediction whose small blocks are read in columns, and in rows (7.4.9.11). */
const vertical = { first: 6, last: 14 };
const horizontal = { first: 22, last: 30 };

/**
 * Reads the data of slices down to the last coefficient (ISO/IEC 23008-2, 7.3.8), without making pictures of it: whether an encoder can
 * have written it is told by where it ends.
 */
export class HevcData {
  readonly fields: HevcFields;
  readonly #cabac = new Cabac(contextCount);
  readonly #above = new Uint8Array(contextCount);
  readonly #extremes = new Extremes(room);
  readonly across: number;
  readonly down: number;
  readonly #effort: Effort;
  readonly #stride: number;
  readonly #depths: Uint8Array;
  readonly #skips: Uint8Array;
  /** Intra modes by 4 by 4 samples; `inter` for blocks that have none. */
  readonly #modes: Uint8Array;
  #slice: HevcSlice | null = null;
  #times: number | null = null;
  #leftThere = false;
  #aboveThere = false;
  #qpTold = false;
  #unskipped = false;
  #failed = false;
  #chromaMode = 0;

  constructor(fields: HevcFields, effort: Effort) {
    this.fields = fields;
    this.#effort = effort;
    this.across = Math.ceil(fields.pic_width_in_luma_samples / 2 ** fields.CtbLog2SizeY);
    this.down = Math.ceil(fields.pic_height_in_luma_samples / 2 ** fields.CtbLog2SizeY);
    this.#stride = (this.across << fields.CtbLog2SizeY) >> 2;
    const cells = this.#stride * ((this.down << fields.CtbLog2SizeY) >> 2);
    this.#depths = new Uint8Array(cells);
    this.#skips = new Uint8Array(cells);
    this.#modes = new Uint8Array(cells);
    effort.spend('sliceRoom', cells >> 4);
  }

  /**
   * Begins a slice; rows are read in order after that. Where `times` are told, they end as soon as something takes that many times more than
   * in sound slices, whenever they are read.
   */
  begin(slice: HevcSlice, times: number | null = null): void {
    this.#slice = slice;
    this.#times = times;
    const initType =
      slice.slice_type === 2
        ? 0
        : slice.slice_type === 1
          ? slice.cabac_init_flag
            ? 2
            : 1
          : slice.cabac_init_flag
            ? 1
            : 2;
    startContexts(this.#cabac.contexts, initType, slice.SliceQpY);
    this.#above.set(this.#cabac.contexts);
  }

  /**
   * Reads one row of a picture that is coded in rows (9.3.1), from the block at `address` on; `last` when the slice ends with it. The
   * beginnings of its blocks are added to `starts`.
   */
  row(bytes: Uint8Array, from: number, to: number, address: number, last: boolean, starts?: BlockStart[]): RowEnd {
    this.#cabac.contexts.set(this.#above);
    this.#cabac.start(bytes, from, to);
    const until = (Math.floor(address / this.across) + 1) * this.across;
    return this.#part(from, address, until, last, true, starts);
  }

  /** Reads a slice that is coded in one piece, up to its end wherever in the picture that is. */
  whole(bytes: Uint8Array, from: number, to: number, address: number, starts?: BlockStart[]): RowEnd {
    this.#cabac.start(bytes, from, to);
    return this.#part(from, address, this.across * this.down, true, false, starts);
  }

  /** Reads a row or slice from its first block on, whose measures count for others where it ends as it must. */
  #part(from: number, address: number, until: number, last: boolean, rows: boolean, starts?: BlockStart[]): RowEnd {
    const { slice_type } = this.#slice as HevcSlice;
    this.#extremes.begin(slice_type, this.#times);
    const read = this.#blocks(address, until, last, rows, starts);
    if (read.whole) this.#extremes.learn(slice_type, read.blocks << (2 * (this.fields.CtbLog2SizeY - 4)));
    return spentOn(this.#effort, from, read);
  }

  /** Reads what was read last once more, from one of its blocks on. */
  from({ block, state, above }: BlockStart, last: boolean): RowEnd {
    this.#cabac.restore(state);
    this.#above.set(above);
    const { entropy_coding_sync_enabled_flag: rows } = this.fields;
    const end = rows ? (Math.floor(block / this.across) + 1) * this.across : this.across * this.down;
    return spentOn(this.#effort, state.at, this.#blocks(block, end, last, rows));
  }

  #blocks(address: number, until: number, last: boolean, rows: boolean, starts?: BlockStart[]): RowEnd {
    const slice = this.#slice as HevcSlice;
    this.#failed = false;
    for (let block = address; block < until; block++) {
      starts?.push({ block, state: this.#cabac.save(), above: this.#above.slice() });
      const column = block % this.across;
      const row = (block - column) / this.across;
      this.#leftThere = column > 0 && block - 1 >= slice.slice_segment_address;
      this.#aboveThere = row > 0 && block - this.across >= slice.slice_segment_address;
      if (slice.slice_sao_luma_flag || slice.slice_sao_chroma_flag)
        readSao(this.#cabac, slice, this.fields.BitDepthY, this.#leftThere, this.#aboveThere);
      this.#quadtree(column << this.fields.CtbLog2SizeY, row << this.fields.CtbLog2SizeY, this.fields.CtbLog2SizeY, 0);
      const cabac = this.#cabac;
      const end = this.#failed || cabac.over ? -1 : cabac.terminate();
      // The row below begins with what was learnt in the first two blocks (9.3.2.2).
      if (rows && (column === 1 || this.across === 1)) this.#above.set(cabac.contexts);
      const done = { blocks: block - address + 1, next: block + 1, position: cabac.position };
      if (end < 0) return { whole: false, ...done };
      if (end === 1) return { whole: last && cabac.ended && (!rows || block === until - 1), ...done };
    }
    if (!rows || last) return { whole: false, blocks: until - address, next: until, position: this.#cabac.position };
    const whole = this.#cabac.terminate() === 1 && this.#cabac.ended;
    return { whole, blocks: until - address, next: until, position: this.#cabac.position };
  }

  #hasLeft(x: number): boolean {
    return (x & ((1 << this.fields.CtbLog2SizeY) - 1)) !== 0 || this.#leftThere;
  }

  #hasAbove(y: number): boolean {
    return (y & ((1 << this.fields.CtbLog2SizeY) - 1)) !== 0 || this.#aboveThere;
  }

  #quadtree(x: number, y: number, log2: number, depth: number): void {
    const {
      pic_width_in_luma_samples: width,
      pic_height_in_luma_samples: height,
      MinCbLog2SizeY: minBlock,
      cu_qp_delta_enabled_flag: qpDelta,
      diff_cu_qp_delta_depth: qpDeltaDepth,
      CtbLog2SizeY: maxBlock,
    } = this.fields;
    const size = 1 << log2;
    const cell = (y >> 2) * this.#stride + (x >> 2);
    let split = log2 > minBlock;
    if (split && x + size <= width && y + size <= height) {
      const left = this.#hasLeft(x) && (this.#depths[cell - 1] as number) > depth ? 1 : 0;
      const above = this.#hasAbove(y) && (this.#depths[cell - this.#stride] as number) > depth ? 1 : 0;
      split = this.#cabac.bin(at.split + left + above) === 1;
    }
    if (qpDelta && log2 >= maxBlock - qpDeltaDepth) this.#qpTold = false;
    if (!split) {
      const from = this.#cabac.position;
      this.#unit(x, y, log2, depth, cell);
      const kind = measure.bits + log2 - 3 + ((this.#modes[cell] as number) === inter ? 0 : sizes);
      if (!this.#extremes.allows(kind, this.#cabac.position - from)) this.#failed = true;
      return;
    }
    const half = size >> 1;
    for (let part = 0; part < 4 && !this.#failed; part++) {
      const px = x + (part & 1) * half;
      const py = y + (part >> 1) * half;
      if (px < width && py < height) this.#quadtree(px, py, log2 - 1, depth + 1);
    }
  }

  #fill(cells: Uint8Array, cell: number, size: number, value: number): void {
    for (let row = 0, start = cell; row < size; row++, start += this.#stride)
      for (let index = start; index < start + size; index++) cells[index] = value;
  }

  #unit(x: number, y: number, log2: number, depth: number, cell: number): void {
    const cabac = this.#cabac;
    const slice = this.#slice as HevcSlice;
    const cells = 1 << (log2 - 2);
    this.#unskipped = !(this.fields.transquant_bypass_enabled_flag && cabac.bin(at.bypass) === 1);
    this.#fill(this.#depths, cell, cells, depth);
    let skipped = 0;
    if (slice.slice_type !== 2) {
      const left = this.#hasLeft(x) ? (this.#skips[cell - 1] as number) : 0;
      const above = this.#hasAbove(y) ? (this.#skips[cell - this.#stride] as number) : 0;
      skipped = cabac.bin(at.skip + left + above);
    }
    this.#fill(this.#skips, cell, cells, skipped);
    if (skipped) {
      this.#fill(this.#modes, cell, cells, inter);
      this.#mergeIndex();
      return;
    }
    const intra = slice.slice_type === 2 || cabac.bin(at.predMode) === 1;
    let part = 0;
    if (!intra || log2 === this.fields.MinCbLog2SizeY) part = this.#partMode(intra, log2);
    let merged = false;
    if (intra) this.#intraModes(x, y, cell, cells, part === 3);
    else {
      this.#fill(this.#modes, cell, cells, inter);
      merged = this.#predictions(log2, depth, part);
    }
    const coded = intra || (part === 0 && merged) || cabac.bin(at.rootFlag) === 1;
    if (!coded || this.#failed) return;
    const { max_transform_hierarchy_depth_inter: interDepth, max_transform_hierarchy_depth_intra: intraDepth } =
      this.fields;
    const most = intra ? intraDepth + (part === 3 ? 1 : 0) : interDepth;
    const divides = intra ? part === 3 : interDepth === 0 && part !== 0;
    this.#transforms(x, y, log2, 0, 0, most, intra, divides, 1, 1);
  }

  /** 0: one part; 1, 2: halves, one above the other or side by side; 3: quarters; 4 to 7: unequal halves (7.4.9.5). */
  #partMode(intra: boolean, log2: number): number {
    const cabac = this.#cabac;
    if (cabac.bin(at.part)) return 0;
    if (intra) return 3;
    const flat = cabac.bin(at.part + 1) === 1;
    if (log2 === this.fields.MinCbLog2SizeY) {
      if (flat) return 1;
      return log2 === 3 || cabac.bin(at.part + 2) ? 2 : 3;
    }
    if (!this.fields.amp_enabled_flag || cabac.bin(at.part + 3)) return flat ? 1 : 2;
    return (flat ? 4 : 6) + cabac.bypass();
  }

  #intraModes(x: number, y: number, cell: number, cells: number, quarters: boolean): void {
    const cabac = this.#cabac;
    const parts = quarters ? 4 : 1;
    let predicted = 0;
    for (let part = 0; part < parts; part++) predicted |= cabac.bin(at.intraMode) << part;
    const side = quarters ? cells >> 1 : cells;
    for (let part = 0; part < parts; part++) {
      const px = (part & 1) * side;
      const py = (part >> 1) * side;
      const place = cell + py * this.#stride + px;
      const left = px > 0 || this.#hasLeft(x) ? (this.#modes[place - 1] as number) : inter;
      // Modes above the row of largest blocks are not looked at (8.4.2).
      const top = py > 0 || (y & ((1 << this.fields.CtbLog2SizeY) - 1)) !== 0;
      const above = top ? (this.#modes[place - this.#stride] as number) : inter;
      const one = left === inter ? 1 : left;
      const other = above === inter ? 1 : above;
      const mode = predicted & (1 << part) ? readLikelyMode(cabac, one, other) : readOtherMode(cabac, one, other);
      this.#fill(this.#modes, place, side, mode);
    }
    const luma = this.#modes[cell] as number;
    if (cabac.bin(at.chromaMode) === 0) this.#chromaMode = luma;
    else {
      const named = [0, 26, 10, 1][cabac.bypasses(2)] as number;
      this.#chromaMode = named === luma ? 34 : named;
    }
  }

  #mergeIndex(): void {
    const most = (this.#slice as HevcSlice).MaxNumMergeCand - 1;
    if (most < 1 || !this.#cabac.bin(at.mergeIndex)) return;
    for (let index = 1; index < most && this.#cabac.bypass(); index++);
  }

  /** Reads all prediction units of a block; whether the last of them takes everything from a neighbour. */
  #predictions(log2: number, depth: number, part: number): boolean {
    const size = 1 << log2;
    if (part === 0) return this.#prediction(size, size, depth);
    if (part === 3) for (let index = 0; index < 4; index++) this.#prediction(size >> 1, size >> 1, depth);
    else {
      const first = part < 3 ? size >> 1 : part % 2 === 0 ? size >> 2 : size - (size >> 2);
      const flat = part === 1 || part === 4 || part === 5;
      this.#prediction(flat ? size : first, flat ? first : size, depth);
      this.#prediction(flat ? size : size - first, flat ? size - first : size, depth);
    }
    return false;
  }

  #prediction(width: number, height: number, depth: number): boolean {
    const cabac = this.#cabac;
    const slice = this.#slice as HevcSlice;
    if (cabac.bin(at.merge)) {
      this.#mergeIndex();
      return true;
    }
    let lists = 1;
    if (slice.slice_type === 0) {
      if (width + height !== 12 && cabac.bin(at.interPred + depth)) lists = 3;
      else lists = 1 + cabac.bin(at.interPred + 4);
    }
    for (let list = 0; list < 2; list++) {
      if (!(lists & (1 << list))) continue;
      this.#refIndex(slice.num_ref_idx_active[list] as number);
      if (!(list === 1 && slice.mvd_l1_zero_flag && lists === 3))
        if (!readVector(this.#cabac, this.#extremes)) this.#failed = true;
      cabac.bin(at.predictor);
    }
    return false;
  }

  #refIndex(count: number): void {
    for (let index = 0; index < count - 1; index++)
      if (!(index < 2 ? this.#cabac.bin(at.refIndex + index) : this.#cabac.bypass())) return;
  }

  #transforms(
    x: number,
    y: number,
    log2: number,
    depth: number,
    part: number,
    most: number,
    intra: boolean,
    divides: boolean,
    blueAbove: number,
    redAbove: number,
  ): void {
    const cabac = this.#cabac;
    const { MaxTbLog2SizeY: maxTransform, MinTbLog2SizeY: minTransform } = this.fields;
    const quarters = intra && divides && depth === 0;
    let split = log2 > maxTransform || quarters || (!intra && divides && depth === 0);
    if (log2 <= maxTransform && log2 > minTransform && depth < most && !quarters)
      split = cabac.bin(at.splitTransform + 5 - log2) === 1;
    let [blue, red] = [blueAbove, redAbove];
    if (log2 > 2) {
      if (blue) blue = cabac.bin(at.chromaFlag + depth);
      if (red) red = cabac.bin(at.chromaFlag + depth);
    }
    if (split) {
      const half = 1 << (log2 - 1);
      for (let index = 0; index < 4 && !this.#failed; index++)
        this.#transforms(
          ...([x + (index & 1) * half, y + (index >> 1) * half, log2 - 1, depth + 1, index] as const),
          ...([most, intra, divides, blue, red] as const),
        );
      return;
    }
    this.#transform(x, y, log2, depth, part, intra, blue, red);
  }

  /** A transform unit that is not split further (7.3.8.10), with the flags of its chroma. */
  #transform(
    x: number,
    y: number,
    log2: number,
    depth: number,
    part: number,
    intra: boolean,
    blue: number,
    red: number,
  ): void {
    const isLumaTold = intra || depth > 0 || blue !== 0 || red !== 0;
    const luma = isLumaTold ? this.#cabac.bin(at.lumaFlag + (depth === 0 ? 1 : 0)) : 1;
    if (!luma && !blue && !red) return;
    if (this.fields.cu_qp_delta_enabled_flag && !this.#qpTold) {
      this.#qpTold = true;
      if (!readQpDelta(this.#cabac, this.#extremes, this.fields.BitDepthY)) this.#failed = true;
    }
    if (luma) this.#residual(log2, false, intra ? (this.#modes[(y >> 2) * this.#stride + (x >> 2)] as number) : inter);
    const chroma = log2 > 2 ? log2 - 1 : part === 3 ? 2 : 0;
    if (chroma === 0) return;
    const mode = intra ? this.#chromaMode : inter;
    if (blue) this.#residual(chroma, true, mode);
    if (red) this.#residual(chroma, true, mode);
  }

  #residual(log2: number, chroma: boolean, mode: number): void {
    // Only small blocks are read in the direction of their mode (7.4.9.11).
    const small = log2 === 2 || (log2 === 3 && !chroma);
    const scan =
      small && mode !== inter
        ? mode >= vertical.first && mode <= vertical.last
          ? 2
          : mode >= horizontal.first && mode <= horizontal.last
            ? 1
            : 0
        : 0;
    const { sign_data_hiding_enabled_flag: signHiding, transform_skip_enabled_flag: transformSkip } = this.fields;
    const hides = signHiding && this.#unskipped;
    if (
      this.#failed ||
      !readResidual(this.#cabac, this.#extremes, log2, chroma, scan, hides, transformSkip && this.#unskipped)
    )
      this.#failed = true;
  }
}
