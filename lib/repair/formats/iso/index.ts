import { counted, type Outcome } from '../../report';
import {
  addMending,
  copiedMended,
  type Mending,
  mendFrames,
  noteMending,
  nothingMended,
  unitReaderFor,
} from '../../video/mend';
import { countOverwritten, givenBack, noteOverwritten } from '../../video/overwritten';
import { readOutput, type Session, writeOutput } from '../../video/session';
import { countPackets } from '../../video/verify';
import { framesAdrift, nothingToBuildOn, tellAdrift } from './adrift';
import { parameterSets, readerFor, templateOf } from './demux/template';
import { gatherFragments, hasFragments, withoutTracks } from './fragments';
import { dropOverlapping, layIntoGaps, liesFree } from './gaps';
import { brandBox, findMovie, type Layout, topLevel, trailerLength } from './layout';
import { type Located, locate, sampleState } from './locate';
import type { Movie } from './movie';
import { repairWithoutIndex } from './rescue';
import type { Track } from './track';
import { type Plan, planTrack, writeMovie } from './write';

/** Checks and repairs MP4, MOV, M4V, 3GP and INSV (ISO/IEC 14496-12, QuickTime File Format). */
export async function repairIso(session: Session): Promise<Outcome> {
  const { source, draft } = session;
  const layout = topLevel(source);
  const movie = findMovie(source, layout, draft);
  if (source.size > 0 && (movie ? movie.fragmented : hasFragments(source))) {
    const gathered = await gatherFragments(session, layout, movie);
    if (!gathered && hasFragments(source)) return withoutTracks(session);
    if (!gathered) return (await repairWithoutIndex(session, layout, movie)) ?? withoutTracks(session);
    if (!movie) draft.find('index', 'The description of the tracks was missing or damaged.');
    if (gathered.breaks > 0)
      draft.find('structure', 'What lies between the parts of the video could not be read as one of them.');
    if (gathered.lost > 0) {
      draft.find('truncated', 'The data of the last part of the video is cut off.', source.size);
      draft.lost.push({ unit: 'packets', count: gathered.lost, detail: 'picture and sound that are cut off' });
    }
    const whole = { ...gathered.movie, whole: movie?.whole ?? false, skipped: 0 };
    return finish(session, layout, whole, await locate(session, gathered.movie.tracks));
  }
  if (movie) setAside(movie, source.size);
  const lacking = movie?.broken.some(({ kind }) => kind === 'vide' || kind === 'soun');
  const silent = movie && !movie.whole && !movie.tracks.some(({ kind }) => kind === 'soun');
  const blind = movie && movie.skipped > 0 && !movie.tracks.some(({ kind }) => kind === 'vide');
  if (!movie || lacking || silent || blind || movie.tracks.every((track) => track.sizes.length === 0)) {
    draft.wantsSample = true;
    const outcome = await repairWithoutIndex(session, layout, movie);
    if (outcome || !movie) return outcome ?? withoutTracks(session);
  }
  const located = await locate(session, movie.tracks);
  return finish(session, layout, movie, located);
}

