import { encrypted, type VideoExamined } from '../../families/video';
import type { Reading } from '../../video/session';
import type { Span } from './demux/demux';
import { dataSpans, freeOf } from './demux/spans';
import { readerFor, templateOf } from './demux/template';
import { gatherFragments, hasFragments } from './fragments';
import { tellKeys } from './keys';
import { findMovie, type Layout, topLevel } from './layout';
import { settleLengths } from './lengths';
import { examineListed } from './listed';
import { type Located, locate } from './locate';
import { isEven, type Movie } from './movie';
import { beginTelling, did, type IsoParts, type Telling, tellRate, tellUntold } from './parts';
import { settleChunks } from './places';
import { settleSizes } from './samplesizes';
import { settleScales } from './scales';
import { examineUnlisted, takenBy } from './searched';
import { isEncrypted, isEncryptedPiece, isFirstPiece, isLaterPiece, isWithoutSamples } from './streamed';
import type { Track } from './track';
import { describeTracks } from './undescribed';

type Examined = VideoExamined<IsoParts | null>;

/**
 * Surveys MP4, MOV, M4V, 3GP and INSV (ISO/IEC 14496-12, QuickTime File Format): by the index where it lists samples, by the tables of
 * fragments, and where neither tells enough by what the data looks like.
 */
export async function examineIso(reading: Reading): Promise<Examined> {
  const { source } = reading;
  const layout = topLevel(source);
  const told = beginTelling();
  const found = findMovie(source, layout);
  if (found?.damage) told.damages.push(found.damage);
  const movie = found?.movie ?? null;
  if (movie ? isEncrypted(movie) : isEncryptedPiece(source, layout)) return encrypted(null);
  if (movie && isFirstPiece(layout, movie, source.size) && !hasFragments(source))
    return { ...beginTelling(), hopeless: 'firstPiece', parts: null };
  if (movie && movie.undescribed.length > 0) {
    told.damages.push({ kind: 'tracks' });
    told.wantsSample = true;
    await describeTracks(reading, movie, (step) => did(told, step));
  }
  if (movie) settleScales(movie, () => reading.sample && findMovie(reading.sample, topLevel(reading.sample))?.movie);
  // What says that there are fragments (mvex) may be lost with a part of the index.
  const isFragmented = movie?.fragmented === true || (movie?.whole !== true && hasFragments(source));
  if (source.size > 0 && isFragmented) return examineFragments(reading, layout, movie, told);
  if (movie) settleLengths(source, movie);
  if (movie) settlePlaces(reading, layout, movie, told);
  if (!movie || isWanting(movie)) {
    told.wantsSample = true;
    const searched = await examineUnlisted(reading, layout, movie, told);
    if (searched) return searched;
    // Tracks that nothing could be found of stay out of what is written.
    if (movie) movie.skipped += movie.broken.length;
  }
  if (!movie) return undescribed(told, layout);
  const located = await locate(reading, movie.tracks);
  if (!movie.whole) tellKeys(source, located);
  tellPace(told, movie);
  if (lacksPictures(reading, layout, movie, located)) {
    movie.skipped = Math.max(1, movie.skipped);
    told.remarks = [...told.remarks, { kind: 'soundAlone' }];
  }
  return examineListed(reading, layout, movie, located, told);
}

/** Gives single samples their sizes and chunks their places back, and sets tracks aside of which the places say nothing. */
function settlePlaces(reading: Reading, layout: Layout, movie: Movie, told: Telling): void {
  const { source } = reading;
  const spans = dataSpans(source, layout);
  const sized = settleSizes(reading, movie.tracks, spans);
  if (sized > 0) told.damages.push({ kind: 'sizes', of: 'packets', count: sized });
  const moved = settleChunks(movie.tracks, spans);
  if (moved > 0) told.damages.push({ kind: 'places', of: 'packets', count: moved });
  // Of a file that was cut off more places lie behind its end than in it.
  setAside(movie, layout.boxes.at(-1)?.type === 'mdat' ? Math.max(source.size, layout.stop) : source.size);
}

/** Tells of pictures and sound at times that are a guess: their order of display is gone, or their durations, of which nothing says that they are even. */
function tellPace(told: Telling, { gone, tracks }: Movie): void {
  const isUneven = ({ raw, block }: Track) => gone.has('stts') && block === 0 && !raw.has('stts') && !isEven(raw);
  const pictures = tracks.filter(({ kind }) => kind === 'vide');
  const sounds = tracks.filter((track) => track.kind === 'soun' && isUneven(track));
  const areGuessed = gone.has('ctts') || pictures.some(isUneven);
  if (!areGuessed && sounds.length === 0) return;
  told.remarks.push({ kind: 'times', from: 'guess' });
  const samplesOf = (all: readonly Track[]) => all.reduce((sum, { sizes }) => sum + sizes.length, 0);
  if (areGuessed) told.lost.push({ unit: 'frames', count: samplesOf(pictures), how: 'paced' });
  if (sounds.length > 0) told.lost.push({ unit: 'sound packets', count: samplesOf(sounds), how: 'paced' });
}

/** Share of the media data beside the tracks that are listed from which on another track lay there. */
const leastLeft = 0.1;

