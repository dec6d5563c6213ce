import { ordersBySize } from './orders';
import { coefficients, places, type Symbols } from './symbols';
import { paretoRows } from './tables';

/** Which order coefficients come in (10.3), by the mode that predicts a block: the usual one, by rows, or by columns. */
const orderOfMode = Uint8Array.of(0, 1, 2, 0, 0, 1, 2, 2, 1, 0, 0, 0, 0, 0);
/** Highest coefficient of a transform, by its binary logarithm above 4. */
const most = [16, 64, 256, 1024];

/** Where the probabilities of each band begin, by the place of a coefficient (coefband_4x4 and coefband_8x8plus, 10.3). */
const bandStarts = [0, 1, 2, 3, 4, 5].map((band) =>
  band === 0 ? 0 : coefficients.firstBand + (band - 1) * coefficients.band,
);
const bandsOf = (ends: readonly number[]) =>
  Uint8Array.from({ length: 1024 }, (_, place) => bandStarts[ends.filter((end) => place >= end).length] ?? 0);
const smallBands = bandsOf([1, 3, 6, 10, 13]);
const largeBands = bandsOf([1, 3, 6, 10, 21]);

/** Probabilities of the nodes of a token behind the third, by that of the third (pareto, 9.3.2). */
const pareto = Uint8Array.from({ length: 256 * 8 }, (_, index) => {
  const [row, node] = [Math.max(0, (index >> 3) - 1), index & 7];
  const at = (row >> 1) * 8 + node;
  const [here, next] = [paretoRows[at] ?? 0, paretoRows[at + 8] ?? 0];
  return row & 1 ? (here + next) >> 1 : here;
});

/** Probabilities of the extra bits of the categories 3 to 6 (cat_probs, 10.3), the last of samples of 8 bits. */
const extraBits = [
  [173, 148, 140],
  [176, 155, 140, 135],
  [180, 157, 141, 134, 130],
  [254, 254, 254, 252, 249, 243, 230, 196, 177, 153, 140, 133, 130, 129],
].map((one) => Uint8Array.from(one));
const categoryOne = 159;
const categoryTwo = [165, 145] as const;
/** Probability of the bits that deeper samples have in front (9.3.2), and of a sign. */
const deep = 255;
const sign = 128;

/** The order of a transform's coefficients, and of each the two whose size tells its context (9.3.2). */
type Scan = { order: Uint16Array; first: Uint16Array; second: Uint16Array };

/** Scans by size of transform, then by order. */
const scans: readonly (readonly Scan[])[] = ordersBySize.map((orders, size) =>
  orders.map((order, kind) => {
    const side = 4 << size;
    const neighbour = (isAbove: boolean) =>
      order.map((place) => {
        const [row, column] = [Math.floor(place / side), place % side];
        const usesAbove = row > 0 && column > 0 && kind > 0 && size < 3 ? kind === 2 : isAbove;
        if (place === 0) return 0;
        return (usesAbove && row > 0) || column === 0 ? place - side : place - 1;
      });
    return { order, first: neighbour(true), second: neighbour(false) };
  }),
);

/** The scan of a block of luminance within a picture by its mode; of all others without one. */
export const scanOf = (size: number, mode?: number): Scan =>
  scans[size]?.[mode === undefined ? 0 : (orderOfMode[mode] as number)] as Scan;

/** Reads the coefficients of transforms (VP9 bitstream specification, 6.4.25), and keeps nothing but what their contexts need. */
export class Residual {
  readonly #symbols: Symbols;
  readonly #deep: number;
  readonly #sizes = new Uint8Array(1024);

  constructor(symbols: Symbols, depth: number) {
    this.#symbols = symbols;
    this.#deep = depth - 8;
  }

  /** Reads a transform; whether it has coefficients. */
  read(size: number, plane: number, isInter: boolean, context: number, { order, first, second }: Scan): boolean {
    const symbols = this.#symbols;
    const sizes = this.#sizes;
    const bands = size === 0 ? smallBands : largeBands;
    const base =
      places.coefficients +
      size * coefficients.size +
      (plane > 0 ? coefficients.plane : 0) +
      (isInter ? coefficients.reference : 0);
    const end = most[size] as number;
    let isChecked = true;
    let index = 0;
    for (; index < end; index++) {
      const place = order[index] as number;
      const with_ =
        index === 0
          ? context
          : (1 + (sizes[first[index] as number] as number) + (sizes[second[index] as number] as number)) >> 1;
      const at = base + (bands[index] as number) + with_ * coefficients.nodes;
      if (isChecked && symbols.bit(at) === 0) break;
      isChecked = symbols.bit(at + 1) === 1;
      if (!isChecked) {
        sizes[place] = 0;
        continue;
      }
      sizes[place] = symbols.bit(at + 2) === 0 ? 1 : this.#large((symbols.probabilities[at + 2] as number) * 8);
      symbols.reader.bit(sign);
    }
    return index > 0;
  }

  /** Reads a value above 1; its size as contexts count it (energy_class, 10.3). */
  #large(at: number): number {
    const { reader } = this.#symbols;
    const node = (index: number) => reader.bit(pareto[at + index] as number);
    if (node(0) === 0) {
      if (node(1) === 0) return 2;
      node(2);
      return 3;
    }
    if (node(3) === 0) {
      if (node(4) === 0) reader.bit(categoryOne);
      else for (const probability of categoryTwo) reader.bit(probability);
      return 4;
    }
    const high = node(5);
    const category = high * 2 + node(6 + high);
    if (category === 3) for (let bit = 0; bit < this.#deep; bit++) reader.bit(deep);
    for (const probability of extraBits[category] as Uint8Array) reader.bit(probability);
    return 5;
  }
}
