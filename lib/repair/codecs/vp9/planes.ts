import { type Frame, superblock } from './frame';
import { high8, wholeCell, wide8 } from './grid';
import type { Place } from './motion';
import { Residual, scanOf } from './residual';

/** A block whose coefficients come next: the size of its transforms, and the modes of its four parts. */
export type Coded = { place: Place; isInter: boolean; isSkipped: boolean; transform: number; modes: Uint8Array };

/** Reads the coefficients of blocks, plane by plane (VP9 bitstream specification, 6.4.24). */
export class Planes {
  readonly #frame: Frame;
  readonly #residual: Residual;
  // Whether there were coefficients above and to the left, by 4 samples.
  readonly #above: readonly Uint8Array[];
  readonly #left = [0, 1, 2].map(() => new Uint8Array(2 * superblock));

  constructor(frame: Frame) {
    const across = frame.grid.columns + 2 * superblock;
    this.#frame = frame;
    this.#residual = new Residual(frame.symbols, frame.colours.depth);
    this.#above = [0, 1, 2].map(() => new Uint8Array(2 * across));
  }

  startRow(): void {
    for (const left of this.#left) left.fill(0);
  }

  /** Whether there are coefficients. */
  read(block: Coded): boolean {
    let has = false;
    for (let plane = 0; plane < 3; plane++) if (this.#plane(block, plane)) has = true;
    return has;
  }

  #plane({ place, isInter, isSkipped, transform, modes }: Coded, plane: number): boolean {
    const { block, row, column } = place;
    const { grid, colours, header } = this.#frame;
    const [halfAcross, halfDown] = plane > 0 ? [colours.halfAcross, colours.halfDown] : [0, 0];
    const wide = (2 * (wide8[block] as number)) >> halfAcross;
    const high = (2 * (high8[block] as number)) >> halfDown;
    const [x, y] = [(2 * column) >> halfAcross, (2 * row) >> halfDown];
    const [above, left] = [this.#above[plane] as Uint8Array, this.#left[plane] as Uint8Array];
    const leftAt = (2 * (row & 7)) >> halfDown;
    if (isSkipped) {
      above.fill(0, x, x + wide);
      left.fill(0, leftAt, leftAt + high);
      return false;
    }
    const size = plane === 0 ? transform : colourTransform(block, transform, wide, high);
    const step = 1 << size;
    const [right, bottom] = [(2 * grid.columns) >> halfAcross, (2 * grid.rows) >> halfDown];
    const usesModes = plane === 0 && !isInter && !header.isLossless;
    let has = false;
    for (let down = 0; down < high && y + down < bottom; down += step)
      for (let across = 0; across < wide && x + across < right; across += step) {
        const [from, beside] = [x + across, leftAt + down];
        const context = anyOf(above, from, step) + anyOf(left, beside, step);
        const mode = modes[block < wholeCell ? 2 * down + across : 0] as number;
        const isFilled = this.#residual.read(size, plane, isInter, context, scanOf(size, usesModes ? mode : undefined));
        // Beyond the edge of the picture there is nothing.
        above.fill(isFilled ? 1 : 0, from, Math.min(from + step, right));
        left.fill(isFilled ? 1 : 0, beside, Math.min(beside + step, beside + bottom - y - down));
        if (isFilled) has = true;
      }
    return has;
  }
}

/** get_uv_tx_size (6.4.26), of a block of colour so many times 4 samples wide and high. */
const colourTransform = (block: number, transform: number, wide: number, high: number): number =>
  block < wholeCell ? 0 : Math.min(transform, 31 - Math.clz32(Math.min(wide, high)));

/** Whether any of so many values is not zero. */
function anyOf(values: Uint8Array, from: number, count: number): 0 | 1 {
  for (let index = from; index < from + count; index++) if (values[index] !== 0) return 1;
  return 0;
}
