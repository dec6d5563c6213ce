import type { Buffer } from '../host/bytes';
import type { Rebuilt } from '../report/facts/video';
import type { Source } from './source';

/** Reads up to so many bytes from a place. */
export type Read = (at: number, length: number) => Buffer;

/** Pieces of `size` bytes that stand elsewhere: what lies at `from` belongs to `to`, all in bytes; what tells so, and what comes back with them. */
export type Moves = {
  size: number;
  moves: { from: number; to: number }[];
  by: 'samples' | 'chain';
  rebuilt: Rebuilt[];
};

/** The bytes of a file with pieces of it in another order. */
export class View {
  readonly #source: Source;
  readonly size: number;
  /** What lies at a place, by where it stands in the file. */
  readonly #order: ReadonlyMap<number, number>;

  constructor(source: Source, size: number, order: ReadonlyMap<number, number> = new Map()) {
    this.#source = source;
    this.size = size;
    this.#order = order;
  }

  read = (at: number, length: number): Buffer => {
    const first = at - (at % this.size);
    let isPlain = true;
    for (let place = first; place < at + length; place += this.size) if (this.#order.has(place)) isPlain = false;
    if (isPlain) return this.#source.read(at, length);
    const bytes = this.#source.copy(at, length);
    for (let place = first; place < at + bytes.length; place += this.size) {
      const other = this.#order.get(place);
      if (other === undefined) continue;
      const begin = Math.max(at, place);
      const piece = this.#source.read(other + begin - place, Math.min(at + bytes.length, place + this.size) - begin);
      piece.copy(bytes, begin - at);
    }
    return bytes;
  };

  /** The same with two pieces in each other's place. */
  with(one: number, other: number): View {
    const order = new Map(this.#order);
    order.set(one, this.#order.get(other) ?? other);
    order.set(other, this.#order.get(one) ?? one);
    return new View(this.#source, this.size, order);
  }

  /** The pieces that stand elsewhere. */
  get moves(): Moves['moves'] {
    return [...this.#order].filter(([to, from]) => to !== from).map(([to, from]) => ({ from, to }));
  }
}

/** Puts pieces into their own places for all reads from here on. */
export function putBack(source: Source, { size, moves }: Moves): void {
  const pieces = moves.map(({ from, to }) => ({ to, bytes: source.copy(from, size), old: source.copy(to, size) }));
  for (const { to, bytes, old } of pieces)
    for (const [index, byte] of bytes.entries()) if (byte !== old[index]) source.mend(to + index, byte);
}
