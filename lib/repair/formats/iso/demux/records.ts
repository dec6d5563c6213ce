import { commonest } from '../../../core/commonest';
import type { Buffer } from '../../../host/bytes';
import type { Source } from '../../../video/source';
import type { Found, Span } from './demux';

/** Records of one size that begin alike: what a camera writes of each picture beside its sound. `mark`: their first four bytes as a number. */
export type Records = { mark: number; size: number; side: 'before' | 'behind' };

/** Sizes that are tried, in bytes, and how many records must follow one another. */
const sizes = { least: 64, most: 8192, step: 2 };
const leastRecords = 3;
/** Stretches that are looked at, and the share of them that must hold records; chosen on the bench. */
const looked = 24;
const share = 0.6;

/** The end of a stretch where records may stand, as many bytes as are looked at. */
function endOf(source: Source, { from, to }: Span, side: Records['side']): Buffer {
  const bytes = Math.min(to - from, sizes.most * leastRecords);
  return source.copy(side === 'before' ? from : to - bytes, bytes);
}

/** The word that records of this size begin with in a stretch, by its end; 0 where there are none. */
function markIn(bytes: Buffer, size: number, side: Records['side']): number {
  if (bytes.length < size * leastRecords) return 0;
  const first = side === 'before' ? 0 : bytes.length - size;
  const mark = bytes.readUInt32BE(first);
  for (let index = 1; index < leastRecords; index++)
    if (bytes.readUInt32BE(side === 'before' ? first + index * size : first - index * size) !== mark) return 0;
  return mark;
}

/** The records that stand before or behind sound in most of these stretches; null where none do. */
export function recordsIn(source: Source, spans: readonly Span[]): Records | null {
  const step = Math.max(1, Math.floor(spans.length / looked));
  const some = spans.filter((_, index) => index % step === 0).slice(0, looked);
  if (some.length < leastRecords) return null;
  let best: Records | null = null;
  let most = 0;
  for (const side of ['behind', 'before'] as const) {
    const ends = some.map((span) => endOf(source, span, side));
    for (let size = sizes.least; size <= sizes.most; size += sizes.step) {
      const marks = ends.map((bytes) => markIn(bytes, size, side)).filter((mark) => mark !== 0);
      if (marks.length <= most) continue;
      const { value, count } = commonest(marks);
      if (count <= most) continue;
      most = count;
      best = { mark: value, size, side };
    }
  }
  return most >= Math.max(leastRecords, some.length * share) ? best : null;
}

/** Where the records of a stretch lie: from its beginning on, or up to its end. */
function recordsOf(source: Source, { from, to }: Span, { mark, size, side }: Records): Span {
  let [start, end] = side === 'before' ? [from, from] : [to, to];
  while (side === 'before' && end + size <= to && source.word(end) === mark) end += size;
  while (side === 'behind' && start - size >= from && source.word(start - size) === mark) start -= size;
  return { from: start, to: end };
}

/** A stretch without its records. */
export function withoutRecords(source: Source, span: Span, records: Records): Span {
  const { from, to } = recordsOf(source, span, records);
  return records.side === 'before' ? { from: to, to: span.to } : { from: span.from, to: from };
}

/** Takes records off what was found between pictures; returns where they stand. */
export function cutRecords(source: Source, found: Found, records: Records): Span[] {
  const cut: Span[] = [];
  const left = found.offsets.flatMap((from, index) => {
    const span = { from, to: from + (found.sizes[index] ?? 0) };
    const taken = recordsOf(source, span, records);
    if (taken.to > taken.from) cut.push(taken);
    const rest = withoutRecords(source, span, records);
    return rest.to > rest.from ? [rest] : [];
  });
  found.offsets = left.map(({ from }) => from);
  found.sizes = left.map(({ from, to }) => to - from);
  found.keys = left.map(() => 1);
  return cut;
}
