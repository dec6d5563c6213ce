import type { Buffer } from '../host/bytes';
import type { Effort } from '../report';

/**
 * Codes of coefficients (SMPTE RDD 36, 7.1.1): the order of the Rice code in the upper three bits, that of the exponential Golomb code in
 * the next three, and the longest prefix of the former in the last two. `runs`, `levels` and `steps` (of DC) go by the value before.
 */
const codes = {
  first: 0xb8,
  steps: [0x04, 0x28, 0x28, 0x4d, 0x4d, 0x70, 0x70],
  runs: [0x06, 0x06, 0x05, 0x05, 0x04, 0x29, 0x29, 0x29, 0x29, 0x28, 0x28, 0x28, 0x28, 0x28, 0x28, 0x4c],
  levels: [0x04, 0x0a, 0x05, 0x06, 0x04, 0x28, 0x28, 0x28, 0x28, 0x4c],
};
const codeBefore = { step: 5, run: 4, level: 2 };

/** Bits behind the zeroes of a code that can be read at once, and zeroes behind the last code that fill a plane up. */
const mostBits = 24;
const mostFilling = 25;
/** Coefficients of a block. */
const coefficients = 64;
/** Least bytes of a frame's head, and of a picture's (5.1.1, 5.2.1). */
const leastHead = 20;
const leastPictureHead = 8;
/** Smallest index of a quantiser is 1, largest 224 (5.3.1). */
const mostQuantiser = 224;

/** Reads codes; beyond the end all is zero, and `at` tells. */
class CodeReader {
  readonly #bytes: Buffer;
  readonly end: number;
  at: number;

  constructor(bytes: Buffer, from: number, to: number) {
    this.#bytes = bytes;
    this.at = from * 8;
    this.end = to * 8;
  }

  /** The next 25 bits or more. */
  #word(at: number): number {
    const bytes = this.#bytes;
    const byte = at >> 3;
    const head = ((bytes[byte] ?? 0) << 24) | ((bytes[byte + 1] ?? 0) << 16);
    return ((head | ((bytes[byte + 2] ?? 0) << 8) | (bytes[byte + 3] ?? 0)) << (at & 7)) >>> 0;
  }

  take(count: number): number {
    const value = count === 0 ? 0 : this.#peek(count);
    this.at += count;
    return value;
  }

  /** A value; -1 where no encoder writes such. */
  code(code: number): number {
    const zeroes = Math.clz32(this.#word(this.at));
    const [rice, golomb, last] = [code >> 5, (code >> 2) & 7, code & 3];
    if (zeroes <= last) {
      this.at += zeroes + 1;
      return (zeroes << rice) + this.take(rice);
    }
    const bits = golomb - last + zeroes;
    if (bits > mostBits) return -1;
    this.at += zeroes;
    return this.take(bits) - (1 << golomb) + ((last + 1) << rice);
  }

  #peek(count: number): number {
    return this.#word(this.at) >>> (32 - count);
  }

  /** Whether nothing but the zeroes that fill the last byte is left. */
  get isDone(): boolean {
    const left = this.end - this.at;
    return left <= 0 || (left < mostFilling && this.#peek(left) === 0);
  }
}

/** Reads the coefficients of a plane of a slice (5.3.2 and 7.1.1), one block's place after another; false where they do not end with it. */
function isPlaneWhole(bytes: Buffer, from: number, to: number, blocks: number): boolean {
  const bits = new CodeReader(bytes, from, to);
  if (bits.code(codes.first) < 0) return false;
  let step = codeBefore.step;
  for (let block = 1; block < blocks; block++) {
    step = bits.code(codes.steps[Math.min(step, codes.steps.length - 1)] ?? 0);
    if (step < 0) return false;
  }
  let { run, level } = codeBefore;
  for (let place = blocks - 1; !bits.isDone; ) {
    run = bits.code(codes.runs[Math.min(run, codes.runs.length - 1)] ?? 0);
    place += run + 1;
    if (run < 0 || place >= blocks * coefficients) return false;
    level = bits.code(codes.levels[Math.min(level, codes.levels.length - 1)] ?? 0) + 1;
    if (level < 1) return false;
    bits.at++;
  }
  return bits.at <= bits.end;
}

