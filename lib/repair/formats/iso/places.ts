import type { Span } from './demux/demux';
import { firstBehind, freeOf } from './demux/spans';
import type { Track } from './track';

/** A chunk (ISO/IEC 14496-12, 8.7.5): its samples from `first` up to `after`, where it lies, and its bytes. */
type Chunk = { track: Track; first: number; after: number; from: number; length: number };

function chunksOf(track: Track): Chunk[] {
  return Array.from(track.chunks, (first, index) => {
    const after = track.chunks[index + 1] ?? track.sizes.length;
    let length = 0;
    for (let sample = first; sample < after; sample++) length += track.sizes[sample] ?? 0;
    return { track, first, after, from: track.offsets[first] ?? -1, length };
  });
}

/** Stretches of data that a file is believed to have: a camera writes few. */
const mostSpans = 1000;

/** Gaps and chunks that may be held against each other: what a camera's file asks for is told by far fewer. */
const mostTries = 10_000_000;

type Tries = { left: number };

/** The gaps, which are sorted, that begin behind one place and end before another, as far as they may still be tried. */
function gapsBetween(gaps: readonly Span[], before: number, behind: number, tries: Tries): Span[] {
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((gaps[middle]?.from ?? 0) > before) high = middle;
    else low = middle + 1;
  }
  const found: Span[] = [];
  for (let gap = gaps[low]; gap && gap.to <= behind && tries.left > 0; gap = gaps[++low]) {
    found.push(gap);
    tries.left--;
  }
  return found;
}

/** Whether a chunk lies in one of the stretches of data, which are sorted. */
function isWithin({ from, length }: Chunk, spans: readonly Span[]): boolean {
  const index = firstBehind(spans, from - 1);
  return [spans[index], spans[index + 1]].some((span) => span && from >= span.from && from + length <= span.to);
}

/** Chunks that lie outside of the data, or over others. */
function misplaced(chunks: readonly Chunk[], spans: readonly Span[]): Set<Chunk> {
  const wrong = new Set<Chunk>();
  let before: Chunk | null = null;
  for (const chunk of [...chunks].sort((left, right) => left.from - right.from)) {
    const end = chunk.from + chunk.length;
    if (!isWithin(chunk, spans)) {
      wrong.add(chunk);
      continue;
    }
    if (before && chunk.from < before.from + before.length) wrong.add(chunk).add(before);
    if (!before || end > before.from + before.length) before = chunk;
  }
  return wrong;
}

/** How many chunks from one on fill a gap exactly; 0 where none do. */
function filling(chunks: readonly Chunk[], from: number, gap: Span, tries: Tries): number {
  let left = gap.to - gap.from;
  for (let index = from; index < chunks.length && left > 0 && tries.left > 0; index++) {
    tries.left--;
    left -= chunks[index]?.length ?? 0;
    if (left === 0) return index + 1 - from;
  }
  return 0;
}

/** Lays chunks that follow one another, in order, into the gaps that they fill exactly; how many samples got another place. */
function lay(run: readonly Chunk[], gaps: readonly Span[], tries: Tries): number {
  let next = 0;
  let moved = 0;
  for (const gap of gaps) {
    if (next === run.length) break;
    const count = filling(run, next, gap, tries);
    let at = gap.from;
    for (const chunk of run.slice(next, next + count)) {
      if (chunk.from !== at) moved += chunk.after - chunk.first;
      for (let sample = chunk.first; sample < chunk.after; sample++) {
        chunk.track.offsets[sample] = at;
        at += chunk.track.sizes[sample] ?? 0;
      }
    }
    next += count;
  }
  return moved;
}

/** Gives a chunk that reaches into the one before or behind it the place between them that it fills to the byte; how many samples got another place. */
function closeUp(chunks: readonly Chunk[]): number {
  let moved = 0;
  const sorted = [...chunks].sort((left, right) => left.from - right.from);
  for (let index = 1; index + 1 < sorted.length; index++) {
    const [before, chunk, behind] = sorted.slice(index - 1, index + 2) as [Chunk, Chunk, Chunk];
    const end = before.from + before.length;
    if (chunk.from === end || end + chunk.length !== behind.from) continue;
    moved += lay([chunk], [{ from: end, to: behind.from }], { left: 1 });
    chunk.from = end;
  }
  return moved;
}

/**
 * Gives chunks that lie outside of the data, or over others, the places that the other chunks leave free and that they fill to the byte,
 * in the order of their track; how many samples got another place. Nothing is changed where no place fits.
 */
export function settleChunks(tracks: readonly Track[], spans: readonly Span[]): number {
  if (spans.length > mostSpans) return 0;
  const lists = tracks.filter(({ inside }) => inside).map(chunksOf);
  const all = lists.flat();
  const isAnyWrong = misplaced(all, spans).size > 0;
  let moved = isAnyWrong ? closeUp(all) : 0;
  const wrong = misplaced(all, spans);
  if (wrong.size === 0 || wrong.size === all.length) return moved;
  const taken = all
    .filter((chunk) => !wrong.has(chunk))
    .map(({ from, length }) => ({ from, to: from + length }))
    .sort((left, right) => left.from - right.from);
  const free = freeOf(spans, taken);
  const tries = { left: mostTries };
  for (const chunks of lists)
    for (let begin = 0; begin < chunks.length && tries.left > 0; begin++) {
      if (!wrong.has(chunks[begin] as Chunk)) continue;
      let end = begin;
      while (end < chunks.length && wrong.has(chunks[end] as Chunk)) end++;
      const before = chunks[begin - 1]?.from ?? 0;
      const behind = chunks[end]?.from ?? Number.POSITIVE_INFINITY;
      moved += lay(chunks.slice(begin, end), gapsBetween(free, before, behind, tries), tries);
      begin = end;
    }
  return moved;
}
