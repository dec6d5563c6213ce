import { Buffer } from '../../host/bytes';
import { filtersOf } from './filters';
import { contentsOf } from './fontuses';
import { operators } from './judge';
import { isDelimiter, isWhitespace } from './lexer';
import type { PdfModel } from './model';
import { entriesOf, type PdfObject } from './values';

/** Bytes of page content that are read for their syntax in one document: reading stays linear whatever pages share their content. */
const mostRead = 1 << 26;
/** Bytes behind the end of a picture inside content that must be text, or it is no end but chance. */
const textBehind = 10;
/** Operands that are remembered: more than any operator takes (annex A). */
const mostOperands = 40;
/** Arrays and dictionaries inside each other: content nests them in lists of properties only (14.6.2). */
const deepest = 32;

/** What an operator takes last: readers look past operands that are left over before them. */
export const endings = new Map([...operators].map(([word, taken]) => [word, new RegExp(taken.source.slice(1))]));
/** Numbers as readers take them: also with several signs, a sign inside, no digits, or an exponent (7.3.3 knows only the plain ones). */
const numeral = /^[+-]*\d*\.?\d*(?:-\d*|[eE][+-]?\d+)?$/;
/** Operators without operands that some programs write with no space between. */
export const joined = /^(?:q|Q|f\*?|S|n|W\*?|BT|ET|EMC)+$/;
/** Words that are values (7.3.2, 7.3.9). */
export const constants = new Set(['true', 'false', 'null']);

class SyntaxFlaw extends Error {}

/**
 * Streams of page content, and of forms, that no program wrote as they are: broken strings and arrays, words that are no operator, and
 * operators without the operands they take (ISO 32000-1, 7.8.2 and annex A). Only what no check sum vouches for is looked into: data
 * that DEFLATE unpacked to its sum (RFC 1950, 2.2) is what its program wrote, however carelessly.
 */
export function flawedContents(model: PdfModel, pages: readonly PdfObject[]): PdfObject[] {
  const flawed: PdfObject[] = [];
  const seen = new Set<string>();
  let read = 0;
  const forms = [...model.objects.values()].filter(
    (object) => object.stream && model.nameIn(object, 'Subtype') === 'Form',
  );
  const parts = [...pages.map((page) => contentsOf(model, page)), ...forms.map((form) => [form])];
  for (const streams of parts) {
    const [first] = streams;
    const key = streams.map(({ number }) => number).join(' ');
    if (!first || seen.has(key) || !streams.some((stream) => isUnsummed(model, stream))) continue;
    seen.add(key);
    const decoded = streams.map((stream) => model.decode(stream));
    read += decoded.reduce((sum, { data }) => sum + data.length, 0);
    if (read > mostRead) break;
    model.job.deadline.check();
    if (decoded.some(({ sound, supported }) => !sound || !supported)) continue;
    // Streams of one page are read as one, with room between them (7.8.2).
    if (hasFlaw(Buffer.concat(decoded.flatMap(({ data }) => [data, lineFeed])))) flawed.push(first);
  }
  return flawed;
}

const lineFeed = Buffer.from('\n');

function isUnsummed(model: PdfModel, object: PdfObject): boolean {
  return filtersOf(entriesOf(object.value), model.resolve).every(({ name }) => name !== 'FlateDecode');
}

/** Whether content breaks the syntax. */
export function hasFlaw(content: Buffer): boolean {
  try {
    new ContentReader(content).read();
    return false;
  } catch (error) {
    if (error instanceof SyntaxFlaw) return true;
    throw error;
  }
}

/** Reads content token by token; a value is a letter for its kind, as in the table of operators, `o` for the rest. */
class ContentReader {
  readonly #bytes: Buffer;
  #at = 0;
  /** Sections in which words that are no operators are allowed (7.8.2, table 32). */
  #compatible = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(): void {
    let operands = '';
    for (this.#space(); this.#at < this.#bytes.length; this.#space()) {
      if (!this.#isRegular()) operands = (operands + this.#value(0)).slice(-mostOperands);
      else {
        const word = this.#word();
        if (numeral.test(word)) operands = `${operands}n`.slice(-mostOperands);
        else if (constants.has(word)) operands = `${operands}o`;
        else {
          this.#operator(word, operands);
          operands = '';
        }
      }
    }
  }

