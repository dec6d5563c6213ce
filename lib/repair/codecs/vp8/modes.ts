import type { BoolReader } from '../bool';
import type { Header } from './header';
import { subblockModes, subblockProbabilities } from './tables';

/** Whether a macroblock is predicted by subblocks, and whether it has no coefficients. */
export type Macroblock = { isSplit: boolean; isSkipped: boolean };

/** Modes of subblocks that those of whole macroblocks stand for (11.3): DC, TM, V and H. */
const whole = { dc: 0, motion: 1, vertical: 2, horizontal: 3 };
/** Probabilities of the trees of modes of macroblocks in key frames (11.2 and 11.4). */
const luma = { split: 145, second: 156, vertical: 163, motion: 128 };
const chroma = { dc: 142, vertical: 114, horizontal: 183 };

/** Reads what stands in front of the coefficients of each macroblock (RFC 6386, 9.3 and 11), in the order of the picture. */
export class Modes {
  readonly #reader: BoolReader;
  readonly #header: Header;
  readonly #above: Uint8Array;
  readonly #beside = new Uint8Array(4);

  constructor(reader: BoolReader, header: Header, across: number) {
    this.#reader = reader;
    this.#header = header;
    this.#above = new Uint8Array(across * 4);
  }

  startRow(): void {
    this.#beside.fill(whole.dc);
  }

  macroblock(column: number): Macroblock {
    const reader = this.#reader;
    const { segments, skip } = this.#header;
    if (segments) reader.bit(segments[1 + reader.bit(segments[0] ?? 255)] ?? 255);
    const isSkipped = skip !== null && reader.bit(skip) === 1;
    const isSplit = reader.bit(luma.split) === 0;
    if (isSplit) this.#subblocks(column);
    else {
      const mode = this.#wholeMode();
      this.#above.fill(mode, column * 4, column * 4 + 4);
      this.#beside.fill(mode);
    }
    if (reader.bit(chroma.dc) === 1 && reader.bit(chroma.vertical) === 1) reader.bit(chroma.horizontal);
    return { isSplit, isSkipped };
  }

  #wholeMode(): number {
    const reader = this.#reader;
    if (reader.bit(luma.second) === 1) return reader.bit(luma.motion) === 1 ? whole.motion : whole.horizontal;
    return reader.bit(luma.vertical) === 1 ? whole.vertical : whole.dc;
  }

  #subblocks(column: number): void {
    const [above, beside] = [this.#above, this.#beside];
    for (let y = 0; y < 4; y++)
      for (let x = column * 4; x < column * 4 + 4; x++) {
        const at = ((above[x] ?? 0) * 10 + (beside[y] ?? 0)) * 9;
        let node = 0;
        do node = subblockModes[node * 2 + this.#reader.bit(subblockProbabilities[at + node] ?? 0)] ?? 0;
        while (node > 0);
        above[x] = -node;
        beside[y] = -node;
      }
  }
}
