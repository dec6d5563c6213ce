import { boxAt } from '../../../core/boxes';
import { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Layout } from '../layout';
import type { Span } from './demux';

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
  const at = source.find(Buffer.from('mdat'), 0, Math.min(source.size, 8 << 20));
  let from = 0;
  if (at >= 4) from = at + 4 + (source.word(at - 4) === 1 ? 8 : 0);
  else {
    const first = boxAt(source, 0);
    if (first?.type === 'ftyp' && first.end < 4096) from = first.end;
  }
  const stated = at >= 4 ? boxAt(source, at - 4) : null;
  const to = stated && stated.end <= source.size && stated.end > from ? stated.end : source.size;
  return [{ from, to }];
}

/** What of `spans` the sorted stretches `taken` leave free. */
export function freeOf(spans: readonly Span[], taken: readonly Span[]): Span[] {
  const free: Span[] = [];
  for (const { from, to } of spans) {
    let at = from;
    for (const used of taken) {
      if (used.from >= to) break;
      if (used.to <= at) continue;
      if (used.from > at) free.push({ from: at, to: used.from });
      at = Math.max(at, used.to);
    }
    if (at < to) free.push({ from: at, to });
  }
  return free;
}
