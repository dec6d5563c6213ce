import { descriptor } from '../../codecs/configuration';
import type { VideoExamined } from '../../families/video';
import type { Damage, SampleUnit } from '../../report/facts/video';
import { addMending, factsOf, type Mending, mendFrames, mendUnits, nothingMended } from '../../video/mend';
import { countOverwritten, overwrittenFacts } from '../../video/overwritten';
import { codedUnits, h263ReaderFor, mendMpeg2, planeReaderFor, wholeUnits } from '../../video/pictures';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { judgingEffort, type Unreadable, unreadableFrames } from '../../video/unreadable';
import { judgeFor, soundJudgeFor } from '../judges';
import { dropAdrift, framesAdrift } from './adrift';
import { dropOverlapping, freeOfTracks, layIntoGaps, liesFree, takenBy } from './gaps';
import { judgedCodec, judgedSound, slicesOf } from './judged';
import { brandBox, type Layout } from './layout';
import { type Located, sampleState } from './locate';
import { bytesGone } from './moved';
import type { Movie } from './movie';
import { type IsoParts, isPicture, isSound, shownSeconds, type Telling } from './parts';
import { isH263, isMpeg2, isMpeg4 } from './probes';
import { isKnownTrailer, trailerLength } from './trailers';
import { planTrack } from './write';

/** Boxes behind the last sample that are no part of the video: a file cut inside of one has lost nothing. */
const dispensable = ['free', 'skip', 'uuid', 'udta'];

/** What is wrong with the boxes of the top level; what follows the last box may be a camera's own trailer. */
function layoutDamages(reading: Reading, layout: Layout, movie: Movie): Damage[] {
  const { source, job } = reading;
  const damages: Damage[] = [];
  const types = new Set(layout.boxes.map((found) => found.type));
  const brand = brandBox(reading, layout);
  const oldQuickTime = job.format === 'mov' && /^(moov|mdat|wide|free|skip|pnot)$/.test(layout.boxes[0]?.type ?? '');
  if (!brand.own && !oldQuickTime) damages.push({ kind: 'header', how: 'missing', offset: 0 });
  if (!movie.whole) damages.push({ kind: 'index', how: 'damaged' });
  if (!types.has('moov') || !types.has('mdat'))
    damages.push({ kind: 'structure', how: 'chain', offset: Math.min(layout.stop, source.size) });
  const last = layout.boxes.at(-1);
  if (layout.stop > source.size && last && !dispensable.includes(last.type))
    damages.push({ kind: 'truncated', of: 'box', offset: source.size });
  else if (layout.stop < source.size && !isKnownTrailer(source, layout.stop))
    damages.push({ kind: 'structure', how: 'rest', offset: layout.stop });
  return damages;
}

/** The frames of codecs that leave no runs of zeroes. */
function* packedFrames(locateds: readonly Located[]): Generator<{ from: number; to: number }> {
  for (const { track, offsets, sizes, states } of locateds) {
    if (!/^(avc[1-4]|hvc1|hev1|dvh[1e]|dva[1v]|vp09|av01)$/.test(track.codec)) continue;
    for (const [index, from] of offsets.entries())
      if (states[index] === sampleState.whole && from >= 0) yield { from, to: from + (sizes[index] ?? 0) };
  }
}

/** The samples of a track that are all there, as stretches of the file. */
function wholeSamples({ offsets, sizes, states }: Located): { from: number; to: number }[] {
  const whole = [...offsets.keys()].filter((index) => states[index] === sampleState.whole);
  return whole.map((index) => ({ from: offsets[index] ?? 0, to: (offsets[index] ?? 0) + (sizes[index] ?? 0) }));
}

/** Frames and sound of tracks that can be judged by themselves, and cannot be read to their end. */
function judgeSamples({ source, job }: Reading, locateds: readonly Located[]): Unreadable[] {
  const pictures = job.deadline.effort.share(judgingEffort);
  const frames = locateds.flatMap((one) => {
    const codec = judgedCodec(one.track);
    return codec ? [unreadableFrames(source, wholeSamples(one), judgeFor(codec, job), pictures)] : [];
  });
  const sounds = job.deadline.effort.share(judgingEffort);
  const packets = locateds.flatMap((one) => {
    const sound = judgedSound(one.track);
    const judge = sound && soundJudgeFor(sound, sounds);
    return judge ? [unreadableFrames(source, wholeSamples(one), judge, sounds, 'sound packets')] : [];
  });
  return [...frames, ...packets];
}

