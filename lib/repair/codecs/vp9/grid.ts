import type { Size } from './header';

/** Modes between pictures behind those within one (`y_mode`, VP9 bitstream specification, 7.4.6). */
export const modes = { nearest: 10, near: 11, zero: 12, fresh: 13 };

/** Sides of the sizes of blocks from 4 by 4 to 64 by 64 (10.1), in blocks of 8 by 8 and of 4 by 4 samples, and binary logarithms of the latter. */
export const wide8 = Uint8Array.of(1, 1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8);
export const high8 = Uint8Array.of(1, 1, 1, 1, 2, 1, 2, 4, 2, 4, 8, 4, 8);
export const wideBits = Uint8Array.of(0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4);
export const highBits = Uint8Array.of(0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4);
/** BLOCK_8X8: smaller ones share a cell. */
export const wholeCell = 3;

/** Vectors of a frame and what they point to, by cell: those of the frame before are candidates for the next. */
class Motion {
  /** References 1 to 3, two of each cell; 0 where there is none. */
  readonly references: Uint8Array;
  /** Two vectors of each cell. */
  readonly vectors: Int32Array;

  constructor(cells: number) {
    this.references = new Uint8Array(2 * cells);
    this.vectors = new Int32Array(2 * cells);
  }
}

/** What blocks of a frame leave for those beside and below them, by cell of 8 by 8 samples. */
export class Grid {
  readonly size: Size;
  readonly columns: number;
  readonly rows: number;
  readonly blocks: Uint8Array;
  readonly modes: Uint8Array;
  readonly skips: Uint8Array;
  readonly transforms: Uint8Array;
  readonly filters: Uint8Array;
  /** Vectors of the four parts of cells with smaller blocks: four of the first reference, then four of the second. */
  readonly parts: Int32Array;
  motion: Motion;
  /** Of the frame before. */
  before: Motion;
  segments: Uint8Array;
  segmentsBefore: Uint8Array;

  constructor(size: Size) {
    this.size = size;
    this.columns = (size.width + 7) >> 3;
    this.rows = (size.height + 7) >> 3;
    const cells = this.columns * this.rows;
    this.blocks = new Uint8Array(cells);
    this.modes = new Uint8Array(cells);
    this.skips = new Uint8Array(cells);
    this.transforms = new Uint8Array(cells);
    this.filters = new Uint8Array(cells);
    this.parts = new Int32Array(8 * cells);
    this.motion = new Motion(cells);
    this.before = new Motion(cells);
    this.segments = new Uint8Array(cells);
    this.segmentsBefore = new Uint8Array(cells);
  }

  /** Begins another frame, for which this one is the one before. */
  turn(hasSegments: boolean): void {
    [this.motion, this.before] = [this.before, this.motion];
    if (hasSegments) [this.segments, this.segmentsBefore] = [this.segmentsBefore, this.segments];
  }
}

/** A vector, rows above columns, in one number: equal ones are the same number. */
export const vectorOf = (row: number, column: number): number => (row << 16) | (column & 0xffff);
export const rowOf = (value: number): number => value >> 16;
export const columnOf = (value: number): number => (value << 16) >> 16;
