import { columnOf, type Grid, high8, modes, rowOf, vectorOf, wholeCell, wide8 } from './grid';
import { places, type Symbols, trees, vector } from './symbols';

/** Neighbours whose vectors are candidates, rows and columns in turn, by the size of the block (mv_ref_blocks, VP9 bitstream specification, 10.3). */
const searched = [
  ...Array.from({ length: 4 }, () => Int8Array.of(-1, 0, 0, -1, -1, -1, -2, 0, 0, -2, -2, -1, -1, -2, -2, -2)),
  Int8Array.of(0, -1, -1, 0, 1, -1, -1, -1, 0, -2, -2, 0, -2, -1, -1, -2),
  Int8Array.of(-1, 0, 0, -1, -1, 1, -1, -1, -2, 0, 0, -2, -1, -2, -2, -1),
  Int8Array.of(-1, 0, 0, -1, -1, 1, 1, -1, -1, -1, -3, 0, 0, -3, -3, -3),
  Int8Array.of(0, -1, -1, 0, 2, -1, -1, -1, -1, 1, 0, -3, -3, 0, -3, -3),
  Int8Array.of(-1, 0, 0, -1, -1, 2, -1, -1, 1, -1, -3, 0, 0, -3, -3, -3),
  Int8Array.of(-1, 1, 1, -1, -1, 2, 2, -1, -1, -1, -3, 0, 0, -3, -3, -3),
  Int8Array.of(0, -1, -1, 0, 4, -1, -1, 2, -1, -1, 0, -3, -3, 0, 2, -1),
  Int8Array.of(-1, 0, 0, -1, -1, 4, 2, -1, -1, -1, -3, 0, 0, -3, -1, 2),
  Int8Array.of(-1, 3, 3, -1, -1, 4, 4, -1, -1, -1, -1, 0, 0, -1, -1, 6),
];
const neighbours = 8;

/** How modes of the two nearest neighbours count, and the context of inter_mode by their sum (mode_2_counter and counter_to_context, 10.3). */
const weights = Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 0, 3, 1);
const contexts = Uint8Array.of(2, 3, 4, 1, 3, 0, 0, 0, 0, 5, 5, 0, 5, 0, 0, 0, 0, 0, 6);

/** The part of a cell with smaller blocks that a part beside it (idx_n_column_to_subblock, 10.3) or below it looks at. */
const partsBeside = Uint8Array.of(1, 1, 3, 3);
const partsAbove = Uint8Array.of(2, 3, 2, 3);

/** MV_BORDER, in eighths of a sample, and COMPANDED_MVREF_THRESH in whole ones (3): longer vectors have no eighths. */
const border = 128;
const longest = 8;
/** Vectors reach less far, in eighths of a sample (is_mv_valid, 6.4.20). */
const reach = 1 << 14;

/** Where a block lies: its size and first cell. */
export type Place = { block: number; row: number; column: number };

/** Columns of cells of a tile. */
export type Tile = { from: number; to: number };

/** What is the same for all blocks of a frame. */
export type Between = { signs: readonly number[]; isPrecise: boolean; usesBefore: boolean };

/** Finds the candidates of vectors (6.4.22), and reads those that are none of them. */
export class Vectors {
  readonly #grid: Grid;
  readonly #symbols: Symbols;
  readonly #frame: Between;
  tile: Tile = { from: 0, to: 0 };
  /** Whether a vector points further than any may. */
  isWrong = false;
  #count = 0;
  #first = 0;
  #second = 0;

  constructor(grid: Grid, symbols: Symbols, frame: Between) {
    this.#grid = grid;
    this.#symbols = symbols;
    this.#frame = frame;
  }

