import { byName } from '../../core/named';
import { Buffer } from '../../host/bytes';
import { mostObjectNumber, type PdfValue, pdfNull } from './values';

const whitespace = new Uint8Array(256);
for (const code of [0, 9, 10, 12, 13, 32]) whitespace[code] = 1;
const delimiter = new Uint8Array(256);
for (const code of Buffer.from('()<>[]{}/%')) delimiter[code] = 1;

/** Whether a byte is white space (ISO 32000-1, table 1). */
export function isWhitespace(code: number | undefined): boolean {
  return code !== undefined && whitespace[code] === 1;
}

/** Whether a byte ends a token and begins another (ISO 32000-1, table 2). */
export function isDelimiter(code: number | undefined): boolean {
  return code !== undefined && delimiter[code] === 1;
}

function isRegular(code: number | undefined): boolean {
  return code !== undefined && whitespace[code] === 0 && delimiter[code] === 0;
}

/** Reads PDF syntax (ISO 32000-1, 7.2) from bytes that may be damaged: what is no value reads as null, and the end of the data ends everything. */
export class PdfLexer {
  readonly bytes: Buffer;
  position: number;
  readonly end: number;
  /** Set when a string, array or dictionary was still open at the end. */
  cut = false;
  /** Set when something stood in an array, dictionary or hexadecimal string that cannot stand there, or values were nested too deep. */
  odd = false;
  readonly #nesting: number;

