import { Buffer } from '../../host/bytes';
/** What an LZW strip gave (TIFF 6.0, section 13): its bytes, where its codes end in the input, whether all of them made sense, and whether the end code came. */
export type LzwResult = {
  data: Buffer;
  end: number;
  complete: boolean;
  ended: boolean;
  /** Bytes that came before the first code that cannot be; -1 without one. */
  spoilt: number;
};

/** Bytes that may stand between the last code of a full strip and its end: the end code, a clear code before it, and padding. */
const slack = 8;

/** Bytes that are set aside for a strip at first. */
const firstRoom = 1 << 16;

/**
 * Decodes one LZW strip, most significant bits first, tolerating a cut end. At most `most` bytes come out. Codes keep in step behind a
 * wrong one, as their width depends on their number alone: where the strip has its own end, a code that cannot be stands for the last string.
 */
export function decodeLzw(source: Buffer, start: number, most: number): LzwResult {
  // Most strips are far smaller than the most that is allowed, and there may be thousands of them.
  let output = Buffer.allocUnsafe(Math.min(most, firstRoom));
  const prefix = new Uint16Array(4097);
  const suffix = new Uint8Array(4097);
  const lengths = new Uint16Array(4097);
  for (let code = 0; code < 256; code++) {
    suffix[code] = code;
    lengths[code] = 1;
  }
  let length = 0;
  let next = 258;
  let width = 9;
  let previous = -1;
  let bits = 0;
  let count = 0;
  let at = start;
  let bad = 0;
  let spoilt = -1;
  // The end of what is searched in a whole file is not known, so there the first wrong code ends the strip.
  const bounded = start === 0;
  while (length < most) {
    while (count < width && at < source.length) {
      bits = ((bits << 8) | (source[at++] ?? 0)) & 0xffffff;
      count += 8;
    }
    if (count < width) return { data: output.subarray(0, length), end: at, complete: false, ended: false, spoilt };
    count -= width;
    let code = (bits >> count) & ((1 << width) - 1);
    if (code === 257 && (!bounded || source.length - at <= slack || bad === 0))
      return { data: output.subarray(0, length), end: at, complete: bad === 0, ended: true, spoilt };
    if (code === 256) {
      next = 258;
      width = 9;
      previous = -1;
      continue;
    }
    if (code > next || code === 257 || (previous < 0 && code > 255)) {
      if (!bounded) return { data: output.subarray(0, length), end: at, complete: false, ended: false, spoilt };
      if (bad++ === 0) spoilt = length;
      code = Math.max(0, previous);
    }
    const known = previous < 0 || code < next;
    const size = known ? (lengths[code] ?? 0) : (lengths[previous] ?? 0) + 1;
    const end = Math.min(most, length + size);
    if (end > output.length) output = Buffer.concat([output], Math.min(most, Math.max(end, output.length * 2)));
    let walk = known ? code : previous;
    for (let place = length + (known ? size : size - 1) - 1; place >= length; place--) {
      if (place < most) output[place] = suffix[walk] ?? 0;
      walk = prefix[walk] ?? 0;
    }
    const first = output[length] ?? 0;
    if (!known && length + size - 1 < most) output[length + size - 1] = first;
    length = end;
    if (previous >= 0 && next < 4096) {
      prefix[next] = previous;
      suffix[next] = first;
      lengths[next] = (lengths[previous] ?? 0) + 1;
      next++;
    }
    previous = code;
    width = next >= 2047 ? 12 : next >= 1023 ? 11 : next >= 511 ? 10 : 9;
  }
  // A strip that is full ends with the end code, which a clear code may precede; much more data means that codes were misread.
  const whole = bad === 0 && (source.length - at <= slack || !bounded);
  return { data: output.subarray(0, length), end: at, complete: whole, ended: false, spoilt };
}

/** Decodes PackBits (section 9). */
export function decodePackBits(source: Buffer, most: number): Buffer {
  // Two bytes give 128 at most.
  const output = Buffer.alloc(Math.min(most, source.length * 64 + 128));
  let length = 0;
  for (let at = 0; at < source.length && length < most; ) {
    const head = source.readInt8(at++);
    if (head >= 0) {
      const piece = source.subarray(at, Math.min(at + head + 1, at + most - length));
      piece.copy(output, length);
      length += piece.length;
      at += head + 1;
    } else if (head !== -128) {
      const end = Math.min(most, length + 1 - head);
      output.fill(source[at++] ?? 0, length, end);
      length = end;
    }
  }
  return output.subarray(0, length);
}

/** Where PackBits data that gives `wanted` bytes ends, if it gives exactly as many; -1 otherwise. */
export function packBitsEnd(source: Buffer, start: number, wanted: number): number {
  let [at, length] = [start, 0];
  while (length < wanted && at < source.length) {
    const head = source.readInt8(at);
    if (head >= 0) at += head + 2;
    else at += head === -128 ? 1 : 2;
    length += head >= 0 ? head + 1 : head === -128 ? 0 : 1 - head;
  }
  return length === wanted ? at : -1;
}
