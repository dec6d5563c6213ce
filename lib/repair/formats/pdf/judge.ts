import { notePlace } from '../../core/flips/follow';
import type { Judge } from '../../core/flips/packedtext';
import { Buffer } from '../../host/bytes';
import { isWhitespace } from './lexer';

/** The most operands of an operator, characters of a number, of a name and of an operator, and bytes of a string, that programs write; with room to spare. */
const longest = { operands: 40, number: 24, name: 100, word: 24, string: 40_000 };

/** What a stream holds: page content (ISO 32000-1, 7.8.2), a table of codes and letters (9.10.3), or bundled objects (7.5.7). */
export type TextRole = 'content' | 'codes' | 'objects';

/** Where reading may begin again: before an operator's first operand. */
export type PdfPlace = { at: number };

/** What the sound parts of a document use: names, bytes of literal strings, and bytes written as hexadecimal strings. */
export type PdfHabits = { names: Set<string>; literal: Uint8Array; hexadecimal: Uint8Array; seen: number };

export const noHabits = (): PdfHabits => ({
  names: new Set(),
  literal: new Uint8Array(256),
  hexadecimal: new Uint8Array(256),
  seen: 0,
});

/** Fewer bytes of strings than these say nothing about which are usual. */
const enoughSeen = 1500;

/** Operators of page content with their operands (annex A): n number, s string, a array, N name, d dictionary; `+` any number of the last. */
export const operators = new Map<string, RegExp>(
  Object.entries({
    '': 'b B b* B* f F f* n s S h W W* q Q BT ET T* EMC BX EX',
    n: 'w J j M i Tc Tw Tz TL Tr Ts g G',
    nn: 'l m Td TD d0',
    nnn: 'rg RG',
    nnnn: 're v y k K',
    nnnnnn: 'cm Tm c d1',
    'n+': 'sc SC',
    'n*N?': 'scn SCN',
    an: 'd',
    a: 'TJ',
    s: "Tj '",
    nns: '"',
    Nn: 'Tf',
    N: 'gs cs CS Do sh ri MP BMC',
    'N[dN]': 'BDC DP',
  }).flatMap(([operands, words]) =>
    words.split(' ').map((word): [string, RegExp] => [word, new RegExp(`^${operands}$`)]),
  ),
);

const codeWords = new Set(
  'begincmap endcmap begincodespacerange endcodespacerange beginbfchar endbfchar beginbfrange endbfrange begincidrange endcidrange begincidchar endcidchar beginnotdefrange endnotdefrange findresource begin end def defineresource pop currentdict dict dup usecmap CMapName true false'.split(
    ' ',
  ),
);
const objectWords = new Set(['true', 'false', 'null', 'R']);

class Fault {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
}

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
const isLetter = (byte: number) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
/** The value of a hexadecimal digit, -1 for any other byte. */
function hexadecimalDigit(byte: number): number {
  if (isDigit(byte)) return byte - 0x30;
  const letter = isLetter(byte) ? (byte & 0x5f) - 0x37 : -1;
  return letter <= 15 ? letter : -1;
}
const delimiters = new Set(Buffer.from('()<>[]{}/%'));

/**
 * Reads the text of a PDF stream as strictly as programs write it, to find where it first goes wrong. With `learn`, names and the bytes
 * of strings are taken into the habits; `strict` holds them to be faults where they are new.
 */
export class PdfTextJudge implements Judge<PdfPlace> {
  readonly #bytes: Uint8Array;
  readonly #role: TextRole;
  readonly #habits: PdfHabits;
  readonly #mode: 'learn' | 'strict' | 'loose';
  #end = 0;
  #at = 0;
  /** The number and the hexadecimal string read last, and its digits. */
  #last = { number: 0, code: 0, digits: 0 };
  /** The list of codes that is being read: how many strings each entry has, how many entries it promises, and the code before. */
  #section: { width: number; count: number; code: number } | null = null;

  constructor(bytes: Uint8Array, role: TextRole, habits: PdfHabits, mode: 'learn' | 'strict' | 'loose') {
    this.#bytes = bytes;
    this.#role = role;
    this.#habits = habits;
    this.#mode = mode;
  }

