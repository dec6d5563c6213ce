import { Buffer } from '../../host/bytes';
import type { Damage } from '../../report/facts/photo';

/** A stretch of entropy-coded data without stuffing, between restart markers; `restart` is the number of the marker before it, or null. */
export type Stretch = { data: Buffer; restart: number | null; offset: number };

/**
 * Takes out stuffed zeroes (ISO/IEC 10918-1, B.1.1.5) and splits at restart markers that continue the count, at as many as there may be (`restarts`); other
 * markers inside are taken for damaged data and left in it. Some cameras write one behind the last stretch, too, where none begins.
 */
export function splitStretches(bytes: Buffer, start: number, end: number, restarts: number): Stretch[] {
  const marks = restarts > 0 ? realRestarts(bytes, start, end).slice(0, restarts) : [];
  const last = marks.at(-1)?.at;
  const bounds = marks.map(({ at }) => at);
  if (last === undefined || last + 2 < end) bounds.push(end);
  const stretches: Stretch[] = [];
  let from = start;
  for (const [index, to] of bounds.entries()) {
    const restart = index > 0 ? (marks[index - 1]?.number ?? null) : null;
    stretches.push({ data: unstuff(bytes, from, to), restart, offset: from });
    from = to + 2;
  }
  return stretches;
}

/** Times as many restart markers as a picture has MCUs (one for each, at most: ISO/IEC 10918-1, B.2.4.4) that are looked at, since its noted size may be wrong, and more. */
const spareRestarts = { times: 4, more: 4096 };
/** MCUs of a picture whose size is not known, at most. */
const unsized = 1 << 18;

/** How many restart markers may stand in the data of a picture of so many MCUs, by its header (null where that is lost); none where it has no markers. */
export const restartsOf = (hasMarkers: boolean, mcus: number | null): number =>
  hasMarkers ? (mcus ?? unsized) * spareRestarts.times + spareRestarts.more : 0;

/** Entropy-coded bytes without the zero that follows each FF. */
function unstuff(bytes: Buffer, start: number, end: number): Buffer {
  const data = Buffer.allocUnsafe(Math.max(0, end - start));
  let length = 0;
  for (let at = start; at < end; ) {
    const next = bytes.indexOf(0xff, at);
    const stop = next < 0 || next >= end ? end : next + 1;
    bytes.copy(data, length, at, stop);
    length += stop - at;
    at = stop;
    if (stop < end && bytes[stop - 1] === 0xff && bytes[stop] === 0) at++;
  }
  return data.subarray(0, length);
}

/** Damage to picture data at a byte of a stretch's unstuffed data. */
export const damagedAt = (bytes: Buffer, stretch: Stretch | undefined, byte: number): Damage =>
  stretch
    ? { kind: 'data', how: 'damaged', offset: offsetInFile(bytes, stretch, byte) }
    : { kind: 'data', how: 'damaged' };

/** Byte offset in the file of a place in a stretch's unstuffed data. */
function offsetInFile(bytes: Buffer, stretch: Stretch, byte: number): number {
  let at = stretch.offset;
  for (let left = byte; left > 0; left--) at += bytes[at] === 0xff && bytes[at + 1] === 0 ? 2 : 1;
  return Math.min(at, bytes.length);
}

type Mark = { at: number; number: number };

/** Restart markers in the data; one out of turn between two that follow each other is chance in damaged bytes. */
function realRestarts(bytes: Buffer, start: number, end: number): Mark[] {
  const marks: Mark[] = [];
  for (let at = bytes.indexOf(0xff, start); at >= 0 && at + 1 < end; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next >= 0xd0 && next <= 0xd7) marks.push({ at, number: next - 0xd0 });
  }
  return marks.filter((mark, index) => {
    const before = index > 0 ? (marks[index - 1]?.number ?? 7) : 7;
    const after = marks[index + 1]?.number;
    return (before + 1) % 8 === mark.number || after === undefined || (before + 1) % 8 !== after;
  });
}

/** Restart markers that must be there, and their share that must count on from the one before. */
const counting = { marks: 2, share: 0.6 };

/** How many restart markers the data holds, and whether they count up as a writer's do. */
export function countRestarts(bytes: Buffer, start: number, end: number): { count: number; steady: boolean } {
  const marks = realRestarts(bytes, start, end);
  let following = 0;
  for (const [index, mark] of marks.entries())
    if (index > 0 && ((marks[index - 1]?.number ?? 0) + 1) % 8 === mark.number) following++;
  return { count: marks.length, steady: marks.length > counting.marks && following > marks.length * counting.share };
}