  /** The cell of a neighbour, or -1 where it lies outside of the tile. */
  #cell({ block, row, column }: Place, index: number): number {
    const offsets = searched[block] as Int8Array;
    const [y, x] = [row + (offsets[2 * index] as number), column + (offsets[2 * index + 1] as number)];
    const { columns, rows } = this.#grid;
    return y < 0 || y >= rows || x < this.tile.from || x >= this.tile.to ? -1 : y * columns + x;
  }

  /** The context of inter_mode (9.3.2). */
  context(place: Place): number {
    let sum = 0;
    for (let index = 0; index < 2; index++) {
      const cell = this.#cell(place, index);
      if (cell >= 0) sum += weights[this.#grid.modes[cell] as number] as number;
    }
    return contexts[sum] as number;
  }

  /** Takes a candidate; whether that makes two that differ. */
  #takes(candidate: number): boolean {
    if (this.#count === 0) this.#first = candidate;
    else if (candidate === this.#first) return false;
    else this.#second = candidate;
    return ++this.#count === 2;
  }

  /** The nearest and the near candidate for a reference (find_mv_refs, 6.4.22), of a part of a cell or of a whole block (-1). */
  candidates(place: Place, reference: number, part: number): [number, number] {
    this.#count = 0;
    this.#first = 0;
    this.#second = 0;
    this.#search(place, reference, part);
    return [this.#clamped(place, this.#first), this.#clamped(place, this.#second)];
  }

  #search(place: Place, reference: number, part: number): void {
    const { motion, before, columns } = this.#grid;
    let hasOthers = false;
    for (let index = 0; index < neighbours; index++) {
      const cell = this.#cell(place, index);
      if (cell < 0) continue;
      hasOthers = true;
      const which = whichOf(motion.references, cell, reference);
      if (which < 0) continue;
      const isBeside = index < 2 && (searched[place.block] as Int8Array)[2 * index + 1] !== 0;
      if (this.#takes(this.#vectorAt(cell, which, index < 2 ? part : -1, isBeside))) return;
    }
    const own = place.row * columns + place.column;
    if (this.#frame.usesBefore) {
      const which = whichOf(before.references, own, reference);
      if (which >= 0 && this.#takes(before.vectors[2 * own + which] as number)) return;
    }
    if (hasOthers)
      for (let index = 0; index < neighbours; index++) {
        const cell = this.#cell(place, index);
        if (cell >= 0 && this.#takesOther(motion.references, motion.vectors, cell, reference)) return;
      }
    if (this.#frame.usesBefore) this.#takesOther(before.references, before.vectors, own, reference);
  }

  /** A vector of a cell; of its nearest part where it has smaller blocks and is looked at for one. */
  #vectorAt(cell: number, which: number, part: number, isBeside: boolean): number {
    const { blocks, parts, motion } = this.#grid;
    if (part < 0 || (blocks[cell] as number) >= wholeCell) return motion.vectors[2 * cell + which] as number;
    const other = (isBeside ? partsBeside : partsAbove)[part] as number;
    return parts[8 * cell + 4 * which + other] as number;
  }

  /** Takes vectors to other references, turned where they point the other way (if_diff_ref_frame_add_mv, 6.4.22). */
  #takesOther(references: Uint8Array, vectors: Int32Array, cell: number, reference: number): boolean {
    const [first, second] = [references[2 * cell] as number, references[2 * cell + 1] as number];
    const [one, two] = [vectors[2 * cell] as number, vectors[2 * cell + 1] as number];
    if (first > 0 && first !== reference && this.#takes(this.#turned(one, first, reference))) return true;
    return second > 0 && second !== reference && one !== two && this.#takes(this.#turned(two, second, reference));
  }

  #turned(value: number, from: number, to: number): number {
    const { signs } = this.#frame;
    return signs[from] === signs[to] ? value : vectorOf(-rowOf(value), -columnOf(value));
  }

  /** clamp_mv_ref (6.4.24). */
  #clamped({ block, row, column }: Place, value: number): number {
    const { rows, columns } = this.#grid;
    const down = (rows - (high8[block] as number) - row) * 64 + border;
    const right = (columns - (wide8[block] as number) - column) * 64 + border;
    const y = Math.min(down, Math.max(-row * 64 - border, rowOf(value)));
    const x = Math.min(right, Math.max(-column * 64 - border, columnOf(value)));
    return vectorOf(y, x);
  }

  /** Whether vectors near another one have eighths of a sample (usehp, 6.4.20). */
  #isFine(value: number): boolean {
    return this.#frame.isPrecise && Math.abs(rowOf(value)) >> 3 < longest && Math.abs(columnOf(value)) >> 3 < longest;
  }

  /** A candidate without eighths of a sample where none may have them (6.4.21). */
  rounded(value: number): number {
    if (this.#isFine(value)) return value;
    const whole = (part: number) => (part & 1 ? part - Math.sign(part) : part);
    return vectorOf(whole(rowOf(value)), whole(columnOf(value)));
  }

  /** Reads a vector that is near another one (read_mv, 6.4.19). */
  read(best: number): number {
    const isFine = this.#isFine(best);
    const joint = this.#symbols.tree(trees.joint, places.joint);
    const row = rowOf(best) + (joint >= 2 ? this.#component(places.vector, isFine) : 0);
    const column = columnOf(best) + (joint & 1 ? this.#component(places.vector + vector.all, isFine) : 0);
    if (Math.abs(row) >= reach || Math.abs(column) >= reach) this.isWrong = true;
    return vectorOf(row, column);
  }

  /** read_mv_component (6.4.20). */
  #component(at: number, isFine: boolean): number {
    const symbols = this.#symbols;
    const sign = symbols.bit(at + vector.sign) === 1 ? -1 : 1;
    const kind = symbols.tree(trees.class, at + vector.class);
    let whole = 0;
    if (kind === 0) whole = symbols.bit(at + vector.near);
    else for (let bit = 0; bit < kind; bit++) whole |= symbols.bit(at + vector.bits + bit) << bit;
    const fractions = kind === 0 ? at + vector.nearFraction + 3 * whole : at + vector.fraction;
    const fraction = symbols.tree(trees.fraction, fractions);
    const lastAt = at + (kind === 0 ? vector.nearLast : vector.last);
    // Where it is not coded it is 1, and counted as if it were (9.3.4).
    if (!isFine) (symbols.counts[2 * lastAt + 1] as number)++;
    const last = isFine ? symbols.bit(lastAt) : 1;
    return sign * ((kind === 0 ? 0 : 2 << (kind + 2)) + ((whole << 3) | (fraction << 1) | last) + 1);
  }
}

/** Which of the vectors of a cell points to a reference, or -1. */
function whichOf(references: Uint8Array, cell: number, reference: number): number {
  if (references[2 * cell] === reference) return 0;
  return references[2 * cell + 1] === reference ? 1 : -1;
}

/** The nearest and near candidates for a part of a cell (append_sub8x8_mvs, 6.4.23), by those found for it and the parts before it. */
export function partCandidates(
  part: number,
  [one, two]: [number, number],
  before: Int32Array,
  from: number,
): [number, number] {
  const own = (index: number) => before[from + index] as number;
  if (part === 0) return [one, two];
  const nearest = own(part === 3 ? 2 : 0);
  const others = part === 3 ? [own(1), own(0), one, two] : [one, two];
  return [nearest, others.find((other) => other !== nearest) ?? 0];
}

/** Whether a mode takes a candidate for a vector. */
export const isCandidate = (mode: number): boolean => mode === modes.nearest || mode === modes.near;
