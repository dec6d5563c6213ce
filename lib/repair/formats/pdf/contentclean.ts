import { Buffer } from '../../host/bytes';
import { constants, endings, joined } from './contentsyntax';
import { isDelimiter, isWhitespace } from './lexer';

/** Bytes of a string, digits before the point of a number, and operands of an operator, that programs write at most; with room to spare. */
const longest = { string: 40_000, digits: 10, operands: 30 };

/** Numbers as every reader takes them (7.3.3). */
const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
/** Operators that some programs write with no space between. */
const single = /f\*|W\*|BT|ET|EMC|[qQfSnW]/g;
/** Operators that begin a path, those that take one to have got somewhere, and those that end one (8.5.2, 8.5.3). */
const pathBegins = new Set(['m', 're']);
const pathGoesOn = new Set(['l', 'c', 'v', 'y', 'h', 's', 'b', 'b*']);
const pathEnds = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'n']);

/** Bytes that begin or end values. */
const byteOf = (letter: string): number => letter.charCodeAt(0);
const [slash, round, roundEnd, square, squareEnd, angle, angleEnd, backslash] = [...'/()[]<>\\'].map(byteOf);

const isHexadecimal = (byte: number | undefined): boolean =>
  byte !== undefined && /[\dA-Fa-f]/.test(String.fromCharCode(byte));

/**
 * Damaged page content (ISO 32000-1, 7.8.2) as strict readers take it: bytes that are part of no token are left out, and so are words that
 * are no operator, and operators without the operands they take; strings and lists end where something else begins. What text there is
 * between stays as it is.
 */
export const cleanContent = (content: Buffer): Buffer => new ContentCleaner(content).clean();

class ContentCleaner {
  readonly #bytes: Buffer;
  readonly #output: Buffer[] = [];
  #at = 0;
  /** What was put out since the last operator, each value a letter for its kind, as in the table of operators. */
  #operands: Buffer[] = [];
  #kinds = '';
  /** Whether there is a point that a path goes on from. */
  #isInPath = false;
  /** The kinds in the list that is open; null where none is. */
  #list: string | null = null;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  clean(): Buffer {
    while (this.#at < this.#bytes.length) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (isWhitespace(byte)) this.#at++;
      else if (!isDelimiter(byte)) this.#word();
      else this.#delimiter(byte);
    }
    this.#closeList();
    return Buffer.concat(this.#output);
  }

  #delimiter(byte: number): void {
    const start = this.#at++;
    if (byte === slash) this.#name(start);
    else if (byte === round) this.#literal(start);
    else if (byte === square && this.#list === null) {
      this.#list = '';
      this.#operands.push(Buffer.from('['));
    } else if (byte === squareEnd && this.#list !== null) this.#endList();
    else if (byte === angle && this.#bytes[this.#at] === angle) this.#properties(start);
    else if (byte === angle) this.#hexadecimal(start);
  }

  #put(value: Buffer, kind: string): void {
    // Lists in content hold strings and numbers (9.4.3, 8.4.3.6).
    const isStray = this.#list !== null && kind !== 's' && kind !== 'n';
    if (isStray || this.#operands.length > longest.string) return;
    this.#operands.push(value, space);
    if (this.#list === null) this.#kinds = (this.#kinds + kind).slice(-longest.operands);
    else if (kind === 's') this.#list = 's';
  }

  #endList(): void {
    this.#list = null;
    this.#put(Buffer.from(']'), 'a');
  }

  /** A list that something else follows: what text is in it is shown. */
  #closeList(): void {
    const isText = this.#list === 's';
    if (this.#list === null) return;
    this.#endList();
    if (isText) this.#operator('TJ');
  }

  #name(start: number): void {
    while (this.#isRegular()) this.#at++;
    this.#put(this.#bytes.subarray(start, this.#at), 'N');
  }

  #isRegular(): boolean {
    const byte = this.#bytes[this.#at];
    return byte !== undefined && !isWhitespace(byte) && !isDelimiter(byte);
  }

  #literal(start: number): void {
    let depth = 1;
    const end = Math.min(this.#bytes.length, start + longest.string);
    for (let at = this.#at; at < end; at++) {
      const byte = this.#bytes[at];
      if (byte === backslash) at++;
      else if (byte === round) depth++;
      else if (byte === roundEnd && --depth === 0) {
        this.#at = at + 1;
        this.#put(this.#bytes.subarray(start, this.#at), 's');
        return;
      }
    }
  }

  #hexadecimal(start: number): void {
    while (isHexadecimal(this.#bytes[this.#at]) || isWhitespace(this.#bytes[this.#at])) this.#at++;
    const digits = this.#bytes.subarray(start, this.#at);
    if (this.#bytes[this.#at] === angleEnd) this.#at++;
    if (digits.length > 1) this.#put(Buffer.concat([digits, Buffer.from('>')]), 's');
  }

  /** A list of properties (14.6.2), of which only whole ones are kept. */
  #properties(start: number): void {
    this.#at++;
    const close = this.#bytes.indexOf('>>', this.#at, 'latin1');
    const inside = this.#bytes.toString('latin1', this.#at, close);
    if (close < 0 || close > start + longest.string || !plainProperties.test(inside)) return;
    this.#at = close + 2;
    this.#put(this.#bytes.subarray(start, this.#at), 'd');
  }

  #word(): void {
    const start = this.#at;
    while (this.#isRegular()) this.#at++;
    const word = this.#bytes.toString('latin1', start, this.#at);
    if (numeral.test(word)) {
      if ((word.split('.', 1)[0] ?? '').length <= longest.digits) this.#put(Buffer.from(word), 'n');
    } else if (constants.has(word)) this.#put(Buffer.from(word), 'o');
    else if (endings.has(word) || joined.test(word)) {
      if (word !== 'TJ') this.#closeList();
      else if (this.#list !== null) this.#endList();
      this.#operator(word);
    }
  }

  #operator(word: string): void {
    const isWhole = joined.test(word) || endings.get(word)?.test(this.#kinds) === true;
    const isKept = isWhole && (this.#isInPath || !pathGoesOn.has(word)) && this.#kinds.length < longest.operands;
    if (isKept) {
      const words = endings.has(word) ? [word] : (word.match(single) ?? [word]);
      this.#output.push(...this.#operands, Buffer.from(`${words.join('\n')}\n`));
      if (pathBegins.has(word)) this.#isInPath = true;
      else if (words.some((one) => pathEnds.has(one))) this.#isInPath = false;
    }
    this.#operands = [];
    this.#kinds = '';
  }
}

const space = Buffer.from(' ');
/** Names, each with a plain value. */
const plainProperties =
  /^\s*(?:\/[^\s/<>()[\]{}%]+\s*(?:\/[^\s/<>()[\]{}%]+|[+-]?(?:\d+\.?\d*|\.\d+)|\([^()\\]*\)|true|false|null)\s*)*$/;
