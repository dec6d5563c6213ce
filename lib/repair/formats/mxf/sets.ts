import type { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { isMetadata, type Klv } from './klv';

/** An item of a local set: its tag, where its head stands, and its value. */
export type Item = { tag: number; offset: number; value: Buffer };

/**
 * A local set (SMPTE 377-1, 9.3): its kind, two bytes of its key as hexadecimal, its items in their order, and whether they fill it to the
 * last byte; one of more than is read of it counts as filled.
 */
export type LocalSet = { kind: string; klv: Klv; items: Item[]; isFilled: boolean };

/** Bytes of an item's tag and length, and of a set that are read at most. */
export const itemHead = 4;
const longestSet = 1 << 16;
/** Items of a set that are read at most: those of header metadata have some twenty. */
const mostItems = 512;

/** Reads a packet as a local set with tags and lengths of two bytes each, as far as its items lead. */
export function localSet(source: Source, klv: Klv): LocalSet {
  const { key, body, end } = klv;
  const bytes = bytesOf(source, klv);
  const items: Item[] = [];
  let at = 0;
  while (at + itemHead <= bytes.length && items.length < mostItems) {
    const next = at + itemHead + bytes.readUInt16BE(at + 2);
    items.push({ tag: bytes.readUInt16BE(at), offset: body + at, value: bytes.subarray(at + itemHead, next) });
    at = next;
  }
  const isLong = end - body > longestSet || items.length === mostItems;
  // The last byte of a key names no kind, and is zero.
  const kind = isMetadata(key) && key.endsWith('00') ? key.slice(26, 30) : '';
  return { kind, klv, items, isFilled: at === bytes.length || isLong };
}

/** A set's item; undefined where it has none. */
export const itemOf = ({ items }: LocalSet, tag: number): Item | undefined => items.find((item) => item.tag === tag);

/** The value of a set's item; undefined where it has none. */
export const valueAt = (set: LocalSet, tag: number): Buffer | undefined => itemOf(set, tag)?.value;

/** Whether items lead from a place in a set to its last byte. */
export function fillsFrom(bytes: Buffer, from: number): boolean {
  let at = from;
  for (let item = 0; item < mostItems && at + itemHead <= bytes.length; item++)
    at += itemHead + bytes.readUInt16BE(at + 2);
  return at === bytes.length;
}

/** Bytes of a set, as many as are read of one at most. */
export const bytesOf = (source: Source, { body, end }: Klv): Buffer =>
  source.copy(body, Math.min(longestSet, end - body));

/** A value of eight bytes as a number; not a number for others. */
export const longOf = (bytes: Buffer | undefined): number =>
  bytes?.length === 8 ? Number(bytes.readBigInt64BE(0)) : Number.NaN;

/** A rational (377-1, 4.2) as a number; not a number for others. */
export const ratioOf = (bytes: Buffer | undefined): number =>
  bytes?.length === 8 ? bytes.readInt32BE(0) / bytes.readInt32BE(4) : Number.NaN;
