import { notePlace } from '../../core/flips/follow';
import { Buffer } from '../../host/bytes';

/** Bytes of an instruction and of a name that programs write. */
const mostInstruction = 300;
const mostName = 80;

/** Element names that are open, innermost first. */
export type Open = { name: string; parent: Open | null; depth: number } | null;

/** A place outside of any tag, and what is open there. */
export type Sync = { at: number; open: Open };

/** What parts of the document that are in order look like: names of elements and attributes, and which elements hold text. */
export type Vocabulary = { elements: Set<string>; attributes: Set<string>; textual: Set<string> };

export const emptyVocabulary = (): Vocabulary => ({ elements: new Set(), attributes: new Set(), textual: new Set() });

const [lessThan, greaterThan, slash, quote, apostrophe, ampersand, semicolon] = [
  0x3c, 0x3e, 0x2f, 0x22, 0x27, 0x26, 0x3b,
];
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isName = (byte: number) =>
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x30 && byte <= 0x3a) ||
  byte === 0x5f ||
  byte === 0x2d ||
  byte === 0x2e;

/** Characters of the addresses that name vocabularies (RFC 3986, 2). */
const isAddress = (byte: number) => isName(byte) || byte === slash || byte === 0x23;
/** No attribute of an office document is longer, in bytes. */
const longestValue = 4096;

/** Bytes of a character of UTF-8 by its first one; 0 where none begins so (RFC 3629, 3). */
const utf8Lengths = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  if (byte >= 0xe0 && byte < 0xf0) return 3;
  return byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
});

/** Names by the sum of their letters, and how many are kept: hostile parts make up new ones without end. */
const names = new Map<number, string>();
const mostNames = 2000;

function isWritten(name: string, bytes: Uint8Array, from: number): boolean {
  for (let index = 0; index < name.length; index++) if (name.charCodeAt(index) !== bytes[from + index]) return false;
  return true;
}

/** A fault is told by the offset at which it shows. */
class Fault {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
}

/** Elements inside each other down to here have no document, but a part that lost end tags has. */
const deepest = 256;

function opened(name: string, parent: Open, at: number): Open {
  const depth = (parent?.depth ?? 0) + 1;
  if (depth > deepest) throw new Fault(at);
  return { name, parent, depth };
}

/**
 * Reads XML of an office part strictly and by what its own vocabulary allows, to find where it first goes wrong: much stricter than XML
 * itself, so that damage shows within a few bytes. With `learn`, new names are taken into the vocabulary instead of being faults.
 */
export class PartScanner {
  readonly #bytes: Uint8Array;
  readonly #known: Vocabulary;
  readonly #learn: boolean;
  #end = 0;

  constructor(bytes: Uint8Array, known: Vocabulary, learn: boolean) {
    this.#bytes = bytes;
    this.#known = known;
    this.#learn = learn;
  }

