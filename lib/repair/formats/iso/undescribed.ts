import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import type { Span } from './demux/demux';
import { soundOfPackets } from './demux/exact';
import { mostOf, nalKind, pictureOfFrames, pictureOfUnits } from './demux/framed';
import { readerFor, templateOf } from './demux/template';
import { mpeg4BySearch } from './demux/untold-mpeg4';
import { findMovie, topLevel } from './layout';
import type { Movie, Undescribed } from './movie';
import { looksRight } from './probes';
import { pcmBlock, type Track } from './track';

/** Samples of a track that are looked at. */
const looked = 600;

/** The first samples of a track that lie in the file. */
function spansOf(source: Source, { offsets, sizes }: Track): Span[] {
  const spans: Span[] = [];
  for (let index = 0; index < sizes.length && spans.length < looked; index++) {
    const from = offsets[index] ?? -1;
    const to = from + (sizes[index] ?? 0);
    if (from >= 0 && to > from && to <= source.size) spans.push({ from, to });
  }
  return spans;
}

/** Whether the samples of a track are such as another track's description speaks of. */
function fits(source: Source, track: Track, spans: readonly Span[], other: Track): boolean {
  const block = pcmBlock(other.stsd);
  if (block > 0) return spans.every(({ from, to }) => to - from === block);
  const read = readerFor(templateOf({ ...other, sizes: track.sizes, offsets: track.offsets }, source, false));
  const isRight = ({ from, to }: Span) => {
    const told = looksRight(source, other, from, to - from);
    return (
      told ??
      (read === null || read.reader.way !== 'whole' || read.reader.measure(source, from, to)?.size === to - from)
    );
  };
  return spans.filter(isRight).length >= spans.length * mostOf;
}

/** Where version 0 of tkhd (ISO/IEC 14496-12, 8.3.2) has width and height, and version 1. */
const sidesAt = [84, 96] as const;

/** Width and height of a track's header, which a description from elsewhere must share. */
function sidesOf({ raw }: Track): string {
  const tkhd = raw.get('tkhd');
  const at = sidesAt[tkhd?.[8] === 1 ? 1 : 0];
  return tkhd && tkhd.length >= at + 8 ? tkhd.toString('hex', at, at + 8) : '';
}

/** The description of the same kind of track in a working video of the same camera. */
function lentBy({ source, sample }: Reading, track: Track, spans: readonly Span[]): Track['stsd'] | null {
  const movie = sample ? findMovie(sample, topLevel(sample))?.movie : null;
  const same = movie?.tracks.find(
    (other) =>
      other.kind === track.kind &&
      (track.kind === 'vide' ? sidesOf(other) === sidesOf(track) : other.timescale === track.timescale) &&
      fits(source, track, spans, other),
  );
  return same?.stsd ?? null;
}

/** The description that samples tell themselves. */
async function toldBy(
  reading: Reading,
  track: Track,
  spans: readonly Span[],
  did: (step: Step) => void,
): Promise<Track['stsd'] | null> {
  const { source } = reading;
  if (track.kind === 'soun')
    return soundOfPackets(source, { spans, rate: track.timescale, step: track.durations[0] ?? 0 });
  if (track.kind !== 'vide') return null;
  const units = nalKind(source, spans);
  const found = units
    ? await pictureOfUnits(reading, spans, units, () => null, did)
    : (pictureOfFrames(source, spans) ?? mpeg4BySearch(reading, spans, did));
  return found?.stsd ?? null;
}

/**
 * Describes anew the tracks whose description (stsd) is gone while their tables still tell each sample: by a working video of the same
 * camera where its description fits the samples, otherwise by the samples. Those that stay undescribed count as skipped.
 */
export async function describeTracks(reading: Reading, movie: Movie, did: (step: Step) => void): Promise<void> {
  for (const lost of movie.undescribed) {
    const { track, describedBy } = lost;
    const spans = spansOf(reading.source, track);
    const stsd =
      spans.length > 0 ? (lentBy(reading, track, spans) ?? (await toldBy(reading, track, spans, did))) : null;
    const whole = stsd && describedBy(stsd);
    if (whole) movie.tracks.push(whole);
    else movie.skipped++;
  }
  if (movie.undescribed.length > 0) movie.tracks.sort((left, right) => left.id - right.id);
  movie.undescribed = [] satisfies Undescribed[];
}