  #operator(word: string, operands: string): void {
    if (word === 'BX') this.#compatible++;
    else if (word === 'EX') this.#compatible--;
    if (word === 'BI') this.#picture();
    else if (this.#compatible <= 0 && !endings.get(word)?.test(operands) && !joined.test(word)) throw new SyntaxFlaw();
  }

  #space(): void {
    for (; this.#at < this.#bytes.length; this.#at++) {
      if (this.#bytes[this.#at] === 0x25) this.#comment();
      else if (!isWhitespace(this.#bytes[this.#at])) return;
    }
  }

  #comment(): void {
    while (this.#at < this.#bytes.length && this.#bytes[this.#at] !== 10 && this.#bytes[this.#at] !== 13) this.#at++;
  }

  #isRegular(): boolean {
    const byte = this.#bytes[this.#at];
    return byte !== undefined && !isWhitespace(byte) && !isDelimiter(byte);
  }

  #word(): string {
    const start = this.#at;
    while (this.#isRegular()) this.#at++;
    return this.#bytes.toString('latin1', start, this.#at);
  }

  /** A value that begins with a delimiter. */
  #value(depth: number): string {
    const byte = this.#bytes[this.#at++];
    if (byte === 0x2f) {
      this.#word();
      return 'N';
    }
    if (byte === 0x28) return this.#literal();
    if (depth > deepest) throw new SyntaxFlaw();
    if (byte === 0x5b) return this.#list(depth, ']', 'a');
    if (byte !== 0x3c) throw new SyntaxFlaw();
    if (this.#bytes[this.#at] !== 0x3c) return this.#hexadecimal();
    this.#at++;
    return this.#list(depth, '>>', 'd');
  }

  #list(depth: number, close: string, kind: string): string {
    for (this.#space(); this.#at < this.#bytes.length; this.#space()) {
      if (this.#bytes.toString('latin1', this.#at, this.#at + close.length) === close) {
        this.#at += close.length;
        return kind;
      }
      if (!this.#isRegular()) this.#value(depth + 1);
      else if (!this.#isPlain(this.#word())) throw new SyntaxFlaw();
    }
    throw new SyntaxFlaw();
  }

  #isPlain(word: string): boolean {
    return numeral.test(word) || constants.has(word);
  }

  #literal(): string {
    let depth = 1;
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte === 0x5c) this.#at++;
      else if (byte === 0x28) depth++;
      else if (byte === 0x29 && --depth === 0) {
        this.#at++;
        return 's';
      }
    }
    throw new SyntaxFlaw();
  }

  #hexadecimal(): string {
    const close = this.#bytes.indexOf(0x3e, this.#at);
    if (close < 0 || !/^[\s\0\dA-Fa-f]*$/.test(this.#bytes.toString('latin1', this.#at, close))) throw new SyntaxFlaw();
    this.#at = close + 1;
    return 's';
  }

  /** Steps over a picture inside the content (8.9.7); its data may hold anything. */
  #picture(): void {
    let loose: number | null = null;
    for (let end = this.#nextEnd(this.#at); end >= 0; end = this.#nextEnd(end + 2)) {
      const behind = this.#bytes.toString('latin1', end + 2, end + 2 + textBehind);
      if (!/^(?:$|[\0\s])[\0\s -~]*$/.test(behind)) continue;
      loose ??= end;
      if (!isWhitespace(this.#bytes[end - 1])) continue;
      this.#at = end + 2;
      return;
    }
    // Some programs write the mark of the end right behind the data, and readers take it so.
    if (loose === null) throw new SyntaxFlaw();
    this.#at = loose + 2;
  }

  #nextEnd(from: number): number {
    return this.#bytes.indexOf('EI', from, 'latin1');
  }
}