/** Sets wrong bits right in pictures without arithmetic coding: MPEG-2, MPEG-4 Part 2, and H.263 (3GPP TS 26.244, 6.3). */
async function mendPictures(reading: Reading, located: Located): Promise<Mending> {
  const { source, job } = reading;
  const { track } = located;
  const { effort } = job.deadline;
  const frames = wholeSamples(located);
  if (isH263(track)) return mendUnits(reading, h263ReaderFor('h263', effort), wholeUnits(source, frames));
  if (isMpeg2(track)) return mendMpeg2(reading, () => codedUnits(source, frames));
  if (!isMpeg4(track)) return nothingMended();
  const reader = planeReaderFor(descriptor(track.stsd, 5), codedUnits(source, frames), effort);
  return reader ? mendUnits(reading, reader, codedUnits(source, frames)) : nothingMended();
}

/** Units of effort for the frames of all tracks together: as much as two of the dearest codec may take, as the two lenses of a camera have. */
const mostMending = 11_400;

/** Sets wrong bits right in the frames of tracks whose slices can be read. */
async function mendSamples(given: Reading, locateds: readonly Located[]): Promise<Mending> {
  const reading = { ...given, job: { ...given.job, deadline: given.job.deadline.within(mostMending) } };
  const all = nothingMended();
  for (const located of locateds) {
    addMending(all, await mendPictures(reading, located));
    const reader = slicesOf(located.track, reading.job.deadline.effort);
    if (reader) addMending(all, await mendFrames(reading, reader, packedFrames([located])));
  }
  return all;
}

function tally(locateds: readonly Located[], state: number): number {
  return locateds.reduce((sum, { states }) => sum + states.filter((value) => value === state).length, 0);
}

/** Gives places to tracks that cannot be judged by their data, or drops what lies where pictures were found. */
function settlePlaces(source: Source, located: readonly Located[]): Damage[] {
  const judged = located.filter((one) => one.judged);
  const moves = judged.some((one) => one.moved > 0);
  const open = located.filter((one) => !one.judged && one.track.inside);
  const taken = takenBy(judged);
  const settled = new Set(open.filter((one) => liesFree(source, one, taken)));
  // What all of these leave free is the same for each track that is none of them.
  let others: ReturnType<typeof freeOfTracks> | null = null;
  const freeFor = (one: Located) => {
    if (settled.has(one)) return freeOfTracks(source, [...judged, ...[...settled].filter((other) => other !== one)]);
    others ??= freeOfTracks(source, [...judged, ...settled]);
    return others;
  };
  const damages: Damage[] = [];
  for (const one of open) {
    if (layIntoGaps(source, one, taken, () => freeFor(one))) {
      damages.push({ kind: 'places', of: 'sound' });
      if (settled.has(one)) others = null;
    } else if (moves) dropOverlapping(one, taken);
  }
  return damages;
}

/** What is wrong with the samples that the index lists, and with what it says of them. */
function sampleDamages(local: readonly Located[], movie: Movie): Damage[] {
  const damages: Damage[] = [];
  const moved = local.reduce((sum, one) => sum + one.moved, 0);
  const [trimmed, gone] = [tally(local, sampleState.trimmed), tally(local, sampleState.gone)];
  if (moved > 0) damages.push({ kind: 'places', of: 'packets', count: moved });
  if (trimmed > 0) damages.push({ kind: 'content', count: trimmed });
  if (gone > 0) damages.push({ kind: 'missing', count: gone });
  if (movie.tracks.some((track) => !track.agreed)) damages.push({ kind: 'tables', of: 'index' });
  return damages;
}

