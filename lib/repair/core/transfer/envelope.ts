import { Buffer } from '../../host/bytes';

/** How the bytes of a file lie in what carried it: as they are, in chunks (RFC 9112, 7.1), as base64 or quoted-printable text (RFC 2045, 6.7 and 6.8). */
export type Encoding = 'plain' | 'chunked' | 'base64' | 'quoted';

/** What a transfer put around a file: where its bytes begin, how they are written, how many they are where that is told, and what ends them. */
export type Envelope = { from: number; encoding: Encoding; length: number | null; boundary: string | null };

/** Bytes of the heads of a message at most, of its parts as well. */
export const mostHead = 65_536;
/** Parts of a message that are looked at. */
const mostParts = 20;

const statusLine = /^HTTP\/1\.[01] \d{3}[^\r\n]*\r?\n/;
const fieldLine = /^[A-Za-z][A-Za-z0-9-]{1,60}:[ \t]*[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n/;
/** Names of fields without which lines with colons are no head of a transfer. */
const telling =
  /^(?:content-type|content-transfer-encoding|content-disposition|content-length|mime-version|transfer-encoding)$/;

type Head = { fields: Map<string, string>; end: number };

/** The fields of a head that begins at `at` (RFC 5322, 2.2; RFC 9112, 5) and where its body begins; null where none does. */
function headAt(text: string, at: number): Head | null {
  const fields = new Map<string, string>();
  let place = at + (statusLine.exec(text.slice(at, at + 512))?.[0].length ?? 0);
  for (let field = fieldLine.exec(text.slice(place)); field; field = fieldLine.exec(text.slice(place))) {
    const [line] = field;
    const colon = line.indexOf(':');
    fields.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    place += line.length;
  }
  const blank = /^\r?\n/.exec(text.slice(place, place + 2));
  return blank && [...fields.keys()].some((name) => telling.test(name))
    ? { fields, end: place + blank[0].length }
    : null;
}

const boundaryOf = (type: string) => /^multipart\/.*;\s*boundary="?([^";]{1,70})"?/is.exec(type)?.[1] ?? null;

function encodingOf({ fields }: Head): Encoding {
  const told = (fields.get('content-transfer-encoding') ?? '').toLowerCase();
  if (told === 'base64') return 'base64';
  if (told === 'quoted-printable') return 'quoted';
  return /\bchunked\b/i.test(fields.get('transfer-encoding') ?? '') ? 'chunked' : 'plain';
}

