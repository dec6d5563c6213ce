import { Buffer } from '../../host/bytes';
import { Inflating } from '../../host/packing';
import type { Envelope } from './carried';
import { byteOf } from './codepage';

/** Takes bytes, one stretch after another, out of what carried them; `isOver` once what ends them was seen. */
export interface Unpacker {
  next(bytes: Buffer): Buffer;
  /** What was held back until it was known that nothing follows. */
  end(): Buffer;
  readonly isOver: boolean;
}

/** Letters of base64 four by four; anything else between them is passed over, and what fills up the last ones ends them. */
export class Base64 implements Unpacker {
  #held = '';
  isOver = false;

  next(bytes: Buffer): Buffer {
    if (this.isOver) return Buffer.alloc(0);
    // JSON may write a slash behind another one (RFC 8259, 7).
    const text = this.#held + bytes.toString('latin1').replace(/[\r\n\t \\]/g, '');
    const stop = /[^A-Za-z0-9+/_-]/.exec(text)?.index ?? -1;
    this.isOver = stop >= 0;
    const letters = this.isOver ? text.slice(0, stop) : text.slice(0, text.length - (text.length % 4));
    this.#held = this.isOver ? '' : text.slice(letters.length);
    return Buffer.from(letters, 'base64');
  }

  /** The last letters, where nothing fills them up to four. */
  end(): Buffer {
    return Buffer.from(this.#held, 'base64');
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

/** Pairs of hexadecimal digits; anything but blanks between them ends them. */
export class Digits implements Unpacker {
  #held = '';
  isOver = false;

  next(bytes: Buffer): Buffer {
    if (this.isOver) return Buffer.alloc(0);
    const text = this.#held + bytes.toString('latin1').replace(/\s/g, '');
    const stop = /[^0-9A-Fa-f]/.exec(text)?.index ?? -1;
    this.isOver = stop >= 0;
    const digits = stop >= 0 ? text.slice(0, stop) : text;
    const length = digits.length - (digits.length % 2);
    this.#held = digits.slice(length);
    return Buffer.from(digits.slice(0, length), 'hex');
  }

  end(): Buffer {
    return Buffer.alloc(0);
  }
}

/** Letters of a line at most, with room for what mail programs put behind it. */
const longestLine = 128;

/** Lines of up to 45 bytes (POSIX.1-2017, uuencode): how many they are, and four letters for three of them. */
export class Lines implements Unpacker {
  #held = '';
  isOver = false;

  next(bytes: Buffer): Buffer {
    if (this.isOver) return Buffer.alloc(0);
    const lines = (this.#held + bytes.toString('latin1')).split('\n');
    this.#held = lines.pop() ?? '';
    this.isOver = this.#held.length > longestLine;
    return Buffer.concat(lines.map((line) => this.#line(line)));
  }

  end(): Buffer {
    return this.#line(this.#held);
  }

  #line(line: string): Buffer {
    this.isOver ||= line.length > longestLine;
    if (this.isOver) return Buffer.alloc(0);
    const [first, ...letters] = Array.from(line.replace(/\r$/, ''), (letter) => (letter.charCodeAt(0) - 32) & 63);
    this.isOver ||= !first;
    if (this.isOver || !first) return Buffer.alloc(0);
    const out = Buffer.alloc(Math.ceil(letters.length / 4) * 3);
    for (let at = 0; at * 4 < letters.length; at++) {
      const [a = 0, b = 0, c = 0, d = 0] = letters.slice(at * 4, at * 4 + 4);
      out.set([(a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d], at * 3);
    }
    return out.subarray(0, first);
  }
}

/** Letters of two bytes, each of which was one; what stands for none is left out. */
export class Pairs implements Unpacker {
  readonly #isLittle: boolean;
  #held: Buffer = Buffer.alloc(0);
  readonly isOver = false;

  constructor(isLittle: boolean) {
    this.#isLittle = isLittle;
  }

  next(bytes: Buffer): Buffer {
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const out = Buffer.allocUnsafe(all.length >> 1);
    let length = 0;
    for (let at = 0; at + 1 < all.length; at += 2) {
      const byte = byteOf(this.#isLittle ? all.readUInt16LE(at) : all.readUInt16BE(at));
      if (byte !== null) out[length++] = byte;
    }
    this.#held = Buffer.from(all.subarray(all.length - (all.length % 2)));
    return out.subarray(0, length);
  }

  end(): Buffer {
    return Buffer.alloc(0);
  }
}

/** Packed data (RFC 1951, or RFC 1952 with its head) as far as it can be unpacked. */
class Packed implements Unpacker {
  readonly #inflating: Inflating;

  constructor(kind: 'gzip' | 'deflated') {
    this.#inflating = new Inflating(kind === 'gzip');
  }

  get isOver(): boolean {
    return this.#inflating.isOver;
  }

  next(bytes: Buffer): Buffer {
    return this.#inflating.next(bytes);
  }

  end(): Buffer {
    return this.#inflating.end();
  }
}

/** Takes stretches out of what carried them; null for those that are as they were. */
export function unpackerFor({ encoding, boundary }: Envelope): Unpacker | null {
  switch (encoding) {
    case 'base64':
      return new Base64();
    case 'quoted':
      return new Quoted(boundary);
    case 'chunked':
      return new Chunks();
    case 'hex':
      return new Digits();
    case 'uuencode':
      return new Lines();
    case 'utf16le':
    case 'utf16be':
      return new Pairs(encoding === 'utf16le');
    case 'gzip':
    case 'deflated':
      return new Packed(encoding);
    default:
      return null;
  }
}

/** Bytes that are unpacked at a time: packed ones may become a thousand times as many. */
export const stretchOf = ({ encoding }: Envelope): number =>
  encoding === 'gzip' || encoding === 'deflated' ? 1 << 14 : 1 << 18;

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

  end(): Buffer {
    return this.#isBroken || this.isOver ? Buffer.alloc(0) : this.#held;
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
