import type { Buffer } from '../host/bytes';

/** Identifiers of the elements that hold a block, and of the block inside a group (RFC 9559, 5.1.3). */
const ids = { simple: 0xa3, group: 0xa0, block: 0xa1 } as const;
/** Blocks in a row, each of which leads to the next, that no other data holds by chance. */
const enough = 5;
/** How far times of neighbours lie apart at most, in units of the segment's clock, of which nearly all have milliseconds. */
const near = 4000;
/** Bits of a block's flags that are reserved. */
const reserved = 0x70;
/** Highest number of a track that is believed. */
const mostTracks = 15;
/** Bytes of a block at least: its head, and one of data. */
const leastBytes = 5;
/** Small elements that stand before the block in its group, as its duration does. */
const mostBefore = 3;

/** Where the content of an element with an identifier of one byte begins and ends (RFC 8794, 4); null for a size that is open or no number. */
function elementAt(bytes: Buffer, at: number): { body: number; end: number } | null {
  const width = Math.clz32(bytes[at + 1] ?? 0) - 23;
  if (width > 8 || at + 1 + width > bytes.length) return null;
  let length = (bytes[at + 1] ?? 0) & (0xff >> width);
  for (let place = at + 2; place < at + 1 + width; place++) length = length * 256 + (bytes[place] ?? 0);
  return length < 2 ** (7 * width) - 1 ? { body: at + 1 + width, end: at + 1 + width + length } : null;
}

/** Where the track of the block in an element begins: a group holds it behind its duration or first. */
function trackAt(bytes: Buffer, id: number, body: number): number {
  let at = body;
  for (let before = 0; id === ids.group && before < mostBefore; before++) {
    const child = elementAt(bytes, at);
    if (!child) return at;
    if (bytes[at] === ids.block) return child.body;
    at = child.end;
  }
  return at;
}

/** Where the block's element at a place ends, and its time in its cluster (10.1); null where none begins, its track being no small number. */
function blockAt(bytes: Buffer, at: number): { end: number; time: number } | null {
  const id = bytes[at] ?? 0;
  const found = id === ids.simple || id === ids.group ? elementAt(bytes, at) : null;
  if (!found || found.end - found.body < leastBytes || found.end > bytes.length) return null;
  const place = trackAt(bytes, id, found.body);
  const track = (bytes[place] ?? 0) - 0x80;
  if (track < 1 || track > mostTracks || place + leastBytes > bytes.length) return null;
  const isReserved = ((bytes[place + 3] ?? 0) & reserved) !== 0;
  return isReserved ? null : { end: found.end, time: bytes.readInt16BE(place + 1) };
}

/** Whether blocks of Matroska stand in a row behind this place, each at a time near that of the one before, not all at one as in a flat picture. */
function leadsOn(bytes: Buffer, start: number): boolean {
  const first = blockAt(bytes, start);
  let last = first;
  for (let count = 1; last && count < enough; count++) {
    const next = blockAt(bytes, last.end);
    last = next && Math.abs(next.time - last.time) < near ? next : null;
  }
  return last !== null && last.time !== first?.time;
}

/** Whether blocks of Matroska stand in a row, of a file that lost its head with the beginning of its clusters. */
export function holdsBlocks(bytes: Buffer): boolean {
  for (const id of [ids.simple, ids.group])
    for (let start = bytes.indexOf(id); start >= 0; start = bytes.indexOf(id, start + 1))
      if (leadsOn(bytes, start)) return true;
  return false;
}