  fault(from: PdfPlace, end: number, places?: PdfPlace[]): number {
    this.#end = end;
    this.#at = from.at;
    this.#section = null;
    let operands = '';
    try {
      for (;;) {
        this.#space();
        if (this.#at >= end) return end;
        if (places && (operands === '' || this.#role === 'objects')) notePlace(places, { at: this.#at });
        operands = this.#token(operands);
      }
    } catch (error) {
      if (error instanceof Fault) return Math.min(error.at, end);
      throw error;
    }
  }

  #space(): void {
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === 0x25) this.#comment();
      else if (byte === 0x20 || byte === 10 || byte === 13 || byte === 9) this.#at++;
      else return;
    }
  }

  #comment(): void {
    if (this.#role === 'objects') throw new Fault(this.#at);
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === 10 || byte === 13) return;
      if (byte < 0x20 || byte > 0x7e) throw new Fault(this.#at);
    }
  }

  /** Reads one token; the operands that wait for their operator after it. */
  #token(operands: string): string {
    const start = this.#at;
    const byte = this.#bytes[start] ?? 0;
    if (isLetter(byte) || byte === 0x27 || byte === 0x22) return this.#word(operands);
    const kind = this.#value(0);
    if (this.#role === 'objects') return '';
    if (this.#role === 'codes') this.#entry(operands, kind, start);
    else if (operands.length > longest.operands) throw new Fault(start);
    return operands + kind;
  }

  /** Codes come in order, and what they stand for is written in units of two bytes (9.10.3). */
  #entry(operands: string, kind: string, start: number): void {
    const section = this.#section;
    if (!section || kind === 'a') return;
    if (kind !== 's') throw new Fault(start);
    const place = operands.length % section.width;
    const { code, digits } = this.#last;
    if (place === 0) {
      if (code <= section.code) throw new Fault(start);
      section.code = code;
    } else if (place === section.width - 1 ? digits % 4 !== 0 || digits === 0 : code < section.code)
      throw new Fault(start);
  }

  /** Opens and closes lists of codes, which tell how many entries they have. */
  #codeWord(word: string, operands: string, start: number): void {
    const begin = /^beginbf(char|range)$/.exec(word)?.[1];
    const section = this.#section;
    if (section && section.count >= 0 && operands.length !== section.count * section.width) throw new Fault(start);
    this.#section = begin ? { width: begin === 'char' ? 2 : 3, count: this.#last.number, code: -1 } : null;
  }

  #value(depth: number): string {
    const byte = this.#bytes[this.#at] ?? 0;
    if (isDigit(byte) || byte === 0x2d || byte === 0x2e || byte === 0x2b) return this.#number();
    if (byte === 0x2f) return this.#name();
    if (byte === 0x28) return this.#literal();
    if (depth > 20) throw new Fault(this.#at);
    if (byte === 0x5b) return this.#list(depth, 0x5d, 'a');
    if (byte !== 0x3c) throw new Fault(this.#at);
    return this.#bytes[this.#at + 1] === 0x3c ? this.#list(depth, 0x3e, 'd') : this.#hexadecimal();
  }

  #number(): string {
    const start = this.#at;
    let points = 0;
    let whole = 0;
    let value = 0;
    if (this.#bytes[start] === 0x2d || this.#bytes[start] === 0x2b) this.#at++;
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === 0x2e) points++;
      else if (!isDigit(byte)) break;
      else if (points === 0) {
        whole++;
        value = value * 10 + byte - 0x30;
      }
    }
    this.#last.number = value;
    const next = this.#bytes[this.#at] ?? 0;
    const isClosed = this.#at >= this.#end || isWhitespace(next) || delimiters.has(next);
    if (points > 1 || whole > 8 || this.#at - start > longest.number || !isClosed)
      throw new Fault(this.#at >= this.#end ? start : this.#at);
    return 'n';
  }

  #name(): string {
    const start = this.#at++;
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (isWhitespace(byte) || delimiters.has(byte)) break;
      if (byte < 0x21 || byte > 0x7e || this.#at - start > longest.name) throw new Fault(this.#at);
      this.#at++;
    }
    if (this.#at >= this.#end) return 'N';
    const name = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start + 1, this.#at - start - 1).toString(
      'latin1',
    );
    if (this.#mode === 'learn') this.#habits.names.add(name);
    else if (name === '' || (this.#mode === 'strict' && !this.#habits.names.has(name))) throw new Fault(start + 1);
    return 'N';
  }

  #literal(): string {
    let depth = 0;
    const { literal } = this.#habits;
    const start = this.#at;
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === 0x5c) {
        this.#at++;
        continue;
      }
      if (byte === 0x28) depth++;
      else if (byte === 0x29 && --depth === 0) {
        this.#at++;
        return 's';
      } else if (this.#mode === 'learn') {
        literal[byte] = 1;
        this.#habits.seen++;
      } else if (this.#isUnusual(byte, literal) && (byte < 0x20 || byte > 0x7e)) throw new Fault(this.#at);
      if (this.#at - start > longest.string) throw new Fault(start);
    }
    return 's';
  }

  #isUnusual(byte: number, usual: Uint8Array): boolean {
    return this.#mode === 'strict' && this.#habits.seen >= enoughSeen && usual[byte] === 0;
  }

  #hexadecimal(): string {
    const start = this.#at++;
    let half = -1;
    this.#last.code = 0;
    this.#last.digits = 0;
    for (; this.#at < this.#end; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === 0x3e) {
        // No program writes half a byte.
        if (half >= 0) throw new Fault(start);
        this.#at++;
        return 's';
      }
      const digit = hexadecimalDigit(byte);
      if (digit < 0 && isWhitespace(byte) && half < 0) continue;
      if (digit < 0) throw new Fault(this.#at);
      if (half >= 0) this.#code(half * 16 + digit);
      half = half < 0 ? digit : -1;
    }
    return 's';
  }

  /** One byte of a hexadecimal string. */
  #code(value: number): void {
    const { hexadecimal } = this.#habits;
    this.#last.digits += 2;
    this.#last.code = this.#last.code * 256 + value;
    if (this.#mode === 'learn') {
      hexadecimal[value] = 1;
      this.#habits.seen++;
    } else if (this.#role === 'content' && this.#isUnusual(value, hexadecimal)) throw new Fault(this.#at);
  }

  #list(depth: number, close: number, kind: 'a' | 'd'): string {
    this.#at += kind === 'd' ? 2 : 1;
    for (;;) {
      this.#space();
      if (this.#at >= this.#end) return kind;
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === close) {
        if (kind === 'd' && this.#at + 1 < this.#end && this.#bytes[this.#at + 1] !== close) throw new Fault(this.#at);
        this.#at += kind === 'd' ? 2 : 1;
        return kind;
      }
      if (isLetter(byte)) this.#plainWord();
      else {
        const item = this.#value(depth + 1);
        // A list of text holds strings and the room between them, nothing else.
        if (kind === 'a' && depth === 0 && this.#role === 'content' && item !== 'n' && item !== 's')
          throw new Fault(this.#at);
      }
    }
  }

  #letters(): string {
    const start = this.#at;
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (isWhitespace(byte) || delimiters.has(byte)) break;
      if (this.#at - start > longest.word) throw new Fault(start);
      this.#at++;
    }
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, this.#at - start).toString('latin1');
  }

  #plainWord(): void {
    const start = this.#at;
    const word = this.#letters();
    if (this.#at < this.#end && !objectWords.has(word)) throw new Fault(start);
  }

  #word(operands: string): string {
    const start = this.#at;
    const word = this.#letters();
    if (this.#at >= this.#end) return '';
    if (this.#role !== 'content') {
      if (!(this.#role === 'codes' ? codeWords : objectWords).has(word)) throw new Fault(start);
      if (this.#role === 'codes') this.#codeWord(word, operands, start);
      return '';
    }
    if (word === 'BI') this.#picture();
    else if (!operators.get(word)?.test(operands)) throw new Fault(start);
    return '';
  }

  /** Steps over a picture inside the content (8.9.7). */
  #picture(): void {
    for (; this.#at < this.#end; this.#at++) {
      if (this.#bytes[this.#at] !== 0x45 || this.#bytes[this.#at + 1] !== 0x49) continue;
      if (!isWhitespace(this.#bytes[this.#at - 1]) || !isWhitespace(this.#bytes[this.#at + 2])) continue;
      this.#at += 2;
      return;
    }
  }
}