  /** Offset of the first fault between `from` and `end`, or `end`; `syncs` collects places to begin again at. */
  fault(from: Sync, end: number, syncs?: Sync[]): number {
    this.#end = end;
    let { at, open } = from;
    try {
      while (at < end) {
        if (syncs) notePlace(syncs, { at, open });
        at = this.#text(at, open);
        if (at >= end) return end;
        const next = this.#bytes[at + 1] ?? 0;
        if (next === 0x3f) at = this.#instruction(at);
        else if (next === slash) {
          const name = this.#name(at + 2);
          const stop = at + 2 + name.length;
          if (stop >= end) return end;
          if (open === null || name !== open.name || this.#bytes[stop] !== greaterThan) throw new Fault(at + 2);
          open = open.parent;
          at = stop + 1;
        } else ({ at, open } = this.#startTag(at, open));
      }
      return end;
    } catch (error) {
      if (error instanceof Fault) return Math.min(error.at, end);
      throw error;
    }
  }

  #text(from: number, open: Open): number {
    const bytes = this.#bytes;
    let isBlank = true;
    let at = from;
    for (; at < this.#end && bytes[at] !== lessThan; at++) {
      const byte = bytes[at] ?? 0;
      if (isSpace(byte)) continue;
      if (isBlank) {
        isBlank = false;
        if (open === null) {
          // A byte order mark may come first.
          if (at > 2 || (byte !== 0xef && byte !== 0xbb && byte !== 0xbf)) throw new Fault(at);
        } else if (this.#learn) this.#known.textual.add(open.name);
        else if (!this.#known.textual.has(open.name)) throw new Fault(at);
      }
      at += this.#character(at, byte) - 1;
    }
    return at;
  }

  /** Length of the character or reference at `at`, in bytes; a fault when it is none. */
  #character(at: number, byte: number): number {
    if (byte === ampersand) return this.#reference(at);
    if (byte < 0x80) {
      if (byte < 0x20 || byte === 0x7f || byte === greaterThan) throw new Fault(at);
      return 1;
    }
    const length = utf8Lengths[byte] ?? 0;
    if (length === 0) throw new Fault(at);
    for (let index = 1; index < length; index++) {
      if (at + index >= this.#end) return index;
      if (((this.#bytes[at + index] ?? 0) & 0xc0) !== 0x80) throw new Fault(at);
    }
    return length;
  }

  #reference(at: number): number {
    const bytes = this.#bytes;
    let end = at + 1;
    while (end < at + 10 && end < this.#end && bytes[end] !== semicolon) end++;
    if (end >= this.#end) return this.#end - at;
    const word = Buffer.from(bytes.buffer, bytes.byteOffset + at + 1, end - at - 1).toString('latin1');
    if (!/^(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6})$/.test(word)) throw new Fault(at);
    return end - at + 1;
  }

  #instruction(from: number): number {
    for (let at = from + 2; at < this.#end; at++) {
      const byte = this.#bytes[at] ?? 0;
      if (byte < 0x20 || byte > 0x7e || at - from > mostInstruction) throw new Fault(at);
      if (byte === greaterThan) {
        if (this.#bytes[at - 1] !== 0x3f) throw new Fault(at);
        return at + 1;
      }
    }
    return this.#end;
  }

  #name(from: number): string {
    const bytes = this.#bytes;
    let at = from;
    let hash = 0;
    for (; at < this.#end && at - from < mostName; at++) {
      const byte = bytes[at] ?? 0;
      if (!isName(byte)) break;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    // The same few names come again and again, and making a string of each takes most of the time.
    const known = names.get(hash);
    if (known && known.length === at - from && isWritten(known, bytes, from)) return known;
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + from, at - from).toString('latin1');
    if (names.size < mostNames) names.set(hash, name);
    return name;
  }

  #startTag(from: number, open: Open): Sync {
    const name = this.#name(from + 1);
    let at = from + 1 + name.length;
    if (at >= this.#end) return { at: this.#end, open };
    this.#meet(name, this.#known.elements, from + 1);
    for (;;) {
      const next = this.#space(at);
      if (next >= this.#end) return { at: this.#end, open };
      const byte = this.#bytes[next] ?? 0;
      if (byte === greaterThan) return { at: next + 1, open: opened(name, open, next) };
      if (byte === slash) {
        if (next + 1 >= this.#end) return { at: this.#end, open };
        if (this.#bytes[next + 1] !== greaterThan) throw new Fault(next);
        return { at: next + 2, open };
      }
      if (next === at) throw new Fault(next);
      at = this.#attribute(next);
      if (at >= this.#end) return { at: this.#end, open };
    }
  }

  /** The first place from `from` on that holds no white space. */
  #space(from: number): number {
    let at = from;
    while (at < this.#end && isSpace(this.#bytes[at] ?? 0)) at++;
    return at;
  }

  /** Takes a name into the vocabulary, or holds it to be a fault where it is not among the known ones. */
  #meet(name: string, known: Set<string>, at: number): void {
    if (name === '' || (!this.#learn && !known.has(name))) throw new Fault(at);
    if (this.#learn) known.add(name);
  }

  #attribute(from: number): number {
    const bytes = this.#bytes;
    const name = this.#name(from);
    let at = from + name.length;
    if (at + 1 >= this.#end) return this.#end;
    if (name === '' || (!this.#learn && !this.#known.attributes.has(name))) throw new Fault(from);
    const mark = bytes[at + 1];
    if (bytes[at] !== 0x3d || (mark !== quote && mark !== apostrophe)) throw new Fault(at);
    if (this.#learn) this.#known.attributes.add(name);
    at += 2;
    const isNamespace = name.startsWith('xmlns');
    const first = at;
    while (at < this.#end && bytes[at] !== mark) {
      const byte = bytes[at] ?? 0;
      if (byte === lessThan || at - first > longestValue || (isNamespace && !isAddress(byte))) throw new Fault(at);
      at += isSpace(byte) || byte === greaterThan ? 1 : this.#character(at, byte);
    }
    return Math.min(this.#end, at + 1);
  }
}