/** Whether the chunks of a track lie inside the file and mostly rise, as they do in files of every camera. */
function isPlaced(track: Track, size: number): boolean {
  let rising = 0;
  let last = 0;
  for (const first of track.chunks) {
    const offset = track.offsets[first] ?? -1;
    if (offset > last && offset + (track.sizes[first] ?? 0) <= size) rising++;
    last = offset;
  }
  return rising >= track.chunks.length * 0.8 || track.chunks.length === 0;
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

const isPicture = (located: Located) => located.track.kind === 'vide';
const isSound = (located: Located) => located.track.kind === 'soun';

/** Findings about the boxes of the top level; what follows the last box may be a camera's own trailer. */
function judgeLayout(session: Session, layout: Layout, movie: Movie, samplesFine: boolean): void {
  const { source, draft, job } = session;
  const types = new Set(layout.boxes.map((found) => found.type));
  const brand = brandBox(session, layout);
  const oldQuickTime = job.format === 'mov' && /^(moov|mdat|wide|free|skip|pnot)$/.test(layout.boxes[0]?.type ?? '');
  if (!brand.own && !oldQuickTime)
    draft.find('header', 'The beginning that says what the file is was missing or damaged.', 0);
  if (!movie.whole) draft.find('index', 'The index of the video was damaged.');
  if (!types.has('moov') || !types.has('mdat'))
    draft.find(
      'structure',
      'The sizes of the parts of the file did not lead from one to the next.',
      Math.min(layout.stop, source.size),
    );
  const last = layout.boxes.at(-1);
  if (layout.stop > source.size && last && !['free', 'skip', 'uuid', 'udta'].includes(last.type))
    draft.find('truncated', 'The file ends before its last part does.', source.size);
  else if (layout.stop < source.size && !samplesFine)
    draft.find('structure', 'What follows could not be read as part of a video.', layout.stop);
}

/** The frames of codecs that leave no runs of zeroes. */
function* packedFrames(locateds: readonly Located[]): Generator<{ from: number; to: number }> {
  for (const { track, offsets, sizes, states } of locateds) {
    if (!/^(avc[1-4]|hvc1|hev1|dvh[1e]|dva[1v]|vp09|av01)$/.test(track.codec)) continue;
    for (const [index, from] of offsets.entries())
      if (states[index] === sampleState.whole && from >= 0) yield { from, to: from + (sizes[index] ?? 0) };
  }
}

/** Sets wrong bits right in the frames of tracks whose slices can be read. */
async function mendSamples(session: Session, locateds: readonly Located[]): Promise<Mending> {
  const all = nothingMended();
  for (const located of locateds) {
    const { codec, stsd, lengthBytes } = located.track;
    const kind = /^avc[1-4]$/.test(codec) ? 'avc' : /^(hvc1|hev1)$/.test(codec) ? 'hevc' : null;
    const reader =
      kind && lengthBytes === 4 ? unitReaderFor(kind, parameterSets(stsd), session.job.deadline.effort) : null;
    if (reader) addMending(all, await mendFrames(session, reader, packedFrames([located])));
  }
  return all;
}

function tally(locateds: Located[], state: number): number {
  return locateds.reduce((sum, located) => sum + located.states.filter((value) => value === state).length, 0);
}

async function finish(session: Session, layout: Layout, movie: Movie, located: Located[]): Promise<Outcome> {
  const { source, draft, job } = session;
  const judged = located.filter((one) => one.judged);
  const moves = judged.some((one) => one.moved > 0);
  const settled = located.filter((one) => !one.judged && one.track.inside && liesFree(source, one, judged));
  for (const one of located) {
    if (one.judged || !one.track.inside) continue;
    const beside = settled.filter((other) => other !== one);
    if (layIntoGaps(source, one, judged, beside))
      draft.find('places', 'The places of the sound in the file were wrong.');
    else if (moves) dropOverlapping(one, judged);
  }
  const local = located.filter((one) => one.track.inside);
  const gone = tally(local, sampleState.gone);
  const trimmed = tally(local, sampleState.trimmed);
  const moved = local.reduce((sum, one) => sum + one.moved, 0);
  const fine = gone + trimmed + moved === 0 && movie.tracks.every((track) => track.agreed);
  judgeLayout(session, layout, movie, fine);
  if (moved > 0) draft.find('places', `${counted(moved, 'packet')} did not lie where the index says.`);
  if (trimmed > 0) draft.find('content', `${counted(trimmed, 'frame')} had damaged data inside.`);
  if (gone > 0) draft.find('missing', `${counted(gone, 'packet')} of picture and sound are no longer in the file.`);
  if (movie.tracks.some((track) => !track.agreed))
    draft.find('tables', 'The tables of the index did not agree with one another.');
  const sound = draft.found.length === 0;
  const mending = await mendSamples(session, local);
  noteMending(draft, mending);
  noteOverwritten(draft, countOverwritten(source, packedFrames(local)));
  if (draft.found.length === 0) return draft.healthy('Nothing is wrong with this video; you get it back as it was.');
  const pictures = local.filter(isPicture).reduce((sum, { track }) => sum + track.sizes.length, 0);
  if (sound) return mending.mended > 0 ? copiedMended(session, pictures) : givenBack(draft, pictures);
  const plans = local.map(planTrack).filter((plan) => plan.kept.length > 0);
  if (
    !plans.some((plan) => isPicture(plan.located)) &&
    local.some(isPicture) &&
    tally(local.filter(isPicture), sampleState.gone) > 0
  )
    return draft.unrepairable('The index is there, but none of the frames that it lists are left in the file.');
  if (plans.length === 0)
    return draft.unrepairable(
      'The index is there, but nothing of the picture and sound that it lists is left in the file.',
    );
  const adrift = framesAdrift(source, plans);
  if (adrift.isAll) return draft.unrepairable(nothingToBuildOn);
  const trailer = trailerLength(source);
  const output = await writeOutput(job, async (sink) => {
    await writeMovie(session, sink, brandBox(session, layout).bytes, movie, plans);
    if (trailer > 0) sink.take(source, source.size - trailer, trailer);
  });
  draft.step('rebuild', 'A new index was written, and every surviving frame and sound packet was copied behind it.');
  if (!(await verified(session, plans)))
    return draft.unrepairable('The rebuilt video did not pass its own check, so it is not handed out.');
  measure(session, local, plans, adrift.count);
  if (movie.skipped > 0) draft.lost.push({ unit: 'tracks', count: movie.skipped, detail: 'whose tables were gone' });
  return draft.done(output, {
    repaired: 'The video is repaired: every frame and sound packet that the index lists is kept.',
    partly: 'The video plays again; what was missing or overwritten in the file is left out.',
  });
}

/** Opens the output again, with this reader and with an independent one, and compares what they see with what was to be written. */
async function verified(session: Session, plans: Plan[]): Promise<boolean> {
  const { job, draft } = session;
  const own = await readOutput(job, async (written) => {
    const again = topLevel(written);
    const movie = findMovie(written, again, draft);
    if (!movie?.whole || movie.tracks.length !== plans.length) return false;
    const found = await locate(
      { ...session, source: written, tell: (offset) => session.tell(offset, 0.8, 0.95) },
      movie.tracks,
    );
    return found.every(
      (one, index) =>
        one.moved === 0 &&
        one.states.length === plans[index]?.kept.length &&
        one.track.agreed &&
        !one.states.includes(sampleState.gone),
    );
  });
  const packets = await countPackets(job.outputPath, () => job.deadline.check());
  if (!packets) return own;
  draft.step(
    'check',
    `Opened again: ${counted(packets.video, 'frame')} and ${counted(packets.sound, 'sound packet')} were read.`,
  );
  return (
    own && (packets.video > 0 || !plans.some((plan) => isPicture(plan.located) && plan.located.track.lengthBytes > 0))
  );
}

function measure(session: Session, located: Located[], plans: Plan[], adrift: number): void {
  const { draft } = session;
  for (const [unit, belongs] of [
    ['frames', isPicture],
    ['sound packets', isSound],
    ['data packets', (one: Located) => !isPicture(one) && !isSound(one)],
  ] as const) {
    const there = plans.filter((plan) => belongs(plan.located)).reduce((sum, plan) => sum + plan.kept.length, 0);
    const kept = there - (unit === 'frames' ? adrift : 0);
    const own = located.filter(belongs);
    const lost = tally(own, sampleState.gone);
    const seconds = own.map(
      ({ track, states }) =>
        states.reduce(
          (sum, state, index) => sum + (state === sampleState.gone ? (track.durations[index] ?? 0) : 0),
          0,
        ) / track.timescale,
    );
    if (kept > 0) draft.kept.push({ unit, count: kept });
    if (lost > 0) draft.lost.push({ unit, count: lost, detail: `${Math.max(0, ...seconds).toFixed(1)} seconds` });
    const cut = tally(own, sampleState.trimmed);
    if (cut > 0)
      draft.lost.push({ unit: `${unit} in part`, count: cut, detail: 'cut back to their undamaged beginning' });
  }
  tellAdrift(draft, adrift);
  const longest = Math.max(0, ...plans.map((plan) => plan.mediaTime / plan.located.track.timescale));
  draft.kept.push({ unit: 'seconds', count: Math.round(longest * 10) / 10 });
}