  constructor(bytes: Buffer, position = 0, end = bytes.length, nesting = 256) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
    this.#nesting = nesting;
  }

  skipSpace(): void {
    while (this.position < this.end) {
      const code = this.bytes[this.position];
      if (code === 0x25) {
        while (this.position < this.end && this.bytes[this.position] !== 10 && this.bytes[this.position] !== 13)
          this.position++;
      } else if (isWhitespace(code)) this.position++;
      else break;
    }
  }

  /** The run of regular characters here, such as a keyword or number; empty at a delimiter. */
  word(): string {
    const start = this.position;
    while (this.position < this.end && isRegular(this.bytes[this.position])) this.position++;
    return this.bytes.toString('latin1', start, this.position);
  }

  /** Reads one value; an unknown keyword comes back as null with its text in `keyword`. */
  value(depth = 0): { value: PdfValue; keyword: string | null } {
    this.skipSpace();
    const code = this.bytes[this.position];
    if (depth > this.#nesting && (code === 0x5b || code === 0x3c)) return this.#tooDeep();
    if (this.position >= this.end || code === undefined) {
      this.cut = true;
      return { value: pdfNull, keyword: '' };
    }
    if (code === 0x2f) return { value: this.#name(), keyword: null };
    if (code === 0x28) return { value: this.#literal(), keyword: null };
    if (code === 0x3c) {
      return {
        value: this.bytes[this.position + 1] === 0x3c ? this.#dictionary(depth) : this.#hexadecimal(),
        keyword: null,
      };
    }
    if (code === 0x5b) return { value: this.#array(depth), keyword: null };
    if (!isRegular(code)) {
      const isDouble = code === 0x3e && this.bytes[this.position + 1] === 0x3e;
      if (code === 0x3e && !isDouble) this.odd = true;
      this.position += isDouble ? 2 : 1;
      return { value: pdfNull, keyword: code === 0x5d ? ']' : code === 0x3e ? '>>' : String.fromCharCode(code) };
    }
    return this.#keyword(depth);
  }

  /** Passes over what opens a value that is nested deeper than any program writes them: all inside of it stands one level above then. */
  #tooDeep(): { value: PdfValue; keyword: string | null } {
    this.odd = true;
    this.position++;
    return { value: pdfNull, keyword: null };
  }

  #keyword(depth: number): { value: PdfValue; keyword: string | null } {
    const start = this.position;
    const text = this.word();
    // Only within others: operators of page content stand behind numbers, too.
    const near = depth > 0 ? this.#nearReference(start, text) : null;
    if (near) return { value: near, keyword: null };
    if (/^[+-]*(?:\d+\.?\d*|\.\d+)(?:-\d*)?$/.test(text))
      return { value: this.#numberOrReference(text), keyword: null };
    if (text === 'true' || text === 'false')
      return { value: { kind: 'boolean', value: text === 'true' }, keyword: null };
    if (text === 'null') return { value: pdfNull, keyword: null };
    return { value: pdfNull, keyword: text };
  }

  /** The reference (7.3.10) that begins at a place and has one wrong byte in what stands behind its number; null where none does. */
  #nearReference(start: number, text: string): PdfValue | null {
    if (!/^\d/.test(text)) return null;
    const behind = this.bytes.toString('latin1', start, Math.min(this.end, start + longestReference));
    const match = nearReference.exec(behind);
    const number = Number(match?.[1] ?? match?.[2] ?? 0);
    if (!match || number === 0 || number > mostObjectNumber) return null;
    this.odd = true;
    this.position = start + match[0].length;
    return { kind: 'reference', number, generation: 0 };
  }

  #numberOrReference(text: string): PdfValue {
    if (/^\d{1,10}$/.test(text)) {
      const back = this.position;
      const tail = this.bytes.toString('latin1', back, Math.min(this.end, back + 24));
      const match = /^[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+R(?![A-Za-z0-9])/.exec(tail);
      if (match) {
        this.position = back + match[0].length;
        if (Number(text) > mostObjectNumber) return pdfNull;
        return { kind: 'reference', number: Number(text), generation: Number(match[1]) };
      }
    }
    const clean = /^([+-]?)[+-]*(\d*\.?\d*)/.exec(text);
    const raw = `${clean?.[1] === '-' ? '-' : ''}${clean?.[2] ?? '0'}`;
    return { kind: 'number', value: Number(raw), raw };
  }

  #name(): PdfValue {
    this.position++;
    return { kind: 'name', value: this.word() };
  }

  #literal(): PdfValue {
    const start = this.position;
    let depth = 0;
    for (; this.position < this.end; this.position++) {
      const code = this.bytes[this.position];
      if (code === 0x5c) this.position++;
      else if (code === 0x28) depth++;
      else if (code === 0x29 && --depth === 0) {
        this.position++;
        return { kind: 'string', raw: this.bytes.subarray(start, this.position) };
      }
    }
    this.position = this.end;
    this.cut = true;
    return { kind: 'string', raw: Buffer.from('()') };
  }

  #hexadecimal(): PdfValue {
    const start = this.position;
    const close = this.bytes.indexOf(0x3e, start);
    if (close < 0 || close >= this.end) {
      this.position = this.end;
      this.cut = true;
      return { kind: 'string', raw: Buffer.from('<>') };
    }
    this.position = close + 1;
    const written = this.bytes.toString('latin1', start + 1, close);
    if (!onlyDigits.test(written)) this.odd = true;
    const digits = written.replace(/[^0-9a-fA-F]/g, '');
    return { kind: 'string', raw: Buffer.from(`<${digits}>`, 'latin1') };
  }

  #array(depth: number): PdfValue {
    const items: PdfValue[] = [];
    this.position++;
    for (;;) {
      const before = this.position;
      const { value, keyword } = this.value(depth + 1);
      if (keyword === null) items.push(value);
      else if (keyword === ']' || keyword === '' || this.#ends(keyword)) {
        if (keyword !== ']') this.#reread(keyword, before);
        return { kind: 'array', items };
      } else {
        this.odd = true;
        // What goes by the place of a number in its list, as widths do, would move with each that is passed over.
        const areNumbers = items.length > 0 && items.every(({ kind }) => kind === 'number');
        for (const raw of areNumbers ? nearNumbers(keyword) : [])
          items.push({ kind: 'number', value: Number(raw), raw });
      }
    }
  }

  #dictionary(depth: number): PdfValue {
    const entries = new Map<string, PdfValue>();
    this.position += 2;
    let key: string | null = null;
    for (;;) {
      const before = this.position;
      const { value, keyword } = this.value(depth + 1);
      if (keyword === '>>' || keyword === '' || (keyword !== null && this.#ends(keyword))) {
        if (keyword !== '>>') this.#reread(keyword, before);
        return { kind: 'dictionary', entries };
      }
      if (key === null) {
        if (value.kind === 'name') key = value.value;
        else this.odd = true;
        continue;
      }
      // A value that was wiped lets the next key slide into its place; only these keys take names.
      if (value.kind === 'name' && !takesName(key, value.value)) {
        this.odd = true;
        key = value.value;
        continue;
      }
      if (keyword === null) entries.set(key, value);
      else this.odd = true;
      key = null;
    }
  }

  /** Keywords that can only follow a complete object: whatever is open here was never closed. */
  #ends(keyword: string): boolean {
    return (
      keyword === 'endobj' || keyword === 'stream' || keyword === 'endstream' || keyword === 'obj' || keyword === 'xref'
    );
  }

  #reread(keyword: string, before: number): void {
    this.cut = true;
    if (keyword !== '') this.position = before;
  }
}

