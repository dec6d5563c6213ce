import { Buffer } from '../host/bytes';
import type { Source } from '../video/source';

/** A box (ISO/IEC 14496-12, 4.2): offsets in bytes from the start of what was read; `body` is where its content begins. */
export type Box = { type: string; offset: number; body: number; end: number };

const printable = /^[\x20-\x7e\xa9]{4}$/;

/** Whether boxes are named like this; what overwrote one is hardly ever. */
export const isBoxType = (type: string): boolean => printable.test(type);

/** Bytes of a box's head, and of one whose size has 64 bits. */
const [headBytes, wideHeadBytes] = [8, 16];

/** Type, size as it is stated, and bytes of the head of a box at the beginning of `bytes`: size 1 stands for 64 bits behind the type. */
function headOf(bytes: Buffer): { type: string; size: number; head: number } | null {
  if (bytes.length < headBytes) return null;
  const type = bytes.toString('latin1', 4, 8);
  const size = bytes.readUInt32BE(0);
  if (size !== 1 || bytes.length < wideHeadBytes) return { type, size, head: headBytes };
  return { type, size: Number(bytes.readBigUInt64BE(8)), head: wideHeadBytes };
}

/** The box at `offset` of a file, given the bytes there and how many there are to its end; null when there is none. Size 0 runs to the end. */
function boxOf(bytes: Buffer, offset: number, left: number): Box | null {
  const told = headOf(bytes);
  if (!told) return null;
  const size = told.size === 0 ? left : told.size;
  if (!printable.test(told.type) || size < told.head || !Number.isSafeInteger(size)) return null;
  return { type: told.type, offset, body: offset + told.head, end: offset + size };
}

/** The box at `offset` of a file that is read in pieces; null when there is none. */
export const boxAt = (source: Source, offset: number): Box | null =>
  boxOf(source.read(offset, wideHeadBytes), offset, source.size - offset);

/** The boxes of the top level of a file that stands in memory, up to the first that cannot be or runs past the end; `whole` tells that none does. */
export function topBoxes(bytes: Buffer): { boxes: Box[]; end: number; whole: boolean } {
  const boxes: Box[] = [];
  let at = 0;
  while (at < bytes.length) {
    const next = boxOf(bytes.subarray(at, at + wideHeadBytes), at, bytes.length - at);
    if (next) boxes.push(next);
    if (!next || next.end > bytes.length) return { boxes, end: at, whole: false };
    at = next.end;
  }
  return { boxes, end: at, whole: true };
}

/** The boxes of [from, to) of a buffer; `whole` tells that they fill it exactly. */
export function boxesIn(bytes: Buffer, from: number, to: number): { boxes: Box[]; whole: boolean } {
  const boxes: Box[] = [];
  let at = from;
  while (at + 8 <= to) {
    const told = headOf(bytes.subarray(at, Math.min(to, at + wideHeadBytes)));
    // A box that runs to the end of the file stands at the top level alone.
    if (!told || told.size < told.head || at + told.size > to) break;
    boxes.push({ type: told.type, offset: at, body: at + told.head, end: at + told.size });
    at += told.size;
  }
  // QuickTime ends some lists with a zero word (QuickTime File Format, user data list).
  const whole = at === to || (to - at === 4 && bytes.readUInt32BE(at) === 0) || isZero(bytes.subarray(at, to));
  return { boxes, whole };
}

function isZero(bytes: Buffer): boolean {
  return bytes.length < 64 && bytes.every((byte) => byte === 0);
}

/** A box made of a type and its content. */
export function box(type: string, ...content: Uint8Array[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, part) => sum + part.length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}

/** 32-bit big-endian words, one after another. */
export function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (let index = 0; index < values.length; index++) bytes.writeUInt32BE((values[index] ?? 0) >>> 0, index * 4);
  return bytes;
}
