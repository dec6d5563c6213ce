import { blockX, blockY } from './places';

/** Intra4x4PredMode (ISO/IEC 14496-10, table 8-2; the same for 8 by 8, table 8-3): DC looks at what is there. */
const dc = 2;
/** Modes that look at samples above, and to the left; those that look at both also look at the corner. */
const looksUp = [true, false, false, true, true, true, true, true, false];
const looksLeft = [false, true, false, false, true, true, true, false, true];
const blocksEach = 16;

/**
 * Modes of prediction of the blocks of macroblocks that are predicted in the picture itself (8.3.1.1, 8.3.2.1): each is told from those
 * beside and above it, and none may look at samples that are in no macroblock of the slice, or in one that may not be looked at.
 */
export class AvcModes {
  readonly #modes: Uint8Array;
  /** Macroblocks whose blocks have modes of their own. */
  readonly #isOwn: Uint8Array;
  #block = 0;
  #left = -1;
  #above = -1;

  constructor(blocks: number) {
    this.#modes = new Uint8Array(blocks * blocksEach).fill(dc);
    this.#isOwn = new Uint8Array(blocks);
  }

  /** Begins a macroblock between these neighbours, -1 for none that may be looked at; it counts as DC where its blocks have no modes of their own. */
  begin(block: number, left: number, above: number): void {
    this.#block = block;
    this.#left = left;
    this.#above = above;
    if (this.#isOwn[block] === 0) return;
    this.#isOwn[block] = 0;
    this.#modes.fill(dc, block * blocksEach, block * blocksEach + blocksEach);
  }

  /** Takes the mode of a block of 4 by 4 by its place in their order, or of 8 by 8 by its first one; `rem` is -1 where it is the predicted one. */
  take(index: number, isLarge: boolean, rem: number): boolean {
    const [x, y] = [blockX[index] as number, blockY[index] as number];
    const left = this.#at(x > 0 ? this.#block : this.#left, y * 4 + ((x + 3) & 3));
    const above = this.#at(y > 0 ? this.#block : this.#above, ((y + 3) & 3) * 4 + x);
    const predicted = left < 0 || above < 0 ? dc : Math.min(left, above);
    const mode = rem < 0 ? predicted : rem < predicted ? rem : rem + 1;
    const own = this.#block * blocksEach + y * 4 + x;
    this.#isOwn[this.#block] = 1;
    this.#modes[own] = mode;
    if (isLarge) for (const beside of [1, 4, 5]) this.#modes[own + beside] = mode;
    return (left >= 0 || !looksLeft[mode]) && (above >= 0 || !looksUp[mode]);
  }

  #at(block: number, place: number): number {
    return block < 0 ? -1 : (this.#modes[block * blocksEach + place] as number);
  }
}
