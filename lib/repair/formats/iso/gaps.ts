import { boxAt } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { type Located, sampleState } from './locate';

type Span = { from: number; to: number };

function spansOf(located: Located): Span[] {
  const spans: Span[] = [];
  located.offsets.forEach((from, index) => {
    const to = from + (located.sizes[index] ?? 0);
    if (located.states[index] !== sampleState.gone && to > from) spans.push({ from, to });
  });
  return spans;
}

/** The spans of the file that hold no sample of these tracks, from the first `mdat` on. */
export function freeOfTracks(source: Source, locateds: readonly Located[]): Span[] {
  const { size } = source;
  const sorted = locateds.flatMap(spansOf).sort((left, right) => left.from - right.from);
  let at = sorted[0]?.from ?? 0;
  const mdat = source.find(Buffer.from('mdat'), 0, Math.min(size, at + 4));
  if (mdat >= 0 && mdat + 4 <= at) at = mdat + 4;
  const free: Span[] = [];
  for (const span of sorted) {
    if (span.from > at) free.push({ from: at, to: span.from });
    at = Math.max(at, span.to);
  }
  const tail = boxAt(source, at);
  if (!(tail && ['moov', 'free', 'udta', 'skip'].includes(tail.type)) && at < size) free.push({ from: at, to: size });
  return free;
}

/** Tells whether bytes run into one of the spans, which are sorted. */
function overlaps(taken: readonly Span[]): (offset: number, size: number) => boolean {
  const starts = Float64Array.from(taken, (span) => span.from);
  return (offset: number, size: number) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < offset + size) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (taken[low - 1]?.to ?? 0) > offset;
  };
}

/** Where the samples of tracks lie that were found, in order, and whether bytes run into one of them. */
export type Taken = { spans: readonly Span[]; inside: (offset: number, size: number) => boolean };

/** What the samples of tracks take of a file. */
export function takenBy(locateds: readonly Located[]): Taken {
  const spans = locateds.flatMap(spansOf).sort((left, right) => left.from - right.from);
  return { spans, inside: overlaps(spans) };
}

/** Marks packets that cannot be judged but lie where found pictures do: their bytes are no longer there. */
export function dropOverlapping(located: Located, { inside }: Taken): void {
  located.offsets.forEach((offset, index) => {
    if (inside(offset, located.sizes[index] ?? 0)) located.states[index] = sampleState.gone;
  });
}

/** Whether a track that cannot be judged by its data lies, all of it, in the file and beside the pictures that were found, in rising order. */
export function liesFree(source: Source, located: Located, { inside }: Taken): boolean {
  let last = 0;
  for (const [index, offset] of located.offsets.entries()) {
    const size = located.sizes[index] ?? 0;
    if (offset < last || offset + size > source.size || inside(offset, size)) return false;
    last = offset + size;
  }
  return located.offsets.length > 0;
}

/** Share of a track's chunks from which on its places are not believed. */
const mostMisplaced = 0.1;

/** Chunks of a track that lie where none can: in pictures that were found, at the place of another, or outside of the file. */
function misplaced(source: Source, { track, offsets, moved }: Located, { inside }: Taken): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  const seen = new Set<number>();
  for (const first of track.chunks) {
    const offset = offsets[first] ?? -1;
    const size = track.sizes[first] ?? 0;
    // In a file that was cut at an end, chunks lie before its beginning or behind its end, in their order: they are gone, not misplaced.
    const outside = offset <= 0 ? moved === 0 : offset + size > source.size && offset <= last;
    if (outside || seen.has(offset) || (offset > 0 && inside(offset, size))) count++;
    seen.add(offset);
    last = offset;
  }
  return count;
}

/**
 * Gives new places to a track that cannot be judged by its data when its chunk offsets run into pictures that were found: its chunks
 * are laid, in order, into what the pictures leave free, and the tracks that lie where they should, by `freeOnes`. Returns whether it did.
 */
export function layIntoGaps(source: Source, located: Located, taken: Taken, freeOnes: () => readonly Span[]): boolean {
  const { track, offsets, states } = located;
  if (taken.spans.length === 0 || track.chunks.length === 0) return false;
  if (misplaced(source, located, taken) < track.chunks.length * mostMisplaced) return false;
  const free = freeOnes();
  let gap = 0;
  let cursor = free[0]?.from ?? 0;
  for (let chunk = 0; chunk < track.chunks.length; chunk++) {
    const first = track.chunks[chunk] ?? 0;
    const after = track.chunks[chunk + 1] ?? track.sizes.length;
    let length = 0;
    for (let index = first; index < after; index++) length += track.sizes[index] ?? 0;
    while (gap < free.length && cursor + length > (free[gap]?.to ?? 0)) cursor = free[++gap]?.from ?? 0;
    for (let index = first; index < after; index++) {
      states[index] = gap < free.length ? sampleState.whole : sampleState.gone;
      offsets[index] = cursor;
      cursor += track.sizes[index] ?? 0;
    }
  }
  located.moved = track.sizes.length;
  return true;
}
