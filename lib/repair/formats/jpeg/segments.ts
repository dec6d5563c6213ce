import type { Component, Frame } from '../../codecs/jpeg/frame';
import { type HuffmanSpec, standardHuffman } from '../../codecs/jpeg/tables';
import { ones } from '../../core/bits';
import type { Buffer } from '../../host/bytes';
import { overwrittenTables } from './overwritten';

/** Whether a marker begins a frame header (ISO/IEC 10918-1, table B.1: SOF0 to SOF15 without DHT, JPG and DAC). */
export const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/**
 * Reads a DQT segment (B.2.4.1) into `tables`, in zigzag order; false when it is damaged, with the tables before the damage kept. One with steps of
 * nothing, which no table has, is kept where the rest of it tells what they were.
 */
export function readQuantisation(body: Buffer, tables: Map<number, Uint16Array>): boolean {
  let at = 0;
  let isSound = true;
  while (at < body.length) {
    const head = body[at++] ?? 0;
    const wide = head >> 4 === 1;
    if (head >> 4 > 1 || (head & 15) > 3 || at + (wide ? 128 : 64) > body.length) return false;
    const table = new Uint16Array(64);
    for (let index = 0; index < 64; index++)
      table[index] = wide ? body.readUInt16BE(at + index * 2) : (body[at + index] ?? 1);
    at += wide ? 128 : 64;
    const isOver = table.includes(0);
    if (!isOver || overwrittenTables(new Map([[0, table]])).size > 0) tables.set(head & 15, table);
    isSound &&= !isOver;
  }
  return isSound;
}

/** The tables of annex K.3 as the file holds them: numbers of codes by length, then symbols. */
const standards = standardHuffman.flat().map((spec) => ({ spec, bytes: [...spec.counts, ...spec.symbols] }));

/** The standard table that the bytes at a place are but for one wrong bit, and how many bytes it takes; null where they are none, or sound. */
function withWrongBit(body: Buffer, at: number): { spec: HuffmanSpec; length: number } | null {
  for (const { spec, bytes } of standards) {
    let wrong = 0;
    for (let index = 0; index < bytes.length && wrong < 2; index++)
      wrong += ones[(bytes[index] ?? 0) ^ (body[at + index] ?? 0)] ?? 0;
    if (wrong === 1 && at + bytes.length <= body.length) return { spec, length: bytes.length };
  }
  return null;
}

/** Whether a DHT segment holds a standard table with one wrong bit; decoders take it for another table, or do not open the picture. */
export function hasWrongBit(body: Buffer): boolean {
  for (let at = 0; at + 17 <= body.length; ) {
    if (withWrongBit(body, at + 1)) return true;
    at += 17 + body.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 0);
  }
  return false;
}

/** Reads a DHT segment (B.2.4.2) into `tables` by class and number; false when it is damaged. */
export function readHuffman(body: Buffer, tables: Map<number, HuffmanSpec>): boolean {
  let at = 0;
  while (at + 17 <= body.length) {
    const head = body[at] ?? 0;
    const mended = withWrongBit(body, at + 1);
    if (mended && (head & 0xec) === 0) {
      tables.set(head, mended.spec);
      at += 1 + mended.length;
      continue;
    }
    const counts = [...body.subarray(at + 1, at + 17)];
    const total = counts.reduce((sum, count) => sum + count, 0);
    let space = 0;
    for (const [index, count] of counts.entries()) space += count / 2 ** (index + 1);
    if ((head & 0xec) !== 0 || total > 256 || space > 1 || at + 17 + total > body.length || total === 0) return false;
    const symbols = [...body.subarray(at + 17, at + 17 + total)];
    // No symbol has two codes: repeated ones stand where bytes were overwritten.
    if (new Set(symbols).size < total) return false;
    tables.set(head, { counts, symbols });
    at += 17 + total;
  }
  return true;
}

/** Reads a frame header (B.2.2); null when its counts or sampling factors cannot be. */
export function readFrame(marker: number, body: Buffer, offset: number): Frame | null {
  const count = body[5] ?? 0;
  if (count < 1 || count > 4 || body.length < 6 + count * 3) return null;
  const components: Component[] = Array.from({ length: count }, (_, index) => ({
    id: body[6 + index * 3] ?? 0,
    horizontal: (body[7 + index * 3] ?? 0x11) >> 4,
    vertical: (body[7 + index * 3] ?? 0x11) & 15,
    quantisation: (body[8 + index * 3] ?? 0) & 3,
    dc: index === 0 ? 0 : 1,
    ac: index === 0 ? 0 : 1,
  }));
  if (components.some(({ horizontal, vertical }) => horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4))
    return null;
  const blocks = components.reduce((sum, { horizontal, vertical }) => sum + horizontal * vertical, 0);
  // An interleaved MCU has ten blocks at most (B.2.3).
  if (count > 1 && blocks > 10) return null;
  return {
    marker,
    precision: body[0] ?? 8,
    height: body.readUInt16BE(1),
    width: body.readUInt16BE(3),
    components,
    offset,
  };
}
