import { WordTable } from '../words';
import { type AvcSymbols, contexts } from './symbols';
import { colourTokenWords, colourZeroWords, runWords, tokenWords, zeroWords } from './words';

/** The longest prefix of numbers (ISO/IEC 14496-10, 9.1), and the one of levels from which on their suffix grows with it (9.2.2.1). */
const mostPrefix = 15;
const longPrefix = 15;
/** nC from which on coeff_token has six bits (table 9-5), and the word there for no coefficients. */
const plainFrom = 8;
const plainNone = 3;

const tokens = tokenWords.map((words) => new WordTable(words));
const colourTokens = new WordTable(colourTokenWords);
const zeroes = zeroWords.map((words) => new WordTable(words));
const colourZeroes = colourZeroWords.map((words) => new WordTable(words));
const runs = runWords.map((words) => new WordTable(words));

/** The table by nC below eight. */
const tableOf = (nearby: number) => tokens[nearby < 2 ? 0 : nearby < 4 ? 1 : 2] as WordTable;

/** Numbers of coefficients, and how many of them are trailing ones, by the order of words in a table of coeff_token. */
const pairs = Array.from({ length: 17 }, (_, total) =>
  Array.from({ length: Math.min(3, total) + 1 }, (_, trailing) => ({ total, trailing })),
).flat();

/** What `token` gives where there is none such. */
const noToken = { total: -1, trailing: 0 };

/** Reads what slices of H.264 are made of that have no arithmetic coding (9.1 and 9.2); `failed` where no encoder writes such. */
export class PlainBits {
  #bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  /** Place of the last bit that is set, behind which nothing follows (7.3.2.11). */
  stop = 0;
  failed = false;
  /** Takes what is read, where that is asked for. */
  symbols: AvcSymbols | null = null;
  readonly #mostLevelPrefix: number;

  /** `mostLevelPrefix` is the longest prefix of levels. */
  constructor(mostLevelPrefix: number) {
    this.#mostLevelPrefix = mostLevelPrefix;
  }

  start(bytes: Uint8Array, at: number, end: number): void {
    this.#bytes = bytes;
    this.at = at;
    this.failed = false;
    let last = end - 1;
    while (last > 0 && bytes[last] === 0) last--;
    const byte = bytes[last] ?? 0;
    this.stop = last * 8 + 7 - (31 - Math.clz32(byte & -byte));
  }

  /** The next 25 bits or more, from the uppermost on. */
  #word(): number {
    const bytes = this.#bytes;
    const byte = this.at >> 3;
    const upper = ((bytes[byte] as number) << 24) | ((bytes[byte + 1] as number) << 16);
    return ((upper | ((bytes[byte + 2] as number) << 8) | (bytes[byte + 3] as number)) << (this.at & 7)) >>> 0;
  }

  take(count: number): number {
    const value = count === 0 ? 0 : this.#word() >>> (32 - count);
    this.at += count;
    return value;
  }

  #prefix(most: number): number {
    const zeroBits = Math.clz32(this.#word());
    if (zeroBits > most) this.failed = true;
    this.at += zeroBits + 1;
    return zeroBits;
  }

  /** ue(v), of a kind of symbols. */
  number(context: number): number {
    const length = this.#prefix(mostPrefix);
    if (this.failed) return 0;
    const value = (1 << length) - 1 + this.take(length);
    this.symbols?.number(context, value, length, this.at);
    return value;
  }

  /** se(v): its size. */
  size(context: number): number {
    const length = this.#prefix(mostPrefix);
    if (this.failed) return 0;
    const size = ((1 << length) + this.take(length)) >> 1;
    this.symbols?.number(context, size, length, this.at);
    return size;
  }

  /** A flag. */
  flag(context: number): boolean {
    const bit = this.take(1);
    this.symbols?.note(context, bit, 1, this.at);
    return bit === 1;
  }

  /** se(v). */
  signed(context: number): number {
    const value = this.number(context);
    return value % 2 === 0 ? -value / 2 : (value + 1) / 2;
  }

  /** te(v) of a reference among so many. */
  reference(count: number, context: number): void {
    if (count === 2) this.flag(context);
    else if (count > 2 && this.number(context) >= count) this.failed = true;
  }

  #find(table: WordTable, context: number): number {
    const found = table.find(this.#word() >>> (32 - table.bits));
    if (found === 0) this.failed = true;
    else this.symbols?.note(context, found >> 5, found & 31, this.at);
    this.at += found & 31;
    return found >> 5;
  }

  /** coeff_token where the blocks nearby have so many coefficients; -1 for DC of colours. */
  #token(nearby: number, kind: number): { total: number; trailing: number } {
    const context = contexts.token + kind * 17 + Math.max(0, nearby);
    if (nearby < plainFrom) return pairs[this.#find(nearby < 0 ? colourTokens : tableOf(nearby), context)] ?? noToken;
    const word = this.take(6);
    this.symbols?.note(context, word, 6, this.at);
    if (word === plainNone) return { total: 0, trailing: 0 };
    return { total: (word >> 2) + 1, trailing: word & 3 };
  }

  /** A block of coefficients (7.3.5.3.2) of `most` at most: how many there are. */
  block(nearby: number, most: number, kind: number): number {
    const { total, trailing } = this.#token(nearby, kind);
    if (this.failed || total > most || trailing > total) this.failed = true;
    if (this.failed || total <= 0) return 0;
    this.at += trailing;
    this.#levels(total, trailing);
    if (!this.failed && total < most) this.#places(total, most);
    return total;
  }

  /** Levels behind the trailing ones (9.2.2). */
  #levels(total: number, trailing: number): void {
    let suffix = total > 10 && trailing < 3 ? 1 : 0;
    for (let index = trailing; index < total && !this.failed; index++) {
      const isFirst = index === trailing;
      // Where there are fewer trailing ones than could be, the first level is none.
      const code = this.#levelCode(suffix, isFirst) + (isFirst && trailing < 3 ? 2 : 0);
      const size = (code + 2) >> 1;
      if (suffix === 0) suffix = 1;
      if (size > 3 << (suffix - 1) && suffix < 6) suffix++;
    }
  }

  /** levelCode (9.2.2.1) with this suffixLength. */
  #levelCode(suffix: number, isFirst: boolean): number {
    const prefix = this.#prefix(this.#mostLevelPrefix);
    if (!this.failed) this.symbols?.note(contexts.prefix + suffix * 2 + (isFirst ? 1 : 0), prefix, prefix + 1, this.at);
    const isLong = prefix >= longPrefix;
    const bits = isLong ? prefix - 3 : prefix === longPrefix - 1 && suffix === 0 ? 4 : suffix;
    let code = (Math.min(prefix, longPrefix) << suffix) + this.take(bits);
    if (isLong && suffix === 0) code += longPrefix;
    if (prefix > longPrefix) code += (1 << (prefix - 3)) - 4096;
    return code;
  }

  /** How many zeroes lie between them (9.2.3). */
  #places(total: number, most: number): void {
    const kind = most === 16 ? 0 : most === 15 ? 15 : 30;
    const table = (most === 4 ? colourZeroes : zeroes)[total - 1] as WordTable;
    let left = this.#find(table, contexts.zeroes + kind + total - 1);
    if (left > most - total) this.failed = true;
    for (let index = 1; index < total && left > 0 && !this.failed; index++) {
      const own = Math.min(left, runs.length) - 1;
      left -= this.#find(runs[own] as WordTable, contexts.run + own);
      if (left < 0) this.failed = true;
    }
  }
}