/** Judges a file by what its index lists, and plans the one that is written of what is left. */
export async function examineListed(
  reading: Reading,
  layout: Layout,
  movie: Movie,
  located: Located[],
  told: Telling,
): Promise<VideoExamined<IsoParts | null>> {
  const { source } = reading;
  told.damages.push(...settlePlaces(source, located));
  const local = located.filter((one) => one.track.inside);
  const samples = sampleDamages(local, movie);
  told.damages.push(...layoutDamages(reading, layout, movie), ...samples);
  const mending = factsOf(await mendSamples(reading, local));
  const overwritten = overwrittenFacts(countOverwritten(source, packedFrames(local)));
  const unreadable = judgeSamples(reading, local);
  told.inside.push(...mending.damages, ...overwritten.damages, ...unreadable.flatMap(({ damages }) => damages));
  told.steps.push(...mending.steps);
  told.rebuilt.push(...mending.rebuilt);
  told.lost.push(...mending.lost, ...overwritten.lost, ...unreadable.flatMap(({ lost }) => lost));
  if (told.damages.length === 0) {
    const frames = local.filter(isPicture).reduce((sum, { track }) => sum + track.sizes.length, 0);
    return { ...told, kept: [{ unit: 'frames', count: frames }], hopeless: null, parts: null };
  }
  const dropped = local.reduce((sum, one) => sum + dropAdrift(one), 0);
  const plans = local.map(planTrack).filter(({ kept }) => kept.length > 0);
  const pictures = local.filter(isPicture);
  const isShown = plans.some((plan) => isPicture(plan.located));
  if (!isShown && tally(pictures, sampleState.gone) > 0) return { ...told, hopeless: 'framesGone', parts: null };
  if (plans.length === 0) return { ...told, hopeless: 'allGone', parts: null };
  const adrift = framesAdrift(source, plans);
  if (adrift.isAll) return { ...told, hopeless: 'adrift', parts: null };
  const isRestAlone = told.damages.every((damage) => damage.kind === 'structure' && damage.how === 'rest');
  const parts: IsoParts = {
    ...{ movie, plans, isListed: true, needsPicture: false },
    keptBytes: isRestAlone && !local.some((one) => reachesBehind(one, layout.stop)) ? layout.stop : 0,
    brand: brandBox(reading, layout).bytes,
    trailer: trailerLength(source),
  };
  countSamples(told, local, parts, { shown: adrift.count, dropped });
  const cut = isCounted(local, told) || movie.fragmented ? 0 : bytesGone(source, movie.tracks);
  if (cut > 0) told.lost.push({ unit: 'bytes', count: cut, how: 'cut' });
  if (movie.skipped > 0) told.lost.push({ unit: 'tracks', count: movie.skipped, how: 'untabled' });
  return { ...told, hopeless: null, parts };
}

/**
 * Whether bytes that are gone are told of already, or were none: all lies further in front then. What is gone at a place that nothing tells
 * lies in samples that count as kept.
 */
function isCounted(local: readonly Located[], { lost }: Telling): boolean {
  const isPlaced = local.some(({ judged, moved }) => judged || moved > 0);
  const isInPlace = local.some(({ offsets, track }) => offsets.length > 0 && offsets[0] === track.offsets[0]);
  return isPlaced && (lost.length > 0 || !isInPlace);
}

/** Whether a sample that is there lies behind a place, as those of later fragments do behind what breaks the chain of boxes. */
const reachesBehind = ({ offsets, sizes, states }: Located, place: number) =>
  offsets.some((from, index) => states[index] !== sampleState.gone && from + (sizes[index] ?? 0) > place);

/** Kinds of samples, and which tracks hold them. */
const units: readonly (readonly [SampleUnit, (one: Located) => boolean])[] = [
  ['frames', isPicture],
  ['sound packets', isSound],
  ['data packets', (one) => !isPicture(one) && !isSound(one)],
];

/** Counts what is kept of each kind of samples, and what is lost; frames that build on one that is gone are shown all the same, or dropped. */
function countSamples(
  told: Telling,
  local: readonly Located[],
  { plans }: IsoParts,
  adrift: { shown: number; dropped: number },
): void {
  for (const [unit, belongs] of units) {
    const there = plans.filter((plan) => belongs(plan.located)).reduce((sum, plan) => sum + plan.kept.length, 0);
    const kept = there - (unit === 'frames' ? adrift.shown : 0);
    const own = local.filter(belongs);
    const gone = tally(own, sampleState.gone) - (unit === 'frames' ? adrift.dropped : 0);
    if (kept > 0) told.kept.push({ unit, count: kept });
    if (gone > 0) told.lost.push({ unit, count: gone, how: 'gone', seconds: Math.max(0, ...own.map(secondsGone)) });
    const cut = tally(own, sampleState.trimmed);
    if (cut > 0) told.lost.push({ unit: `${unit} in part`, count: cut, how: 'trimmed' });
  }
  const build = adrift.shown + adrift.dropped;
  if (build > 0) told.lost.push({ unit: 'frames', count: build, how: 'adrift' });
  told.kept.push({ unit: 'seconds', count: shownSeconds(plans) });
}

/** Seconds of a track that are no longer in the file. */
function secondsGone({ track, states }: Located): number {
  const ticks = states.reduce(
    (sum, state, index) => sum + (state === sampleState.gone ? (track.durations[index] ?? 0) : 0),
    0,
  );
  return ticks / track.timescale;
}