/** The number that a word is one wrong bit away from, where there is only one, or the two that a space stood between (7.3.3); none where there are others. */
function nearNumbers(word: string): string[] {
  const wrong = [...word].findIndex((letter) => !/[\d.]/.test(letter));
  const digits = [...'0123456789'].filter((digit) => isOneBitOff(digit, word[wrong]));
  const [before, behind] = [word.slice(0, wrong), word.slice(wrong + 1)];
  const isSpace = digits.length === 0 && [...' \n\r'].some((space) => isOneBitOff(space, word[wrong]));
  const right = isSpace ? [before, behind] : digits.map((digit) => `${before}${digit}${behind}`);
  const areRight = wrong >= 0 && digits.length <= 1 && right.every((one) => /^(?:\d+\.?\d*|\.\d+)$/.test(one));
  return areRight ? right : [];
}

function isOneBitOff(right: string, letter = ''): boolean {
  const bits = right.charCodeAt(0) ^ letter.charCodeAt(0);
  return (bits & (bits - 1)) === 0;
}

/** Bytes that a reference takes at most, with what follows it. */
const longestReference = 20;
/**
 * A reference of generation 0, as nearly all are, with one wrong byte: in the stead of the first space, of the 0, of the second space, or of
 * the R; what begins a string or comment there may be one. Numbers and names may stand in a list behind two numbers.
 */
const nearReference =
  /^(?:(\d{1,7})(?:[^\0\t\n\f\r \d(%]0 R| [^\0\t\n\f\r \d(%] R| 0[^\0\t\n\f\r ()<>[\]/%]R| 0 [^\0\t\n\f\r \d+\-.R()<>[\]/%])|(\d{1,7})\d0 R)(?=[\0\t\n\f\r /\]>]|$)/;

/** What may stand in a hexadecimal string (7.3.4.3). */
const onlyDigits = /^[0-9a-fA-F\0\t\n\f\r ]*$/;

const numericKeys =
  /^(?:Length\d?|Size|Count|Width|Height|BitsPerComponent|Parent|Kids|Pages|MediaBox|CropBox|Root|Info|ID|First|Last|Prev|W|Index|Widths|FirstChar|LastChar|FontFile\d?|FontDescriptor|DescendantFonts|Rotate)$/;
/** Keys that take names of one kind, by what these may be: predefined maps of codes, and names of actions (12.6.4.11), but not the keys that stand beside a count. */
const namedKeys: Readonly<Record<string, RegExp>> = byName({
  ToUnicode: /^Identity/,
  N: /^(?!(?:Type|First|Length|Filter|DecodeParms|Extends|Alternate|Range|Metadata)$)/,
});

function takesName(key: string, name: string): boolean {
  return namedKeys[key]?.test(name) ?? !numericKeys.test(key);
}

const escapes: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

/** The bytes of a string object (7.3.4), escapes resolved. */
export function stringBytes(raw: Buffer): Buffer {
  if (raw[0] === 0x3c) {
    const digits = raw.toString('latin1', 1, raw.length - 1);
    return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex');
  }
  const text = raw.toString('latin1', 1, raw.length - 1);
  const plain = text.replace(/\\(\d{1,3}|\r\n|[\s\S])/g, (_, code: string) => {
    if (/^\d/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 255);
    if (/^[\r\n]/.test(code)) return '';
    return String.fromCharCode(escapes[code] ?? code.charCodeAt(0));
  });
  return Buffer.from(plain, 'latin1');
}
