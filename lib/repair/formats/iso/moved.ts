import { readAac, readAacConfig } from '../../codecs/aac/frame';
import { descriptor } from '../../codecs/configuration';
import { boxAt } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import { topLevel } from './layout';
import type { Track } from './track';

/** From table offset `from` on, data lies `shift` bytes away from where the table says. */
export type Shift = { from: number; shift: number };

/**
 * How far the data of a file was moved, where none of its pictures tell by their content: the tables cannot place data where the index
 * itself lies. Bytes lost at the beginning move everything; for bytes lost in between, sound whose frames can be read tells from where
 * on. Empty when nothing speaks of a move, or nothing tells its place.
 */
export function shiftsByLayout(source: Source, tracks: readonly Track[]): Shift[] {
  const local = tracks.filter((track) => track.inside && track.chunks.length > 0);
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const track of local)
    for (const [index, offset] of track.offsets.entries()) {
      if (offset < 0) continue;
      start = Math.min(start, offset);
      end = Math.max(end, offset + (track.sizes[index] ?? 0));
    }
  const { boxes } = topLevel(source);
  const before = boxes[0]?.type === 'ftyp' ? 0 : bytesBefore(source);
  if (before > 0 && start + before < source.size && end + before <= source.size) return [{ from: 0, shift: before }];
  const index = boxes.find(({ type }) => type === 'moov')?.offset ?? source.find(Buffer.from('moov'), 0) - 4;
  if (index < 0 || index < start || end <= index) return [];
  const shift = index - end;
  const headless = boxes[0]?.type !== 'ftyp';
  if (headless && start + shift < start) return [{ from: 0, shift }];
  const sound = local.find(({ codec }) => codec === 'mp4a');
  const from = sound ? firstMoved(source, sound, shift) : -1;
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

/** The place in the tables of the first chunk of AAC that is not where they say but can be read behind the move; -1 when there is none. */
function firstMoved(source: Source, track: Track, shift: number): number {
  const config = readAacConfig(descriptor(track.stsd, 5) ?? Buffer.alloc(0));
  if (!config) return -1;
  const isFrame = (offset: number, size: number) => readAac(source.copy(offset, size), config)?.length === size;
  for (const first of track.chunks) {
    const [offset, size] = [track.offsets[first] ?? -1, track.sizes[first] ?? 0];
    if (offset < 0 || size < 8 || isFrame(offset, size)) continue;
    if (isFrame(offset + shift, size)) return offset;
  }
  return -1;
}