/** Whether the pictures of a damaged index are gone: it lists sound alone, and that leaves much of the data unexplained. */
function lacksPictures(
  { source }: Reading,
  layout: Layout,
  { whole, tracks }: Movie,
  located: readonly Located[],
): boolean {
  if (whole || tracks.length === 0 || tracks.some(({ kind }) => kind === 'vide')) return false;
  const bytes = (spans: readonly Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0);
  const spans = dataSpans(source, layout);
  return bytes(freeOf(spans, takenBy(located))) > bytes(spans) * leastLeft;
}

/** A file of which nothing tells what its tracks are. */
function undescribed(told: Telling, layout: Layout): Examined {
  if (isLaterPiece(layout)) return { ...told, wantsSample: true, hopeless: 'laterPiece', parts: null };
  told.damages.push({ kind: 'tracks' });
  return { ...told, wantsSample: true, hopeless: 'undescribed', parts: null };
}

/** What the first piece of a stream, given as the working video, says of the pieces behind it; null for other videos. */
function firstPieceOf({ sample }: Reading): Movie | null {
  const movie = sample && findMovie(sample, topLevel(sample))?.movie;
  return movie?.fragmented && isWithoutSamples(movie) ? movie : null;
}

/** Seconds at the beginning of a recording that may well hold nothing. */
const leastBefore = 1;

async function examineFragments(
  reading: Reading,
  layout: Layout,
  movie: Movie | null,
  told: Telling,
): Promise<Examined> {
  const { source } = reading;
  const lent = movie === null && isLaterPiece(layout) ? firstPieceOf(reading) : null;
  if (lent) told.remarks.push({ kind: 'description', from: 'sample' });
  const gathered = await gatherFragments(reading, layout, movie ?? lent, (step) => did(told, step));
  if (!gathered) {
    const searched = hasFragments(source) ? null : await examineUnlisted(reading, layout, movie, told);
    return searched ?? undescribed(told, layout);
  }
  if (!movie) told.damages.push({ kind: 'tracks' });
  if (gathered.untold > 0) tellUntold(told, gathered.untold, gathered.located);
  if (gathered.choice) tellRate(told, gathered.choice, gathered.located);
  if (gathered.paced > 0) {
    told.remarks.push({ kind: 'times', from: 'guess' });
    told.lost.push({ unit: 'frames', count: gathered.paced, how: 'paced' });
  }
  if (gathered.sized > 0) told.damages.push({ kind: 'sizes', of: 'packets', count: gathered.sized });
  if (gathered.isMoved) told.damages.push({ kind: 'index', how: 'unfit' });
  if (gathered.breaks > 0) told.damages.push({ kind: 'structure', how: 'between' });
  // A live recording may begin at any time; one whose beginning is gone began at zero, as its first fragment may say.
  if (!movie && (gathered.before >= leastBefore || (gathered.isLater && gathered.before > 0)))
    told.lost.push({ unit: 'seconds', count: Math.round(gathered.before * 10) / 10, how: 'before' });
  if (gathered.lost > 0) {
    told.damages.push({ kind: 'truncated', of: 'fragment', offset: source.size });
    told.lost.push({ unit: 'packets', count: gathered.lost, how: 'cut' });
  }
  const whole = { ...gathered.movie, whole: movie?.whole === true && !gathered.isTorn, skipped: 0 };
  return examineListed(reading, layout, whole, await locate(reading, gathered.movie.tracks, gathered.pieces), told);
}

/** Whether an index leaves open what looking at the data may tell: tracks without places, or none of sound or pictures. */
function isWanting({ tracks, broken, whole, skipped }: Movie): boolean {
  const has = (kind: string) => tracks.some((track) => track.kind === kind);
  const lacks = broken.some(({ kind }) => kind === 'vide' || kind === 'soun');
  const isSilent = !whole && !has('soun');
  const isBlind = (skipped > 0 || !whole) && !has('vide');
  return lacks || isSilent || isBlind || tracks.every(({ sizes }) => sizes.length === 0);
}

/** Share of a track's chunks that rise in files of every camera. */
const rising = 0.8;

/** Whether the chunks of a track lie inside the file and mostly rise, as they do in files of every camera. */
function isPlaced(track: Track, size: number): boolean {
  let count = 0;
  let last = 0;
  for (const first of track.chunks) {
    const offset = track.offsets[first] ?? -1;
    if (offset > last && offset + (track.sizes[first] ?? 0) <= size) count++;
    last = offset;
  }
  return count >= track.chunks.length * rising || track.chunks.length === 0;
}

/**
 * Counts tracks whose places are worthless as broken where looking at the data tells more than fitting sizes into gaps: pictures other
 * than NAL units, and sound when several tracks share the gaps.
 */
function setAside(movie: Movie, size: number): void {
  const lost = movie.tracks.filter((track) => track.inside && !isPlaced(track, size));
  const sounds = lost.filter(({ kind }) => kind === 'soun').length;
  const pictures = lost.some(({ kind, lengthBytes }) => kind === 'vide' && lengthBytes === 0);
  // Speech frames carry so little that known sizes say more.
  if ((!pictures && sounds < 2) || lost.some(({ codec }) => /^s(amr|awb)$/.test(codec))) return;
  for (const track of lost) {
    if (readerFor(templateOf(track, null, true)) === null) continue;
    movie.tracks.splice(movie.tracks.indexOf(track), 1);
    movie.broken.push({
      ...track,
      sizes: new Uint32Array(),
      offsets: new Float64Array(),
      chunks: new Uint32Array(),
      entries: null,
    });
  }
}
