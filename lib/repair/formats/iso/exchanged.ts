import type { UnitReader } from '../../codecs/units';
import type { Buffer } from '../../host/bytes';
import type { Effort } from '../../report';
import { type FaultOf, faultBefore, findExchanged, type Judged } from '../../video/exchanged';
import { codedUnits } from '../../video/pictures';
import type { Reading } from '../../video/session';
import type { Moves } from '../../video/view';
import { judgeFor, soundJudgeFor } from '../judges';
import { gatherFragments } from './fragments';
import { faultInPictures, judgedCodec, judgedSound, slicesOf } from './judged';
import { findMovie, topLevel } from './layout';
import { isH263, isMpeg4, nalAt } from './probes';
import type { Track } from './track';

/** Effort for pieces in each other's place, in units: about what a second look at all frames takes. */
const searchEffort = 2400;
/** Largest sample that is judged, and most samples, in bytes and in number. */
const largest = 4 << 20;
const mostSamples = 400_000;

type Judge = { isSure: boolean; faultOf: FaultOf };

/** Where a chain of NAL units (ISO/IEC 14496-15, 4.3.2) leads nowhere, or a slice in it ends too soon or too late. */
function inUnits(track: Track, reader: UnitReader | null): FaultOf {
  return (bytes) => {
    for (let at = 0, before = 0; at < bytes.length; ) {
      const length = nalAt(bytes, at, track);
      // Either this length is wrong, or the one that led here.
      if (length === 0) return faultBefore(before, at + track.lengthBytes);
      const body = at + track.lengthBytes;
      const unit = bytes.subarray(body, body + length);
      const broken = reader?.isSlice(unit) ? reader.brokenAt(unit) : -1;
      if (broken >= 0) return faultBefore(at, body + broken);
      before = at;
      at = body + length;
    }
    return null;
  };
}

/** The judge of the samples of a track; null where nothing tells whether they are what was written. */
function judgeOf(reading: Reading, track: Track, effort: Effort): Judge | null {
  const { job, source } = reading;
  if (track.lengthBytes > 0) {
    const reader = slicesOf(track, effort);
    return { isSure: reader !== null && !reader.isBlind, faultOf: inUnits(track, reader) };
  }
  if (isH263(track) || isMpeg4(track)) {
    const frames = [{ from: track.offsets[0] ?? 0, to: (track.offsets[0] ?? 0) + (track.sizes[0] ?? 0) }];
    const faultOf = faultInPictures(track, codedUnits(source, frames), effort);
    return faultOf && { isSure: false, faultOf };
  }
  const sound = judgedSound(track);
  const codec = judgedCodec(track);
  const frames = sound
    ? soundJudgeFor(sound, effort)
    : codec === 'jpeg' || codec === 'prores'
      ? judgeFor(codec, job)
      : null;
  // What cannot be judged may be another piece's bytes in the place of what tells it.
  const faultOf = (bytes: Buffer) => (frames?.isSound(bytes) === true ? null : { from: 0, to: bytes.length });
  return frames && { isSure: false, faultOf };
}

/** The samples of all tracks that can be judged, in the order in which they lie. */
function judgedSamples(reading: Reading, tracks: readonly Track[], effort: Effort): Judged[] {
  const judged: Judged[] = [];
  for (const track of tracks) {
    const judge = track.inside ? judgeOf(reading, track, effort) : null;
    if (!judge) continue;
    for (const [index, from] of track.offsets.entries()) {
      const to = from + (track.sizes[index] ?? 0);
      if (from < 0 || to <= from || to - from > largest || to > reading.source.size) continue;
      judged.push({ from, to, isSound: track.kind === 'soun', ...judge });
      if (judged.length > mostSamples) return [];
    }
  }
  return judged.sort((left, right) => left.from - right.from);
}

/** The tracks with the samples that the index of a file lists, or its fragments do; none where it is damaged itself. */
async function listedTracks(reading: Reading): Promise<readonly Track[]> {
  const layout = topLevel(reading.source);
  const movie = findMovie(reading.source, layout)?.movie;
  if (!movie?.whole) return [];
  if (!movie.fragmented) return movie.tracks;
  const gathered = await gatherFragments(reading, layout, movie, () => undefined);
  return gathered?.movie.tracks ?? [];
}

/** Pieces of a file that stand in each other's place, by the samples that its index lists; null where there are none. */
export async function findMoved(reading: Reading): Promise<Moves | null> {
  const tracks = await listedTracks(reading);
  const effort = reading.job.deadline.effort.share(searchEffort);
  const samples = judgedSamples(reading, tracks, effort);
  return samples.length > 0 ? findExchanged(reading, samples, effort) : null;
}
