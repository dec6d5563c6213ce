import type { Source } from '../../../video/source';
import type { Movie } from '../movie';
import type { Track } from '../track';
import type { Found, Span } from './demux';

/**
 * How a camera lays PCM between its pictures: bytes of a chunk, bytes between the end of a picture and the chunk behind it where they are
 * the same everywhere, otherwise -1, and the power of two that all chunks begin at.
 */
export type Chunking = { bytes: number; lead: number; align: number };

/** Share of the chunks that must be alike for one of their sizes to be told by. */
export const alike = 0.6;
/** Chunks that tell anything, and the largest power of two that chunks are laid at, in bytes. */
const leastChunks = 3;
export const mostAlign = 65_536;

/** The value that most have, where it is most of them; -1 otherwise. */
function usualOf(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [best] = [...counts].sort((left, right) => right[1] - left[1]);
  return best && best[1] >= values.length * alike ? best[0] : -1;
}

/** Where chunks of a track begin. */
const places = ({ offsets, chunks }: Track) => [...chunks].map((first) => offsets[first] ?? 0);

/** How the chunks of a track of PCM lie in a working video; null where they are not alike. */
export function chunkingOf({ tracks }: Movie, { sizes, offsets }: Track): Chunking | null {
  const bytes = usualOf([...sizes]);
  if (sizes.length < leastChunks || bytes <= 0) return null;
  const ends = tracks
    .filter(({ kind }) => kind === 'vide')
    .flatMap((track) => [...track.offsets].map((offset, index) => offset + (track.sizes[index] ?? 0)))
    .sort((left, right) => left - right);
  let [next, end] = [0, -1];
  const leads: number[] = [];
  for (const offset of offsets) {
    while (next < ends.length && (ends[next] ?? 0) <= offset) end = ends[next++] ?? 0;
    if (end >= 0) leads.push(offset - end);
  }
  let align = mostAlign;
  for (const place of tracks.flatMap(places)) while (place % align !== 0) align /= 2;
  return { bytes, lead: usualOf(leads), align };
}

/** The chunk of what begins at a place behind pictures. */
export function chunkFrom({ bytes, lead, align }: Chunking, at: number): Span {
  const from = lead >= 0 ? at + lead : Math.ceil(at / align) * align;
  return { from, to: from + bytes };
}

/** Whether nothing but zeroes stands in a stretch that is shorter than what chunks are laid at. */
export const isPadding = (source: Source, { align }: Chunking, { from, to }: Span): boolean =>
  to <= from || (to - from < align && source.findNonZero(from, to) < 0);

/** The chunks that fill a stretch one behind the other, but for padding; null where something else stands there. */
function chunksIn(source: Source, chunking: Chunking, { from, to }: Span): Span[] | null {
  const chunks: Span[] = [];
  for (let at = from; !isPadding(source, chunking, { from: at, to }); ) {
    const chunk = chunkFrom(chunking, at);
    if (chunk.to > to || !isPadding(source, chunking, { from: at, to: chunk.from })) return null;
    chunks.push(chunk);
    at = chunk.to;
  }
  return chunks;
}

/** What stands before and behind the one chunk of a stretch, which is as long as that at least; null for longer and shorter ones. */
export function chunkAmong(
  source: Source,
  chunking: Chunking,
  { from: offset, to }: Span,
): { chunk: Span; rest: Span } | null {
  const chunk = chunkFrom(chunking, offset);
  const { bytes, lead } = chunking;
  // Pictures that were not found lie in longer ones.
  if (to - chunk.from < bytes || to - chunk.from >= bytes * 2) return null;
  const isBehind = lead < 0 && chunk.from > offset && source.findNonZero(offset, chunk.from) >= 0;
  return isBehind ? null : { chunk, rest: { from: chunk.to, to } };
}

/** Lays what was found between pictures as the camera lays its chunks; returns what else stands there, but for padding. */
export function layChunks(source: Source, found: Found, chunking: Chunking): Span[] {
  const beside: Span[] = [];
  const laid = found.offsets.flatMap((from, index) => {
    const span = { from, to: from + (found.sizes[index] ?? 0) };
    const chunks = chunking.lead < 0 ? chunksIn(source, chunking, span) : null;
    if (chunks) return chunks;
    const among = chunkAmong(source, chunking, span);
    if (!among) return [span];
    if (!isPadding(source, chunking, among.rest)) beside.push(among.rest);
    return [among.chunk];
  });
  found.offsets = laid.map(({ from }) => from);
  found.sizes = laid.map(({ from, to }) => to - from);
  found.keys = laid.map(() => 1);
  return beside;
}
