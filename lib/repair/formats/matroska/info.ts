import { Buffer } from '../../host/bytes';
import type { Loss } from '../../report/facts/video';
import { lostBehind } from '../../video/behind';
import type { Source } from '../../video/source';
import { type Element, element, elementsIn, floatOf, ids } from './elements';
import type { Cluster, Walk } from './walk';

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
  const told = floatOf(value);
  return Number.isFinite(told) ? told : 0;
}

/** The children of an Info, and what its Duration says, in ticks; null where there is none. */
function durationIn(source: Source, info: Element): { children: Element[]; stated: number } | null {
  const children = info.end - info.body <= largest ? elementsIn(source, info.body, info.end) : null;
  const duration = children?.find(({ id }) => id === ids.duration);
  if (!children || !duration) return null;
  return { children, stated: durationOf(source.copy(duration.body, duration.end - duration.body)) };
}

/** TimestampScale where nothing is said, in nanoseconds (RFC 9559, 5.1.2.9). */
const usualScale = 1_000_000;

/** What is gone of the end of a damaged file, by the length that its Info tells. */
export function lostAtEnd(source: Source, { parts }: Walk, clusters: readonly Cluster[]): Loss[] {
  const info = parts.find(({ id }) => id === ids.info);
  const told = info ? durationIn(source, info) : null;
  if (!told) return [];
  const scale = told.children.find(({ id }) => id === ids.timestampScale);
  const bytes = scale ? source.copy(scale.body, scale.end - scale.body) : null;
  const nanoseconds = bytes && bytes.length > 0 && bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : usualScale;
  const seconds = nanoseconds / 1e9;
  return lostBehind(told.stated * seconds, endOf(clusters) * seconds);
}

/**
 * The Info of a file whose end is gone, with the length of what is left, and without the check sum that it had; null where it may stay as it
 * is. Players would show the length of what is gone, too.
 */
export function shortenedInfo(source: Source, info: Element, clusters: readonly Cluster[]): Buffer | null {
  const told = durationIn(source, info);
  if (!told) return null;
  const { children, stated } = told;
  const end = endOf(clusters);
  if (end <= 0 || end >= stated * (1 - shorter)) return null;
  const value = Buffer.alloc(8);
  value.writeDoubleBE(end);
  const kept = children.filter(({ id }) => id !== ids.crc && id !== ids.duration);
  const copies = kept.map(({ offset, end: to }) => source.copy(offset, to - offset));
  return element(ids.info, ...copies, element(ids.duration, value));
}
