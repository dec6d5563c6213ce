/** Symbols of a context that are told apart, and how many contexts there are. */
const symbolsEach = 72;
/** How many symbols what the code says of a context counts for; chosen on the bench. */
const prior = 8;
/** Bits of a window in which symbols are weighed; chosen on the bench. */
export const windowBits = 600;
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

/**
 * How likely the symbols of a slice without arithmetic coding are, by those of sound slices: the code has the same words for all streams, but what
 * is read behind a wrong bit holds symbols that are rare in this one where they stand.
 */
export class AvcSymbols {
  readonly #counts = new Int32Array(allContexts * symbolsEach);
  readonly #totals = new Int32Array(allContexts);
  isLearning = true;
  /** Bits that the symbols since `begin` take more than by the code. */
  excess = 0;
  /** The most that any stretch of them takes more, by the window of bits that it ends in. */
  readonly worst: number[] = [];
  #stretch = 0;
  #from = 0;

  /** Begins a slice whose windows are counted from a bit on. */
  begin(from: number): void {
    this.excess = 0;
    this.worst.length = 0;
    this.#stretch = 0;
    this.#from = from;
  }

  /** A symbol of so many bits, with its end. */
  note(context: number, symbol: number, bits: number, end: number): void {
    const at = context * symbolsEach + symbol;
    if (this.isLearning) {
      this.#counts[at] = (this.#counts[at] as number) + 1;
      this.#totals[context] = (this.#totals[context] as number) + 1;
      return;
    }
    const share = ((this.#counts[at] as number) + prior * 2 ** -bits) / ((this.#totals[context] as number) + prior);
    const more = -Math.log2(share) - bits;
    this.excess += more;
    this.#stretch = Math.max(0, this.#stretch + more);
    const window = Math.floor((end - this.#from) / windowBits);
    if (window >= 0) this.worst[window] = Math.max(this.worst[window] ?? 0, this.#stretch);
  }

  /** A number of ue(v) with a prefix of this length; of numbers with a sign, its size. */
  number(context: number, value: number, length: number, end: number): void {
    if (context < 0) return;
    if (value < plainNumbers) this.note(context, value, 2 * length + 1, end);
    else this.note(context, plainNumbers + length, length + 1, end);
  }
}
