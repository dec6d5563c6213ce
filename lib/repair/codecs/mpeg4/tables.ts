import { WordTable } from '../words';

/** Types of intra macroblocks with what they code of colours: plain, with another quantiser, stuffing (ISO/IEC 14496-2, table B-6). */
export const mcbpc = new WordTable('1 001 010 011 0001 000001 000010 000011 000000001');
/**
 * The same of P planes (table B-7, ITU-T H.263 table 8): four of each type by what they code of colours, in the order inter, intra, inter and
 * intra with another quantiser, inter of four vectors; stuffing; and of four vectors with another quantiser (H.263 alone).
 */
export const mcbpcPredicted = new WordTable(
  '1 0011 0010 000101 00011 00000100 00000011 0000011 011 0000111 0000110 000000101 000100 000000100 000000011 000000010 ' +
    '010 0000101 0000100 00000101 000000001 00000000010 0000000001100 0000000001110 0000000001111',
);
/** Stuffing among the words of intra macroblocks, and types among those of P planes, by fours. */
export const stuffing = 8;
export const types = {
  inter: 0,
  intra: 1,
  interQuant: 2,
  intraQuant: 3,
  interOfFour: 4,
  stuffing: 5,
  fourQuant: 6,
} as const;
/** What dquant adds to the quantiser (table 6-27; ITU-T H.263, table 12), which stays in its range (6.3.6). */
const steps = [-1, -2, 1, 2];
export const stepped = (quantiser: number, by: number): number => Math.min(31, Math.max(1, quantiser + by));
export const dquant = (quantiser: number, code: number): number => stepped(quantiser, steps[code] ?? 0);
/** Which blocks of luma are coded, in intra macroblocks (table B-8). */
export const cbpy = new WordTable(
  '0011 00101 00100 1001 00011 0111 000010 1011 00010 000011 0101 1010 0100 1000 0110 11',
);
/** Bits of the differences of DC, of luma and of colours (tables B-13 and B-14). */
export const dcSizes = {
  luma: new WordTable('011 11 10 010 001 0001 00001 000001 0000001 00000001 000000001 0000000001 00000000001'),
  colour: new WordTable(
    '11 10 01 001 0001 00001 000001 0000001 00000001 000000001 0000000001 00000000001 000000000001',
  ),
};
/** Halves of samples, or of so many as the code of vectors says, without their sign (table B-12). */
export const vectors = new WordTable(
  '1 01 001 0001 000011 0000101 0000100 0000011 000001011 000001010 000001001 0000010001 0000010000 0000001111 0000001110 ' +
    '0000001101 0000001100 0000001011 0000001010 0000001001 0000001000 0000000111 0000000110 0000000101 0000000100 ' +
    '00000000111 00000000110 00000000101 00000000100 00000000011 00000000010 000000000011 000000000010',
);
/** Words of coefficients, and what each stands for: the run of zeroes before it, its level, whether others come behind it. */
export class CoefficientTable {
  readonly words: WordTable;
  readonly runs: readonly number[];
  readonly levels: readonly number[];
  /** The first of the last ones among them, and escape. */
  readonly firstLast: number;
  readonly escape: number;
  readonly #counts: readonly (readonly number[])[];

  /** `counts`: how many levels each run has, of those with others behind them and of the last ones, in the order of the table. */
  constructor(words: string, ...counts: readonly (readonly number[])[]) {
    this.words = new WordTable(words);
    const entries = counts.flatMap((each) =>
      each.flatMap((count, run) => Array.from({ length: count }, (_, level) => ({ run, level: level + 1 }))),
    );
    this.runs = entries.map(({ run }) => run);
    this.levels = entries.map(({ level }) => level);
    this.firstLast = (counts[0] ?? []).reduce((sum, count) => sum + count, 0);
    this.escape = entries.length;
    this.#counts = counts;
  }

  /** The longest run that a level has a word with (tables B-21 and B-22). */
  longest(value: number): number {
    const counts = this.#counts[value >= this.firstLast ? 1 : 0] ?? [];
    return counts.findLastIndex((count) => count >= (this.levels[value] ?? 0));
  }
}

const times = (count: number, length: number) => Array.from({ length }, () => count);

/** Coefficients of intra blocks (table B-16). */
export const intraCoefficients = new CoefficientTable(
  '10 110 1111 01101 01100 010101 010011 010010 0010111 00011111 00011110 00011101 000100101 000100100 000100011 ' +
    '000100001 0000100001 0000100000 0000001111 0000001110 00000000111 00000000110 00000100000 00000100001 ' +
    '000001010000 000001010001 000001010010 1110 010100 0010110 00011100 000100000 000011111 0000001101 00000100010 ' +
    '000001010011 000001010101 01011 0010101 000011110 0000001100 000001010110 010001 00011011 000011101 0000001011 ' +
    '010000 000100010 0000001010 001101 000011100 0000001000 0010010 000011011 000001010100 0010100 000011010 ' +
    '000001010111 00011001 0000001001 00011000 00000100011 00010111 000011001 000011000 0000000111 000001011000 0111 ' +
    '001100 00010110 000010111 0000000110 00000000101 00000000100 000001011001 001111 000010110 0000000101 001110 ' +
    '0000000100 0010001 00000100100 0010000 00000100101 0010011 000001011010 00010101 000001011011 00010100 00010011 ' +
    '00011010 000010101 000010100 000010011 000010010 000010001 00000100110 00000100111 000001011100 000001011101 ' +
    '000001011110 000001011111 0000011',
  [27, 10, 5, 4, ...times(3, 4), 2, 2, ...times(1, 5)],
  [8, 3, ...times(2, 5), ...times(1, 14)],
);
/** Coefficients of the rest (table B-17), and in H.263 of all blocks (table 16). */
export const interCoefficients = new CoefficientTable(
  '10 1111 010101 0010111 00011111 000100101 000100100 0000100001 0000100000 00000000111 00000000110 00000100000 ' +
    '110 010100 00011110 0000001111 00000100001 000001010000 1110 00011101 0000001110 000001010001 01101 000100011 ' +
    '0000001101 01100 000100010 000001010010 01011 0000001100 000001010011 010011 0000001011 000001010100 010010 ' +
    '0000001010 010001 0000001001 010000 0000001000 0010110 000001010101 0010101 0010100 00011100 00011011 000100001 ' +
    '000100000 000011111 000011110 000011101 000011100 000011011 000011010 00000100010 00000100011 000001010110 ' +
    '000001010111 0111 000011001 00000000101 001111 00000000100 001110 001101 001100 0010011 0010010 0010001 0010000 ' +
    '00011010 00011001 00011000 00010111 00010110 00010101 00010100 00010011 000011000 000010111 000010110 000010101 ' +
    '000010100 000010011 000010010 000010001 0000000111 0000000110 0000000101 0000000100 00000100100 00000100101 ' +
    '00000100110 00000100111 000001011000 000001011001 000001011010 000001011011 000001011100 000001011101 ' +
    '000001011110 000001011111 0000011',
  [12, 6, 4, ...times(3, 4), ...times(2, 4), ...times(1, 16)],
  [3, 2, ...times(1, 39)],
);
