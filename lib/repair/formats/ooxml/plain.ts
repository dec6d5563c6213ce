import type { Buffer } from '../../host/bytes';

const [tab, lineFeed, carriageReturn, space, quote, numberSign, ampersand, apostrophe, slash, colon, semicolon] = [
  0x09, 0x0a, 0x0d, 0x20, 0x22, 0x23, 0x26, 0x27, 0x2f, 0x3a, 0x3b,
];
const [lessThan, equals, greaterThan, bracket] = [0x3c, 0x3d, 0x3e, 0x5d];

/** What bytes are to a reader of XML: 1 for white space, 2 for what begins a name, 4 for what goes on with it, 8 for any other character. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === space || byte === tab || byte === lineFeed || byte === carriageReturn) return 1;
  if (byte < space) return 0;
  const letter = String.fromCharCode(byte);
  return /[A-Za-z_]/.test(letter) ? 2 | 4 : /[\d.-]/.test(letter) ? 4 : 8;
});

const declaration = /^<\?xml version="1\.0"(?: encoding="[A-Za-z][\w.-]*")?(?: standalone="(?:yes|no)")?[ \t\r\n]*\?>/;
/** Namespaces that may not be declared as any other. */
const reserved = /^$|[&<]|www\.w3\.org\/(?:XML\/1998|2000\/xmlns)/;

/**
 * Attributes of a tag, and prefixes that are declared at a time, which plain XML has at most: each is held against all others. Word and
 * LibreOffice declare some 40 prefixes in a root; this was chosen far above that.
 */
const mostNames = 200;

/**
 * Whether a part is well-formed XML of the plain kind that office programs write: ASCII names, no comments, CDATA sections or document
 * types. It is much faster than a whole parser, which must look at what this one does not accept.
 */
export function isPlainXml(data: Buffer, nesting: number): boolean {
  return new PlainXml(data, nesting).isWhole();
}

class PlainXml {
  readonly #bytes: Buffer;
  readonly #nesting: number;
  /** Where the names of open elements stand, and how many prefixes were known before each. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #known: number[] = [];
  /** Where declared prefixes stand; the first one is that of XML itself. */
  readonly #prefixes: { start: number; length: number }[] = [];
  /** The names of the attributes of a tag, and where their local parts begin. */
  readonly #names: { start: number; local: number; end: number }[] = [];
  #at = 0;

  constructor(bytes: Buffer, nesting: number) {
    this.#bytes = bytes;
    this.#nesting = nesting;
  }

