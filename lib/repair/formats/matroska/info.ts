import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { type Element, element, elementsIn, ids } from './elements';
import type { Cluster } from './walk';

/** Share of its length by which a file must be shorter than it says to be told anew: blocks may say themselves how long they last. */
const shorter = 0.01;
/** Bytes of an Info that is read at most; those of programs take some hundred. */
const largest = 1 << 16;

/** When the last block of what is written ends, in ticks of the segment: as long behind it as blocks of its track lie apart. */
function endOf(clusters: readonly Cluster[]): number {
  const tracks = new Map<number, { first: number; last: number; count: number }>();
  for (const { time, blocks } of clusters)
    for (const block of blocks) {
      const at = time + block.time;
      const seen = tracks.get(block.track) ?? { first: at, last: at, count: 0 };
      tracks.set(block.track, seen);
      seen.first = Math.min(seen.first, at);
      seen.last = Math.max(seen.last, at);
      seen.count++;
    }
  let end = 0;
  for (const { first, last, count } of tracks.values())
    end = Math.max(end, last + (count > 1 ? (last - first) / (count - 1) : 0));
  return end;
}

/** The number of a Duration (RFC 9559, 5.1.2.10), 0 where it is none. */
function durationOf(value: Buffer): number {
  const told = value.length === 8 ? value.readDoubleBE(0) : value.length === 4 ? value.readFloatBE(0) : 0;
  return Number.isFinite(told) ? told : 0;
}

/**
 * The Info of a file whose end is gone, with the length of what is left, and without the check sum that it had; null where it may stay as it
 * is. Players would show the length of what is gone, too.
 */
export function shortenedInfo(source: Source, info: Element, clusters: readonly Cluster[]): Buffer | null {
  const children = info.end - info.body <= largest ? elementsIn(source, info.body, info.end) : null;
  const duration = children?.find(({ id }) => id === ids.duration);
  if (!children || !duration) return null;
  const stated = durationOf(source.copy(duration.body, duration.end - duration.body));
  const end = endOf(clusters);
  if (end <= 0 || end >= stated * (1 - shorter)) return null;
  const value = Buffer.alloc(8);
  value.writeDoubleBE(end);
  const kept = children.filter(({ id }) => id !== ids.crc && id !== ids.duration);
  const copies = kept.map(({ offset, end: to }) => source.copy(offset, to - offset));
  return element(ids.info, ...copies, element(ids.duration, value));
}
