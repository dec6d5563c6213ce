import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';

/** An EBML element (RFC 8794): identifier with its marker, where its content begins, and where it ends; `unknown` for sizes left open. */
export type Element = { id: number; offset: number; body: number; end: number; unknown: boolean };

export const ids = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  seek: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
  attachments: 0x1941a469,
  chapters: 0x1043a770,
  tags: 0x1254c367,
  void: 0xec,
  crc: 0xbf,
  time: 0xe7,
  simple: 0xa3,
  group: 0xa0,
  block: 0xa1,
} as const;
export const topLevel = new Set<number>([
  ids.seek,
  ids.info,
  ids.tracks,
  ids.cluster,
  ids.cues,
  ids.attachments,
  ids.chapters,
  ids.tags,
  ids.void,
  ids.crc,
]);
/** Children of a cluster (RFC 9559, 5.1.3). */
export const inCluster = new Set<number>([
  ids.time,
  ids.simple,
  ids.group,
  ids.void,
  ids.crc,
  0xab,
  0xa7,
  0xaf,
  0x5854,
]);

/** The element at `offset`, or null when no identifier and size can be read there (RFC 8794, 4 to 6). */
export function elementAt(source: Source, offset: number): Element | null {
  const head = source.read(offset, 12);
  const idLength = Math.clz32(head[0] ?? 0) - 23;
  if (idLength > 4 || head.length <= idLength) return null;
  const first = head[idLength] ?? 0;
  const sizeLength = Math.clz32(first) - 23;
  if (first === 0 || sizeLength > 8 || head.length < idLength + sizeLength) return null;
  let size = first & ((1 << (8 - sizeLength)) - 1);
  let open = size === (1 << (8 - sizeLength)) - 1;
  for (let index = 1; index < sizeLength; index++) {
    const byte = head[idLength + index] ?? 0;
    size = size * 256 + byte;
    open = open && byte === 255;
  }
  const body = offset + idLength + sizeLength;
  return { id: head.readUIntBE(0, idLength), offset, body, end: open ? source.size : body + size, unknown: open };
}

/** The unsigned number that an element holds, up to 2^53. */
export function numberIn(source: Source, element: Element): number {
  let value = 0;
  for (const byte of source.read(element.body, Math.min(8, element.end - element.body))) value = value * 256 + byte;
  return value;
}

/** An element of an identifier and content, with a size of eight bytes when `wide`. */
export function element(id: number, ...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const code = Buffer.from(
    id.toString(16).padStart(id > 0xffffff ? 8 : id > 0xffff ? 6 : id > 0xff ? 4 : 2, '0'),
    'hex',
  );
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(length) | (1n << 56n));
  return Buffer.concat([code, size, ...parts]);
}

/** A number as eight bytes. */
export function eight(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
