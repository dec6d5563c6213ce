import { type Box, box, boxAt, boxesIn, words } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import type { Damage } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { type Movie, readMovie } from './movie';

/** The top level of the file: its boxes, and where they stop making sense. `size` of the file when they never do. */
export type Layout = { boxes: Box[]; stop: number };

/** Largest moov that is read, in bytes: it stands in memory. */
const movieLimit = 128 << 20;

/** Boxes of one level: more are no file, but a loop through damage. */
const mostBoxes = 2_000_000;

/** Walks the boxes of the top level until one is missing, or runs past the end of the file. */
export function topLevel(source: Source): Layout {
  const boxes: Box[] = [];
  let at = 0;
  while (at < source.size) {
    const found = boxAt(source, at);
    if (!found || (boxes.length === 0 && found.end > source.size && found.type === 'ftyp')) break;
    boxes.push(found);
    at = found.end;
    if (boxes.length > mostBoxes) break;
  }
  return { boxes, stop: at };
}

/** Brand box to write: the file's own when it can be read, otherwise one that fits the format (ISO/IEC 14496-12, 4.3). */
export function brandBox(reading: Reading, layout: Layout): { bytes: Buffer; own: boolean } {
  const first = layout.boxes[0];
  if (
    first?.type === 'ftyp' &&
    first.end - first.offset >= 16 &&
    first.end - first.offset <= 4096 &&
    first.end <= reading.source.size
  ) {
    const bytes = reading.source.copy(first.offset, first.end - first.offset);
    if (/^[\x20-\x7e]{4}$/.test(bytes.toString('latin1', 8, 12))) return { bytes, own: true };
  }
  const brand = { mov: 'qt  ', m4v: 'M4V ', '3gp': '3gp6' }[reading.job.format] ?? 'isom';
  const others = reading.job.format === 'mov' ? 'qt  ' : `${brand}isomiso2mp41`;
  return { bytes: box('ftyp', Buffer.from(brand, 'latin1'), words(512), Buffer.from(others, 'latin1')), own: false };
}

function movieRegion(source: Source, from: number): Movie {
  return readMovie(source.copy(from, Math.min(movieLimit, source.size - from)), null);
}

const hasTracks = (movie: Movie) => movie.tracks.length + movie.broken.length + movie.undescribed.length > 0;

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

/** A movie, and what is wrong with it where its boxes do not lead to it. */
export type FoundMovie = { movie: Movie; damage: Damage | null };

/** Finds moov: where the boxes say, else by its code anywhere, else by what its leaves are called. Null when nothing of it is left. */
export const findMovie = (source: Source, layout: Layout): FoundMovie | null =>
  boxedMovie(source, layout) ?? codedMovie(source) ?? movieByLeaves(source);

/** The moov box in [from, to) of the file, whose head is read already. */
function boxAsMovie(source: Source, found: Box): { movie: Movie; bytes: Buffer } {
  const bytes = source.copy(found.offset, found.end - found.offset);
  const head = { ...found, offset: 0, body: found.body - found.offset, end: bytes.length };
  return { movie: readMovie(bytes, head), bytes };
}

const fits = (source: Source, found: Box) => found.end <= source.size && found.end - found.offset <= movieLimit;

/** Where the boxes of the top level say. */
function boxedMovie(source: Source, layout: Layout): FoundMovie | null {
  const listed = layout.boxes.find((found) => found.type === 'moov');
  if (!listed || !fits(source, listed)) return null;
  const { movie } = boxAsMovie(source, listed);
  return hasTracks(movie) ? { movie, damage: null } : null;
}

/** How often the bytes of a file may be read for movies: their code may stand anywhere, and each may seem to reach to its end. */
const mostReadings = 4;

/** By its code anywhere in the file, as a box whose content fits together, or by the leaves behind it. */
function codedMovie(source: Source): FoundMovie | null {
  const code = Buffer.from('moov');
  let left = source.size * mostReadings;
  for (let at = source.find(code, 0); at >= 0 && left > 0; at = source.find(code, at + 4)) {
    const near = source.read(at + 4, 256);
    if (!/mvhd|trak/.test(near.toString('latin1'))) continue;
    const whole = wholeMovie(source, at - 4);
    if (whole) return { movie: whole, damage: null };
    const begin = Math.max(0, at - 4);
    left -= Math.min(movieLimit, source.size - begin);
    const movie = movieRegion(source, begin);
    if (hasTracks(movie)) return { movie, damage: { kind: 'index', how: 'damaged', offset: begin } };
  }
  return null;
}

/** The moov box at an offset where its content fits together; null for others. */
function wholeMovie(source: Source, offset: number): Movie | null {
  const found = offset >= 0 ? boxAt(source, offset) : null;
  if (!found || !fits(source, found)) return null;
  const { movie, bytes } = boxAsMovie(source, found);
  const isWhole = boxesIn(bytes, found.body - found.offset, bytes.length).whole;
  return isWhole && hasTracks(movie) ? movie : null;
}

/** By what its leaves are called. */
function movieByLeaves(source: Source): FoundMovie | null {
  for (const code of ['trak', 'tkhd', 'mdhd', 'stsd', 'stsz']) {
    const hit = source.find(Buffer.from(code), 0);
    if (hit < 4) continue;
    const at = earliestTable(source, hit);
    const movie = movieRegion(source, Math.max(0, at - described));
    if (hasTracks(movie)) return { movie, damage: { kind: 'index', how: 'parts', offset: at - 4 } };
  }
  return null;
}
