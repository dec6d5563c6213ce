import { type Box, box, boxAt, boxesIn, words } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import type { Draft } from '../../report';
import type { Session } from '../../video/session';
import type { Source } from '../../video/source';
import { type Movie, readMovie } from './movie';

/** The top level of the file: its boxes, and where they stop making sense. `size` of the file when they never do. */
export type Layout = { boxes: Box[]; stop: number };

const movieLimit = 128 << 20;
const insta360 = '8db42d694ccc418790edff439fe026bf';

/** Walks the boxes of the top level until one is missing, or runs past the end of the file. */
export function topLevel(source: Source): Layout {
  const boxes: Box[] = [];
  let at = 0;
  while (at < source.size) {
    const found = boxAt(source, at);
    if (!found || (boxes.length === 0 && found.end > source.size && found.type === 'ftyp')) break;
    boxes.push(found);
    at = found.end;
    if (boxes.length > 2_000_000) break;
  }
  return { boxes, stop: at };
}

/** Bytes that cameras append after the last box: zeros, or the trailer of Insta360 with its length 40 bytes before the end. */
export function trailerLength(source: Source): number {
  const tail = source.read(source.size - 40, 40);
  return tail.toString('latin1', 8) === insta360 ? Math.min(source.size, tail.readUInt32LE(0)) : 0;
}

/** Brand box to write: the file's own when it can be read, otherwise one that fits the format (ISO/IEC 14496-12, 4.3). */
export function brandBox(session: Session, layout: Layout): { bytes: Buffer; own: boolean } {
  const first = layout.boxes[0];
  if (
    first?.type === 'ftyp' &&
    first.end - first.offset >= 16 &&
    first.end - first.offset <= 4096 &&
    first.end <= session.source.size
  ) {
    const bytes = session.source.copy(first.offset, first.end - first.offset);
    if (/^[\x20-\x7e]{4}$/.test(bytes.toString('latin1', 8, 12))) return { bytes, own: true };
  }
  const brand = { mov: 'qt  ', m4v: 'M4V ', '3gp': '3gp6' }[session.job.format] ?? 'isom';
  const others = session.job.format === 'mov' ? 'qt  ' : `${brand}isomiso2mp41`;
  return { bytes: box('ftyp', Buffer.from(brand, 'latin1'), words(512), Buffer.from(others, 'latin1')), own: false };
}

function movieRegion(source: Source, from: number): Movie {
  return readMovie(source.copy(from, Math.min(movieLimit, source.size - from)), null);
}

const hasTracks = (movie: Movie) => movie.tracks.length + movie.broken.length > 0;

/** How far before its first table the description of a track may begin, and how far before a track tables without a head are looked for. */
const described = 1024;
const headless = 16 << 20;

/** The first table before a track: one whose own beginning was lost with the head of the file. */
function earliestTable(source: Source, track: number): number {
  let first = track;
  for (const code of ['stts', 'stss', 'ctts', 'stsc', 'stsz', 'stco', 'co64']) {
    const at = source.find(Buffer.from(code), Math.max(4, track - headless), first);
    if (at >= 4) first = Math.min(first, at);
  }
  return first;
}

/** Finds moov: where the boxes say, else by its code anywhere, else by what its leaves are called. Null when nothing of it is left. */
export function findMovie(source: Source, layout: Layout, draft: Draft): Movie | null {
  const listed = layout.boxes.find((found) => found.type === 'moov');
  if (listed && listed.end <= source.size && listed.end - listed.offset <= movieLimit) {
    const bytes = source.copy(listed.offset, listed.end - listed.offset);
    const movie = readMovie(bytes, { ...listed, offset: 0, body: listed.body - listed.offset, end: bytes.length });
    if (hasTracks(movie)) return movie;
  }
  for (let at = source.find(Buffer.from('moov'), 0); at >= 0; at = source.find(Buffer.from('moov'), at + 4)) {
    const near = source.read(at + 4, 256);
    if (!/mvhd|trak/.test(near.toString('latin1'))) continue;
    const found = at >= 4 ? boxAt(source, at - 4) : null;
    if (found && found.end <= source.size && found.end - found.offset <= movieLimit) {
      const bytes = source.copy(found.offset, found.end - found.offset);
      if (boxesIn(bytes, found.body - found.offset, bytes.length).whole) {
        const movie = readMovie(bytes, { ...found, offset: 0, body: found.body - found.offset, end: bytes.length });
        if (hasTracks(movie)) return movie;
      }
    }
    const movie = movieRegion(source, Math.max(0, at - 4));
    if (hasTracks(movie)) {
      draft.find('index', 'The index of the video was damaged.', Math.max(0, at - 4));
      return movie;
    }
  }
  for (const code of ['trak', 'tkhd', 'mdhd', 'stsd', 'stsz']) {
    const hit = source.find(Buffer.from(code), 0);
    if (hit < 4) continue;
    const at = earliestTable(source, hit);
    const movie = movieRegion(source, Math.max(0, at - described));
    if (hasTracks(movie)) {
      draft.find('index', 'Only parts of the index of the video were left.', at - 4);
      return movie;
    }
  }
  return null;
}
