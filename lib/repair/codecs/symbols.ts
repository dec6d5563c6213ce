import type { WordTable } from './words';

/** How many symbols what the code says of a context counts for; chosen on the bench. */
const prior = 8;
/** Bits of a window in which symbols are weighed: those of H.264, and, apart from what stands before, those of other codecs; chosen on the bench. */
export const windowBits = { avc: 600, words: 160 } as const;

/** How often symbols stand in each context, and how many there are of all. */
type Counts = { symbols: Int32Array; totals: Int32Array };

/**
 * How likely the symbols of a slice or picture without arithmetic coding are, by those of sound ones: the code has the same words for all streams, but
 * what is read behind a wrong bit holds symbols that are rare in this one where they stand.
 */
export abstract class Symbols {
  isLearning = true;
  /** Bits that the symbols since `begin` take more than by the code. */
  excess = 0;
  /** The most that any stretch of them takes more, by the window of bits that it ends in. */
  readonly worst: number[] = [];
  #stretch = 0;
  #from = 0;
  #window = -1;
  readonly #bits: number;
  readonly #isApart: boolean;

  /** `bits` of a window; `isApart` where no stretch goes on from one to the next. */
  constructor(bits: number, isApart: boolean) {
    this.#bits = bits;
    this.#isApart = isApart;
  }

  /** Begins a slice whose windows are counted from a bit on. */
  begin(from: number): void {
    this.excess = 0;
    this.worst.length = 0;
    this.#stretch = 0;
    this.#from = from;
    this.#window = -1;
  }

  /** Takes in the symbol at a place of the counts, of a context and so many bits, with its end. */
  protected count({ symbols, totals }: Counts, at: number, context: number, bits: number, end: number): void {
    if (this.isLearning) {
      symbols[at] = (symbols[at] as number) + 1;
      totals[context] = (totals[context] as number) + 1;
      return;
    }
    const share = ((symbols[at] as number) + prior * 2 ** -bits) / ((totals[context] as number) + prior);
    const more = -Math.log2(share) - bits;
    this.excess += more;
    const window = Math.floor((end - this.#from) / this.#bits);
    if (this.#isApart && window !== this.#window) this.#stretch = 0;
    this.#window = window;
    this.#stretch = Math.max(0, this.#stretch + more);
    if (window >= 0) this.worst[window] = Math.max(this.worst[window] ?? 0, this.#stretch);
  }
}

/** Contexts of each table of words. */
const contextsEach = 4;

/** The symbols of tables of words, each in contexts of its own. */
export class WordSymbols extends Symbols {
  readonly #tables = new Map<WordTable, Counts>();

  constructor() {
    super(windowBits.words, true);
  }

  note(table: WordTable, context: number, value: number, bits: number, end: number): void {
    let counts = this.#tables.get(table);
    if (!counts) {
      counts = { symbols: new Int32Array(contextsEach * table.count), totals: new Int32Array(contextsEach) };
      this.#tables.set(table, counts);
    }
    this.count(counts, context * table.count + value, context, bits, end);
  }
}

/** Bits of sound slices of a type that are read to know its symbols, at least and at most; chosen on the bench. */
export const learnt = { least: 30_000, most: 800_000 };
/** Symbols of sound slices, and the least likely stretches in their windows. */
export type Known<Kind extends Symbols> = { symbols: Kind; worst: readonly number[] };

/** Reads sound slices once for their symbols and once for how unlikely these are; `observe` gives the bits it read. Null where there are too few. */
export function learn<Kind extends Symbols, One>(
  symbols: Kind,
  sound: () => Iterable<One>,
  observe: (one: One, symbols: Kind) => number,
): Known<Kind> | null {
  let bits = 0;
  for (const one of sound()) {
    bits += observe(one, symbols);
    if (bits > learnt.most) break;
  }
  symbols.isLearning = false;
  const worst: number[] = [];
  let again = 0;
  for (const one of sound()) {
    again += observe(one, symbols);
    for (const value of symbols.worst) worst.push(value ?? 0);
    if (again > learnt.most) break;
  }
  return bits < learnt.least ? null : { symbols, worst };
}

/**
 * Whether a stretch is no unlikelier than all but a `few` of sound slices, as a share of them: where more than one bit is wrong, turning one may do as
 * well, but what lies around it stays unlikely.
 */
export const isUsual = ({ worst }: Known<Symbols>, stretch: number, few: number): boolean =>
  worst.filter((one) => one >= stretch).length >= worst.length * few;
