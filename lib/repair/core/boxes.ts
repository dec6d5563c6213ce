import { Buffer } from '../host/bytes';
import type { Source } from '../video/source';

/** A box (ISO/IEC 14496-12, 4.2): offsets in bytes from the start of what was read; `body` is where its content begins. */
export type Box = { type: string; offset: number; body: number; end: number };

const printable = /^[\x20-\x7e\xa9]{4}$/;

/** The box at `offset` of the file, or null when there is none: size 1 has 64 bits, size 0 runs to the end. */
export function boxAt(source: Source, offset: number): Box | null {
  const head = source.read(offset, 16);
  if (head.length < 8) return null;
  const type = head.toString('latin1', 4, 8);
  let size = head.readUInt32BE(0);
  let body = offset + 8;
  if (size === 1) {
    if (head.length < 16) return null;
    size = Number(head.readBigUInt64BE(8));
    body += 8;
  } else if (size === 0) size = source.size - offset;
  if (!printable.test(type) || size < body - offset || !Number.isSafeInteger(size)) return null;
  return { type, offset, body, end: offset + size };
}

/** The boxes of [from, to) of a buffer; `whole` tells that they fill it exactly. */
export function boxesIn(bytes: Buffer, from: number, to: number): { boxes: Box[]; whole: boolean } {
  const boxes: Box[] = [];
  let at = from;
  while (at + 8 <= to) {
    let size = bytes.readUInt32BE(at);
    let body = at + 8;
    if (size === 1 && at + 16 <= to) {
      size = Number(bytes.readBigUInt64BE(at + 8));
      body += 8;
    }
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (size < body - at || at + size > to) break;
    boxes.push({ type, offset: at, body, end: at + size });
    at += size;
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
