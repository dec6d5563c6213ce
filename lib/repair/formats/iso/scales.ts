import { boxBytes } from './boxsizes';
import { usualRates } from './demux/rate';
import { headerScale, headerSeconds } from './headers';
import type { Movie } from './movie';
import type { Track } from './track';

/** How far a usual frame rate may be from what the length of the sound tells, as a logarithm. */
const mostOff = 0.04;

/** Ticks of all samples of a track. */
export const ticks = ({ durations }: Track) => durations.reduce((sum, value) => sum + value, 0);
const isTimed = ({ raw }: Track) => headerScale(raw) > 0;

/** The duration that most samples have, in ticks. */
function usualDuration({ durations }: Track): number {
  const counts = new Map<number, number>();
  for (const value of durations) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0] ?? 0;
}

/** Ticks a second of sound whose samples count in its sampling rate, as they do in nearly all files (ISO/IEC 14496-12, 12.2.3); 0 where nothing tells it. */
const scaleOfSound = ({ stsd }: Track) => (stsd.length >= boxBytes.stsdRate ? stsd.readUInt16BE(48) : 0);

/** Ticks a second of pictures that last as long as the rest: those of a usual frame rate where one fits. */
function scaleOfPictures(track: Track, seconds: number): number {
  const told = ticks(track) / seconds;
  const step = usualDuration(track);
  const scales = usualRates.map(([scale, each]) => (scale / each) * step);
  const off = (scale: number) => Math.abs(Math.log(told / scale));
  const [best] = scales.sort((left, right) => off(left) - off(right));
  return Math.round(best && off(best) < mostOff ? best : told);
}

/**
 * Gives ticks a second (mdhd, 8.4.2) to tracks whose media header is gone while their durations are left: sound by its sampling rate,
 * pictures by a working video of the same camera, `lent`, which counts in the same way, else by how long the other tracks last.
 */
export function settleScales(movie: Movie, lent: () => Movie | null | undefined): void {
  const all = [...movie.tracks, ...movie.broken];
  const open = all.filter((track) => !isTimed(track) && track.raw.has('stts'));
  if (open.length === 0) return;
  movie.whole = false;
  for (const track of open.filter(({ kind }) => kind === 'soun'))
    track.timescale = scaleOfSound(track) || track.timescale;
  const timed = all.filter((track) => isTimed(track) || track.kind === 'soun');
  const seconds = Math.max(0, ...timed.map((track) => ticks(track) / track.timescale));
  for (const track of open.filter(({ kind }) => kind === 'vide')) {
    const same = lent()?.tracks.find(
      ({ kind, codec, durations }) => kind === track.kind && codec === track.codec && durations.length > 0,
    );
    const length = headerSeconds(track.raw, movie.raw) || seconds;
    if (same && usualDuration(same) === usualDuration(track)) track.timescale = same.timescale;
    else if (length > 0) track.timescale = scaleOfPictures(track, length);
  }
}
