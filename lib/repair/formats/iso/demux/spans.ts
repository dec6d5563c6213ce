import { boxAt } from '../../../core/boxes';
import { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Layout } from '../layout';
import type { Span } from './demux';

const mdat = Buffer.from('mdat');
/** Bytes from the beginning on in which the first mdat is looked for, and the most that one file is believed to have. */
const firstWithin = 8 << 20;
const mostSpans = 1 << 16;

/**
 * Stretches that can hold media data: the content of each mdat whose size can be believed, otherwise everything behind the first one's
 * header, or behind what is left of the file's head, up to the next box that can be read.
 */
export function dataSpans(source: Source, layout: Layout): Span[] {
  const spans = layout.boxes
    .filter(({ type, end }) => type === 'mdat' && end <= source.size)
    .map(({ body, end }) => ({ from: body, to: end }));
  const size = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  if (size * 2 > source.size) return spans;
  const at = source.find(mdat, 0, Math.min(source.size, firstWithin));
  if (at >= 4) return chained(source, at);
  const first = boxAt(source, 0);
  return [{ from: first?.type === 'ftyp' && first.end < 4096 ? first.end : 0, to: source.size }];
}

/** The content of the mdat whose name stands at a place, and of those behind it: fragments have one each, whatever became of the boxes between. */
function chained(source: Source, place: number): Span[] {
  const spans: Span[] = [];
  for (let at = place; at >= 4 && spans.length < mostSpans; ) {
    const from = at + 4 + (source.word(at - 4) === 1 ? 8 : 0);
    const stated = boxAt(source, at - 4);
    const to = stated && stated.end <= source.size && stated.end > from ? stated.end : source.size;
    spans.push({ from, to });
    at = source.find(mdat, to + 4);
  }
  return spans;
}

/** Sorted stretches as few as possible: those that meet or overlap are one. */
function joined(sorted: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const { from, to } of sorted) {
    const last = spans.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else spans.push({ from, to });
  }
  return spans;
}

/** The first of stretches that lie apart, in order, which ends behind a place; how many there are where none does. */
export function firstBehind(spans: readonly Span[], place: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What of `spans` the sorted stretches `taken` leave free. A file may have many of both, so that each looks at its own alone. */
export function freeOf(spans: readonly Span[], taken: readonly Span[]): Span[] {
  const used = joined(taken);
  const free: Span[] = [];
  for (const { from, to } of spans) {
    let at = from;
    for (let index = firstBehind(used, from); index < used.length; index++) {
      const next = used[index];
      if (!next || next.from >= to) break;
      if (next.from > at) free.push({ from: at, to: next.from });
      at = Math.max(at, next.to);
    }
    if (at < to) free.push({ from: at, to });
  }
  return free;
}
