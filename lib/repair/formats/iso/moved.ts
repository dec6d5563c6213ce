import { boxAt } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { topLevel } from './layout';
import type { Track } from './track';
import { turningPoint } from './turning';

/** From table offset `from` on, data lies `shift` bytes away from where the table says. */
export type Shift = { from: number; shift: number };

/** Where the data that tracks list begins and ends by their tables, and where the index lies that cannot lie inside of it; -1 where there is none. */
function extentOf(source: Source, local: readonly Track[]): { start: number; end: number; index: number } {
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const track of local)
    for (const [index, offset] of track.offsets.entries()) {
      if (offset < 0) continue;
      start = Math.min(start, offset);
      end = Math.max(end, offset + (track.sizes[index] ?? 0));
    }
  const { boxes } = topLevel(source);
  const index = boxes.find(({ type }) => type === 'moov')?.offset ?? source.find(Buffer.from('moov'), 0) - 4;
  return { start, end, index };
}

const isLocal = (track: Track) => track.inside && track.chunks.length > 0;

/** Bytes that are gone from the data that tracks list, where the index behind it begins before they say that the data ends; 0 elsewhere. */
export function bytesGone(source: Source, tracks: readonly Track[]): number {
  const { start, end, index } = extentOf(source, tracks.filter(isLocal));
  return index >= start && end > index ? end - index : 0;
}

/**
 * How far the data of a file was moved, where none of its pictures tell by their content: the tables cannot place data where the index
 * itself lies. Bytes lost at the beginning move everything; for bytes lost in between, sound whose frames can be read tells from where
 * on. Empty when nothing speaks of a move, or nothing tells its place.
 */
export function shiftsByLayout(source: Source, tracks: readonly Track[]): Shift[] {
  const local = tracks.filter(isLocal);
  const { start, end, index } = extentOf(source, local);
  const { boxes } = topLevel(source);
  const before = boxes[0]?.type === 'ftyp' ? 0 : bytesBefore(source);
  if (before > 0 && start + before < source.size && end + before <= source.size) return [{ from: 0, shift: before }];
  if (index < 0 || index < start || end <= index) return [];
  const shift = index - end;
  const headless = boxes[0]?.type !== 'ftyp';
  if (headless && start + shift < start) return [{ from: 0, shift }];
  const from = turningPoint(source, local, shift);
  return from >= 0 ? [{ from, shift }] : [];
}

/** How far the first box of a file may have been moved, in bytes. */
const farthest = 64 << 20;

/** Bytes that were put before the first box: the boxes from it on lead to the media data and the index. 0 when there is no such box. */
function bytesBefore(source: Source): number {
  const name = Buffer.from('ftyp');
  for (let hit = source.find(name, 4, farthest); hit >= 4; hit = source.find(name, hit + 1, farthest)) {
    const seen = new Set<string>();
    let at = hit - 4;
    for (let box = boxAt(source, at); box && box.end <= source.size && seen.size < 64; box = boxAt(source, at)) {
      seen.add(box.type);
      at = box.end;
      if (seen.has('mdat') && seen.has('moov')) return hit - 4;
    }
  }
  return 0;
}
