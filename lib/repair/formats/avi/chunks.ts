import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';

/** A chunk of picture or sound in `movi` (AVI RIFF File Reference, OpenDML 1.02): offset of its header, length of its content. */
export type Chunk = { id: string; offset: number; length: number };
/** The chunks, what is none, the end of the last, and the place of the index, where the walk came by one. */
export type Movi = {
  start: number;
  chunks: Chunk[];
  gaps: { offset: number; length: number }[];
  end: number;
  index: number | null;
};

/** Chunks of streams: pictures, sound, text, and changes of the palette. */
export const media = /^\d\d(dc|db|wb|tx|pc)$/;
/** Whether a chunk is a picture, and whether it is sound (AVI RIFF File Reference, "Stream Data"). */
export const isPicture = (id: string): boolean => /dc|db/.test(id);
export const isSound = (id: string): boolean => /wb/.test(id);
/** What may stand between them. */
export const other = /^(JUNK|idx1|ix\d\d)$/;

function chunkAt(source: Source, offset: number): Chunk | null {
  const head = source.read(offset, 8);
  if (head.length < 8) return null;
  return { id: head.toString('latin1', 0, 4), offset, length: head.readUInt32LE(4) };
}

/** Offset after a chunk: content is padded to an even length. */
export function after(chunk: Chunk): number {
  return chunk.offset + 8 + chunk.length + (chunk.length & 1);
}

function follows(source: Source, at: number): boolean {
  if (at >= source.size - 1) return true;
  const next = chunkAt(source, at);
  return next !== null && (media.test(next.id) || /^(LIST|RIFF|JUNK|idx1|ix\d\d)$/.test(next.id));
}

function resync(source: Source, from: number): number {
  for (let at = from; at + 8 <= source.size; ) {
    const window = source.read(at, 1 << 18);
    for (let inside = 0; inside + 4 <= window.length; inside++) {
      const first = window[inside] ?? 0;
      if (first < 0x30 || first > 0x39) continue;
      if (!media.test(window.toString('latin1', inside, inside + 4))) continue;
      const chunk = chunkAt(source, at + inside);
      if (chunk && after(chunk) <= source.size + 1 && follows(source, after(chunk))) return at + inside;
      if (source.read(at, 1).length === 0) return source.size;
    }
    at += Math.max(1, window.length - 7);
  }
  return source.size;
}

/** Whether the chunk lies in the file, as the one after it does where it is picture or sound. */
function isWhole(source: Source, chunk: Chunk): boolean {
  const end = chunk.offset + 8 + chunk.length;
  return end <= source.size && (other.test(chunk.id) || (media.test(chunk.id) && follows(source, after(chunk))));
}

/** Takes the chunk at an offset into the list, and says where the next one lies. */
function take(movi: Movi, source: Source, chunk: Chunk): number {
  const { id, offset } = chunk;
  if (id === 'RIFF' || id === 'LIST')
    return source.read(offset + 8, 4).toString('latin1') === 'INFO' ? after(chunk) : offset + 12;
  if (chunk.length === 0 && media.test(id)) {
    movi.chunks.push(chunk);
    return offset + 8;
  }
  if (isWhole(source, chunk)) {
    if (id === 'idx1') movi.index ??= offset;
    if (other.test(id)) return after(chunk);
    movi.chunks.push(chunk);
    movi.end = Math.min(after(chunk), source.size);
    return after(chunk);
  }
  const next = resync(source, offset + 1);
  const end = after(chunk);
  // The chunk is there where nothing but the head behind it was overwritten; its size is believed if no other begins inside.
  if (media.test(id) && end <= Math.min(next, source.size)) {
    movi.chunks.push(chunk);
    movi.end = end;
    if (next > end) movi.gaps.push({ offset: end, length: next - end });
    return next;
  }
  if (next < source.size || media.test(id) || movi.end === offset) movi.gaps.push({ offset, length: next - offset });
  return next;
}

/** Walks all chunks from the content of `movi` on, through further RIFF parts, resynchronising after damage. */
export async function walkChunks(
  { tell }: Pick<Reading, 'tell'>,
  source: Source,
  start: number,
  from: number,
  to: number,
): Promise<Movi> {
  const movi: Movi = { start, chunks: [], gaps: [], end: start, index: null };
  for (let at = start; at + 8 <= source.size; ) {
    const chunk = chunkAt(source, at);
    if (!chunk) break;
    at = take(movi, source, chunk);
    if ((movi.chunks.length & 255) === 0) await tell(at, from, to);
  }
  return movi;
}