  isWhole(): boolean {
    const bytes = this.#bytes;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.#at = 3;
    this.#at += declaration.exec(bytes.toString('latin1', this.#at, this.#at + 200))?.[0].length ?? 0;
    this.#white();
    if (bytes[this.#at] !== lessThan || !this.#startTag()) return false;
    while (this.#starts.length > 0) {
      if (!this.#text()) return false;
      if (!(bytes[this.#at + 1] === slash ? this.#endTag() : this.#startTag())) return false;
    }
    this.#white();
    return this.#at === bytes.length;
  }

  #white(): void {
    while (kinds[this.#bytes[this.#at] ?? 0] === 1) this.#at++;
  }

  /** Goes to the next tag; false when what stands before it is no plain text. */
  #text(): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    for (; ; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === lessThan) break;
      if (byte === ampersand) {
        const end = this.#reference(at);
        if (end < 0) return false;
        at = end;
      } else if (kinds[byte] === 0 || (byte === 0xef && !this.#isCharacter(at))) return false;
      else if (byte === bracket && bytes[at + 1] === bracket) return false;
    }
    this.#at = at;
    return true;
  }

  /** Two characters of Unicode are none of XML. */
  #isCharacter(at: number): boolean {
    return this.#bytes[at + 1] !== 0xbf || (this.#bytes[at + 2] ?? 0) < 0xbe;
  }

  /** The end of a reference to a character; -1 when it is none, or one that XML does not know. */
  #reference(from: number): number {
    const bytes = this.#bytes;
    let end = from + 1;
    while (end < from + 10 && bytes[end] !== semicolon) end++;
    if (bytes[end] !== semicolon) return -1;
    const name = bytes.toString('latin1', from + 1, end);
    if (bytes[from + 1] !== numberSign) return /^(?:amp|lt|gt|quot|apos)$/.test(name) ? end : -1;
    const digits = /^#(?:(\d+)|x([\da-fA-F]+))$/.exec(name);
    const code = digits?.[1] ? Number.parseInt(digits[1], 10) : Number.parseInt(digits?.[2] ?? '', 16);
    const isCharacter =
      code === tab ||
      code === lineFeed ||
      code === carriageReturn ||
      (code >= space && code < 0xd800) ||
      (code >= 0xe000 && code < 0xfffe) ||
      (code >= 0x10000 && code <= 0x10ffff);
    return isCharacter ? end : -1;
  }

  /** The end of a name at `from`; `from` where none stands. */
  #name(from: number): number {
    const bytes = this.#bytes;
    if (((kinds[bytes[from] ?? 0] ?? 0) & 2) === 0) return from;
    let at = from + 1;
    while (((kinds[bytes[at] ?? 0] ?? 0) & 4) !== 0) at++;
    return at;
  }

  #isSame(left: number, right: number, length: number): boolean {
    const bytes = this.#bytes;
    for (let index = 0; index < length; index++) if (bytes[left + index] !== bytes[right + index]) return false;
    return true;
  }

  #endTag(): boolean {
    const length = this.#lengths.pop() ?? 0;
    const start = this.#starts.pop() ?? 0;
    const from = this.#at + 2;
    if (!this.#isSame(start, from, length)) return false;
    this.#at = from + length;
    this.#white();
    if (this.#bytes[this.#at] !== greaterThan) return false;
    this.#at++;
    this.#prefixes.length = this.#known.pop() ?? 0;
    return true;
  }

  /** Reads a name with or without a prefix at `from`; false when none stands there. */
  #qualified(from: number): boolean {
    const name = this.#found;
    name.start = from;
    name.local = from;
    name.end = this.#name(from);
    if (name.end === from) return false;
    if (this.#bytes[name.end] !== colon) return true;
    name.local = name.end + 1;
    name.end = this.#name(name.local);
    return name.end !== name.local;
  }

  /** The name that was read last. */
  readonly #found = { start: 0, local: 0, end: 0 };

  #startTag(): boolean {
    const bytes = this.#bytes;
    if (!this.#qualified(this.#at + 1)) return false;
    const { start, local, end } = this.#found;
    const known = this.#prefixes.length;
    this.#at = end;
    if (!this.#attributes()) return false;
    const isReserved = local > start && bytes.toString('latin1', start, start + 3) === 'xml';
    if (isReserved || !this.#isDeclared({ start, local }) || !this.#names.every((name) => this.#isDeclared(name)))
      return false;
    if (this.#starts.length >= this.#nesting) return false;
    if (bytes[this.#at] === slash) {
      if (bytes[this.#at + 1] !== greaterThan) return false;
      this.#at += 2;
      this.#prefixes.length = known;
      return true;
    }
    this.#at++;
    this.#starts.push(start);
    this.#lengths.push(end - start);
    this.#known.push(known);
    return true;
  }

  /** Reads the attributes of a tag, up to its last byte or its last but one. */
  #attributes(): boolean {
    this.#names.length = 0;
    for (;;) {
      const before = this.#at;
      this.#white();
      const byte = this.#bytes[this.#at];
      if (byte === greaterThan || byte === slash) return true;
      if (this.#at === before || !this.#attribute()) return false;
    }
  }

  /** Whether a name has no prefix, or one that is declared. */
  #isDeclared({ start, local }: { start: number; local: number }): boolean {
    return local === start || this.#isKnown(start, local - 1 - start);
  }

  #isKnown(start: number, length: number): boolean {
    for (let index = this.#prefixes.length - 1; index >= 0; index--) {
      const prefix = this.#prefixes[index];
      if (prefix && prefix.length === length && this.#isSame(prefix.start, start, length)) return true;
    }
    const name = this.#bytes.toString('latin1', start, start + length);
    return name === 'xml' || name === 'xmlns';
  }

  #attribute(): boolean {
    const bytes = this.#bytes;
    if (!this.#qualified(this.#at)) return false;
    const { start, local, end } = this.#found;
    for (const other of this.#names) {
      const isSameKind = other.local > other.start === local > start;
      if (isSameKind && other.end - other.local === end - local && this.#isSame(other.local, local, end - local))
        return false;
    }
    if (this.#names.length >= mostNames || this.#prefixes.length >= mostNames) return false;
    this.#names.push({ start, local, end });
    const at = this.#value(end);
    if (at < 0) return false;
    this.#at = at + 1;
    const isDeclaration = local - start === 6 ? bytes.toString('latin1', start, local) === 'xmlns:' : false;
    if (!isDeclaration && !(end - start === 5 && bytes.toString('latin1', start, end) === 'xmlns')) return true;
    if (reserved.test(bytes.toString('latin1', end + 2, at))) return false;
    if (!isDeclaration) return true;
    this.#prefixes.push({ start: local, length: end - local });
    return !/^xml/i.test(bytes.toString('latin1', local, end));
  }

  /** Where the value of an attribute ends whose name ends at `from`; -1 when there is none, or not a plain one. */
  #value(from: number): number {
    const bytes = this.#bytes;
    const mark = bytes[from + 1] ?? 0;
    if (bytes[from] !== equals || (mark !== quote && mark !== apostrophe)) return -1;
    let at = from + 2;
    for (; bytes[at] !== mark; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === ampersand) {
        at = this.#reference(at);
        if (at < 0) return -1;
      } else if (byte === lessThan || kinds[byte] === 0 || (byte === 0xef && !this.#isCharacter(at))) return -1;
    }
    return at;
  }
}
