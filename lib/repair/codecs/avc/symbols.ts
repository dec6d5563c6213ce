import { Symbols, windowBits } from '../symbols';

/** Symbols of a context that are told apart, and how many contexts there are. */
const symbolsEach = 72;
/** Numbers from here on are told apart by their length only. */
const plainNumbers = 24;

/** First contexts of the kinds of symbols; each kind has as many as lie up to the next. */
export const contexts = {
  ...{ skipRun: 0, type: 2, partType: 11, mode: 13, chromaMode: 15, pattern: 17, chromaPattern: 25, qpDelta: 43 },
  ...{ reference: 45, vector: 47, large: 53, token: 55, prefix: 55 + 6 * 17, zeroes: 71 + 6 * 17, run: 116 + 6 * 17 },
  /** Takes no part. */
  unknown: -1,
} as const;
const allContexts = 123 + 6 * 17;

/** The symbols of slices without arithmetic coding. */
export class AvcSymbols extends Symbols {
  readonly #counts = { symbols: new Int32Array(allContexts * symbolsEach), totals: new Int32Array(allContexts) };

  constructor() {
    super(windowBits.avc, false);
  }

  /** A symbol of so many bits, with its end. */
  note(context: number, symbol: number, bits: number, end: number): void {
    this.count(this.#counts, context * symbolsEach + symbol, context, bits, end);
  }

  /** A number of ue(v) with a prefix of this length; of numbers with a sign, its size. */
  number(context: number, value: number, length: number, end: number): void {
    if (context < 0) return;
    if (value < plainNumbers) this.note(context, value, 2 * length + 1, end);
    else this.note(context, plainNumbers + length, length + 1, end);
  }
}