/** What the head of a frame says that its slices cannot be read without (5.1.1): macroblocks across and down each picture, and how planes are sampled. */
type Head = { body: number; across: number; down: number[]; chroma: number; hasAlpha: boolean };

function readHead(frame: Buffer): Head | null {
  if (frame.length < 8 + leastHead || frame.toString('latin1', 4, 8) !== 'icpf') return null;
  const length = frame.readUInt16BE(8);
  const flags = frame[20] ?? 0;
  const [width, height, chroma, fields] = [
    frame.readUInt16BE(16),
    frame.readUInt16BE(18),
    flags >> 6,
    (flags >> 2) & 3,
  ];
  if (length < leastHead || width === 0 || height === 0 || chroma < 2 || fields > 2) return null;
  const rows = (lines: number) => Math.ceil(lines / 16);
  const down = fields === 0 ? [rows(height)] : [rows(Math.ceil(height / 2)), rows(Math.floor(height / 2))];
  const hasAlpha = ((frame[25] ?? 0) & 15) !== 0;
  return { body: 8 + length, across: Math.ceil(width / 16), down, chroma, hasAlpha };
}

/** Macroblocks of the slices of a row, each half as many as the one before where fewer are left (5.2.2). */
function slicesOf(across: number, most: number): number[] {
  const slices: number[] = [];
  for (let left = across, size = most; left > 0; left -= size) {
    while (size > left) size >>= 1;
    slices.push(size);
  }
  return slices;
}

/** Whether the planes of a slice fit into it, and can be read to their ends (5.3). */
function isSliceWhole(bytes: Buffer, from: number, to: number, blocks: number, { chroma, hasAlpha }: Head): boolean {
  const head = (bytes[from] ?? 0) >> 3;
  const quantiser = bytes[from + 1] ?? 0;
  if (head < (hasAlpha ? 8 : 6) || from + head > to || quantiser < 1 || quantiser > mostQuantiser) return false;
  const sizes = [bytes.readUInt16BE(from + 2), bytes.readUInt16BE(from + 4)] as const;
  const rest = to - from - head - sizes[0] - sizes[1];
  const third = hasAlpha ? bytes.readUInt16BE(from + 6) : rest;
  if (rest < 0 || third > rest) return false;
  let at = from + head;
  const colours = blocks * (chroma === 3 ? 4 : 2);
  for (const [size, count] of [
    [sizes[0], blocks * 4],
    [sizes[1], colours],
    [third, colours],
  ] as const) {
    if (!isPlaneWhole(bytes, at, at + size, count)) return false;
    at += size;
  }
  return true;
}

/** Reads one picture of a frame; where it ends, -1 where it cannot be read to its end. */
function pictureEnd(frame: Buffer, at: number, down: number, head: Head): number {
  if (at + leastPictureHead > frame.length) return -1;
  const [length, size] = [(frame[at] ?? 0) >> 3, frame.readUInt32BE(at + 1)];
  const slices = slicesOf(head.across, 1 << (((frame[at + 7] ?? 0) >> 4) & 3));
  const end = at + size;
  let place = at + length + slices.length * down * 2;
  if (length < leastPictureHead || end > frame.length || place > end) return -1;
  if (frame.readUInt16BE(at + 5) !== 0 && frame.readUInt16BE(at + 5) !== slices.length * down) return -1;
  for (let row = 0, entry = at + length; row < down; row++)
    for (const blocks of slices) {
      const next = place + frame.readUInt16BE(entry);
      if (next > end || next < place + 2 || !isSliceWhole(frame, place, next, blocks, head)) return -1;
      place = next;
      entry += 2;
    }
  return end;
}

/** Whether a frame of ProRes is what an encoder wrote: sizes that add up, and coefficients that end with each plane of each slice. */
export function isProresWhole(frame: Buffer, effort: Effort): boolean {
  effort.spend('sliceBit', frame.length * 8);
  const head = readHead(frame);
  if (!head) return false;
  let at = head.body;
  for (const down of head.down) {
    at = pictureEnd(frame, at, down, head);
    if (at < 0) return false;
  }
  return true;
}