/** The part of a message that is a file rather than its text: the first one that is no text. */
function partOf(text: string, from: number, boundary: string): Envelope | null {
  const mark = `--${boundary}`;
  let at = text.indexOf(mark, from);
  for (let part = 0; at >= 0 && part < mostParts; part++) {
    const line = text.indexOf('\n', at + mark.length);
    const head = line < 0 ? null : headAt(text, line + 1);
    const type = head?.fields.get('content-type') ?? '';
    const inner = boundaryOf(type);
    if (head && inner) return partOf(text, head.end, inner);
    if (head && !/^text\//i.test(type)) return { from: head.end, encoding: encodingOf(head), length: null, boundary };
    at = text.indexOf(mark, at + mark.length);
  }
  return null;
}

/** Letters of base64 in lines, as a whole message of nothing else begins. */
const nothingElse = /^(?:[A-Za-z0-9+/]{60,76}\r?\n){8}/;

/** What a transfer put around a file that begins so; null for a file that begins with its own bytes. */
export function envelopeOf(bytes: Buffer): Envelope | null {
  const text = Buffer.from(bytes.subarray(0, mostHead)).toString('latin1');
  if (nothingElse.test(text)) return { from: 0, encoding: 'base64', length: null, boundary: null };
  const form = /^--([^\r\n]{1,70})\r?\n/.exec(text)?.[1];
  if (form) return partOf(text, 0, form);
  const head = headAt(text, 0);
  if (!head) return null;
  const boundary = boundaryOf(head.fields.get('content-type') ?? '');
  if (boundary) return partOf(text, head.end, boundary);
  const length = Number(head.fields.get('content-length') ?? Number.NaN);
  const encoding = encodingOf(head);
  return { from: head.end, encoding, length: encoding === 'plain' && length > 0 ? length : null, boundary: null };
}

/** Where the bytes of a file end that lie in what carried it as they are; `find` is the place of a mark from one on, or less than 0. */
export function plainEnd(
  { from, length, boundary }: Envelope,
  size: number,
  find: (mark: Buffer, from: number) => number,
): number {
  const mark = boundary === null ? -1 : find(Buffer.from(`\r\n--${boundary}`, 'latin1'), from);
  if (mark >= 0) return mark;
  return length === null ? size : Math.min(size, from + length);
}

/** Takes bytes, one stretch after another, out of what carried them; `isOver` once what ends them was seen. */
export interface Unpacker {
  next(bytes: Buffer): Buffer;
  readonly isOver: boolean;
}

/** Letters of base64 four by four; anything else between them is passed over, and what fills up the last ones ends them. */
export class Base64 implements Unpacker {
  #held = '';
  isOver = false;

  next(bytes: Buffer): Buffer {
    if (this.isOver) return Buffer.alloc(0);
    const text = this.#held + bytes.toString('latin1').replace(/[\r\n\t ]/g, '');
    const stop = /[^A-Za-z0-9+/]/.exec(text)?.index ?? -1;
    this.isOver = stop >= 0;
    const letters = this.isOver ? text.slice(0, stop) : text.slice(0, text.length - (text.length % 4));
    this.#held = this.isOver ? '' : text.slice(letters.length);
    return Buffer.from(letters, 'base64');
  }
}

/** Bytes as =XX, soft ends of lines taken out; the boundary of the message ends them. */
export class Quoted implements Unpacker {
  readonly #end: string | null;
  #held = '';
  isOver = false;

  constructor(boundary: string | null) {
    this.#end = boundary === null ? null : `\r\n--${boundary}`;
  }

  next(bytes: Buffer): Buffer {
    if (this.isOver) return Buffer.alloc(0);
    let text = this.#held + bytes.toString('latin1');
    const stop = this.#end === null ? -1 : text.indexOf(this.#end);
    this.isOver = stop >= 0;
    if (this.isOver) text = text.slice(0, stop);
    const keep = this.isOver ? 0 : Math.max(3, this.#end?.length ?? 0);
    const cut = Math.max(0, text.length - keep);
    const split = text.lastIndexOf('=', cut) > cut - 3 ? text.lastIndexOf('=', cut) : cut;
    const end = this.isOver ? text.length : Math.max(0, split);
    this.#held = text.slice(end);
    return decoded(text.slice(0, end));
  }

  /** What was held back, without the end of the last line. */
  end(): Buffer {
    return this.isOver ? Buffer.alloc(0) : decoded(this.#held.replace(/\r?\n$/, ''));
  }
}

const decoded = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Takes stretches out of what carried them; null for those that are as they were. */
export function unpackerFor({ encoding, boundary }: Envelope): Unpacker | null {
  if (encoding === 'base64') return new Base64();
  if (encoding === 'quoted') return new Quoted(boundary);
  return encoding === 'chunked' ? new Chunks() : null;
}

/** Longest line with the size of a chunk, in bytes: sixteen digits, an extension, and its end. */
const longestSize = 256;

/** The content of chunks one behind the other; where a size cannot be read, the rest is taken as it is. */
export class Chunks implements Unpacker {
  #left = 0;
  #held: Buffer = Buffer.alloc(0);
  #isBroken = false;
  isOver = false;

  next(bytes: Buffer): Buffer {
    if (this.isOver) return Buffer.alloc(0);
    if (this.#isBroken) return bytes;
    const out: Buffer[] = [];
    let rest = Buffer.concat([this.#held, bytes]);
    this.#held = Buffer.alloc(0);
    while (rest.length > 0 && !this.isOver) {
      if (this.#left > 0) {
        const taken = rest.subarray(0, this.#left);
        out.push(taken);
        this.#left -= taken.length;
        rest = rest.subarray(taken.length);
        continue;
      }
      const size = this.#sizeIn(rest);
      if (size === null) {
        if (this.#isBroken) out.push(rest);
        else this.#held = Buffer.from(rest);
        break;
      }
      rest = rest.subarray(size);
    }
    return Buffer.concat(out);
  }

  /** Reads the line with the size of the next chunk; its bytes, or null where it is not there yet, or is none. */
  #sizeIn(rest: Buffer): number | null {
    const line = /^(?:\r?\n)?([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n/.exec(rest.toString('latin1', 0, longestSize));
    if (!line) {
      this.#isBroken = rest.length >= longestSize;
      return null;
    }
    this.#left = Number.parseInt(line[1] ?? '0', 16);
    this.isOver = this.#left === 0;
    return line[0].length;
  }
}
