import { elementHead, ids, nearInTime, readElement } from '../formats/matroska/elements';
import type { Buffer } from '../host/bytes';

/** Blocks in a row, each of which leads to the next, that no other data holds by chance. */
const enough = 5;
/** Bits of a block's flags that are reserved (RFC 9559, 10.1 and 10.2). */
const reserved = 0x70;
/** Highest number of a track that is believed. */
const mostTracks = 15;
/** Bytes of a block at least: its head, and one of data. */
const leastBytes = 5;
/** Small elements that stand before the block in its group, as its duration does. */
const mostBefore = 3;

const elementIn = (bytes: Buffer, at: number) => readElement(bytes.subarray(at, at + elementHead), at, bytes.length);

/** Where the track of the block in an element begins: a group holds it behind its duration or first. */
function trackAt(bytes: Buffer, id: number, body: number): number {
  let at = body;
  for (let before = 0; id === ids.blockGroup && before < mostBefore; before++) {
    const child = elementIn(bytes, at);
    if (!child) return at;
    if (child.id === ids.block) return child.body;
    at = child.end;
  }
  return at;
}

/** Where the block's element at a place ends, and its time in its cluster (10.1); null where none begins, its track being no small number. */
function blockAt(bytes: Buffer, at: number): { end: number; time: number } | null {
  const found = elementIn(bytes, at);
  if (!found || found.unknown || (found.id !== ids.simpleBlock && found.id !== ids.blockGroup)) return null;
  if (found.end - found.body < leastBytes || found.end > bytes.length) return null;
  const place = trackAt(bytes, found.id, found.body);
  const track = (bytes[place] ?? 0) - 0x80;
  if (track < 1 || track > mostTracks || place + leastBytes > bytes.length) return null;
  const isReserved = ((bytes[place + 3] ?? 0) & reserved) !== 0;
  return isReserved ? null : { end: found.end, time: bytes.readInt16BE(place + 1) };
}

/** Whether blocks of Matroska stand in a row from this place on, each at a time near that of the one before, not all at one as in a flat picture. */
function leadsOn(bytes: Buffer, start: number): boolean {
  const first = blockAt(bytes, start);
  let last = first;
  for (let count = 1; last && count < enough; count++) {
    const next = blockAt(bytes, last.end);
    last = next && Math.abs(next.time - last.time) < nearInTime ? next : null;
  }
  return last !== null && last.time !== first?.time;
}

/** Whether blocks of Matroska stand in a row, of a file that lost its head with the beginning of its clusters. */
export function holdsBlocks(bytes: Buffer): boolean {
  for (const id of [ids.simpleBlock, ids.blockGroup])
    for (let start = bytes.indexOf(id); start >= 0; start = bytes.indexOf(id, start + 1))
      if (leadsOn(bytes, start)) return true;
  return false;
}
