import { readAac, readAacConfig } from '../../codecs/aac/frame';
import { descriptor } from '../../codecs/configuration';
import { readVp9Key } from '../../codecs/vp9/key';
import { commonest } from '../../core/commonest';
import { Buffer } from '../../host/bytes';
import type { Source } from '../../video/source';
import type { Track } from './track';

/** The place in the tables of the first chunk of AAC that is not where they say but can be read behind the move; -1 when there is none. */
function firstOfAac(source: Source, track: Track, shift: number): number {
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

/** Bytes that the head of a key frame of VP9 takes. */
const headBytes = 16;

/** Whether something that begins as samples of a track do lies at a place; null for codecs whose samples begin with anything. */
function markOf(source: Source, track: Track, shift: number): ((index: number, at: number) => boolean) | null {
  if (track.codec === 'Opus') {
    const heads = [0, shift].flatMap((by) => [...track.offsets].map((at) => source.read(at + by, 1)[0] ?? 0));
    const { value } = commonest(heads);
    return (_, at) => source.read(at, 1)[0] === value;
  }
  if (track.codec !== 'vp09') return null;
  const keyAt = (at: number) => readVp9Key(source.copy(at, headBytes));
  // Frames begin with a marker and the profile of the track (VP9 bitstream specification, 6.2), key frames with more.
  const key = [...track.offsets].map(keyAt).find((found) => found !== null);
  const profile = key?.profile ?? 0;
  const first = 0x80 | ((profile & 1) << 5) | ((profile & 2) << 3);
  return (index, at) =>
    track.keys?.[index] === 1 ? keyAt(at) !== null : ((source.read(at, 1)[0] ?? 0) & 0xf0) === first;
}

/** Share of those samples that say anything that must begin as they do on their side of the turning point, and the fewest on the moved one. */
const mostOf = 0.9;
const fewest = 3;

/**
 * From which place in the tables on samples lie `shift` bytes from where they say, by how most of them begin: with one place, the most
 * samples before it are where they say, and behind it where they were moved to. -1 where no place fits.
 */
function firstByMarks(source: Source, tracks: readonly Track[], shift: number): number {
  const samples = tracks.flatMap((track) => {
    const mark = markOf(source, track, shift);
    if (!mark) return [];
    return [...track.offsets].map((at, index) => ({ at, still: mark(index, at), moved: mark(index, at + shift) }));
  });
  // Those that begin as none should on either side say nothing: an encoder of sound changes its ways now and then.
  const telling = samples.filter(({ still, moved }) => still || moved).sort((left, right) => left.at - right.at);
  let fit = telling.filter(({ moved }) => moved).length;
  let best = { fit, place: 0 };
  for (const [index, { still, moved }] of telling.entries()) {
    fit += Number(still) - Number(moved);
    if (fit > best.fit) best = { fit, place: index + 1 };
  }
  const isMost = telling.length * 2 >= samples.length && best.fit >= telling.length * mostOf;
  return isMost && telling.length - best.place >= fewest ? (telling[best.place]?.at ?? -1) : -1;
}

/**
 * From which place in the tables on data was moved by `shift` bytes, by sound whose frames can be read, else by how samples begin; -1 where
 * neither tells it.
 */
export function turningPoint(source: Source, tracks: readonly Track[], shift: number): number {
  const sound = tracks.find(({ codec }) => codec === 'mp4a');
  const from = sound ? firstOfAac(source, sound, shift) : -1;
  return from >= 0 ? from : firstByMarks(source, tracks, shift);
}
