import type { Buffer } from '../../host/bytes';
import { counted, type Outcome } from '../../report';
import { readOutput, type Session, writeOutput } from '../../video/session';
import { countPackets } from '../../video/verify';
import { framesAdrift, nothingToBuildOn, tellAdrift } from './adrift';
import { assemble, type Part } from './demux/assemble';
import type { Span } from './demux/demux';
import { guessSounds } from './demux/guess';
import { guessPcm } from './demux/guess-pcm';
import { settleStep } from './demux/rate';
import { dataSpans, freeOf } from './demux/spans';
import { shareAmong, splitStretches, wholeFrames } from './demux/split';
import { demux, templatesFor, type Wish } from './demux/wishes';
import { brandBox, findMovie, type Layout, topLevel } from './layout';
import { type Located, locate, sampleState } from './locate';
import type { Movie } from './movie';
import { planTrack, writeMovie } from './write';

const gone =
  "The index of this video is gone, and its frames can't be told apart without it. A working video from the same camera would help.";

function partsOf(session: Session, wishes: readonly Wish[]): Part[] {
  const parts: Part[] = [];
  for (const { template, wanted, orderRange, twins } of wishes) {
    const { found } = wanted;
    if (template.packets) splitStretches(session.source, found, template.packets);
    if (template.block > 0) wholeFrames(found, template.block);
    const shares = twins > 1 ? shareAmong(found, twins) : [found];
    for (const share of shares)
      if (share.sizes.length > 0) parts.push({ template, found: share, orderRange: orderRange() });
  }
  return parts;
}

/**
 * Brings back a video whose index is gone, in whole or in part: samples by what they look like, with what remains, a sample or the stream
 * itself tell of them. Null when nothing is found beside the tracks that `remains` still lists.
 */
export async function repairWithoutIndex(
  session: Session,
  layout: Layout,
  remains: Movie | null,
): Promise<Outcome | null> {
  const { source, draft, job, sample } = session;
  const known = (await locate(session, remains?.tracks ?? [])).filter(
    ({ track }) => track.inside && track.sizes.length > 0,
  );
  const spans = freeOf(dataSpans(source, layout), takenBy(known));
  let templates = await templatesFor(session, remains, spans);
  let { wishes, gaps } = await demux(session, templates, spans);
  const pictures = wishes.filter(({ wanted }) => wanted.picture && wanted.found.sizes.length > 1);
  const silent = !templates.some(({ kind }) => kind === 'soun') && !known.some(({ track }) => track.kind === 'soun');
  if (silent && (pictures.length > 0 || known.length > 0)) {
    const told = guessSounds(source, gaps, secondsOf(pictures, known));
    const plain = told.length > 0 ? null : guessPcm(source, gaps, framesOf(pictures, known));
    const sounds = plain ? [plain] : told;
    if (sounds.length > 0) {
      templates = [...templates, ...sounds];
      ({ wishes, gaps } = await demux(session, templates, spans));
    }
  }
  const parts = settleStep(partsOf(session, wishes));
  if (parts.length === 0 && known.length > 0) return null;
  draft.find('index', 'The index of the video, which says where each frame is, is missing.');
  const shown = known.some(({ track, states }) => track.kind === 'vide' && states.includes(sampleState.whole));
  const picture = parts.find(({ template }) => template.kind === 'vide');
  const found = shown || (picture !== undefined && picture.found.sizes.length > 1);
  // The sound that the index still tells is more than nothing.
  if (!found && known.some(({ track }) => track.kind === 'soun') && remains?.broken.length === 0) return null;
  if (!found)
    return draft.unrepairable(
      sample ? 'No frames could be found in this file, even with the working video that was added.' : gone,
    );
  const ids = known.map(({ track }) => track.id);
  const { movie, located } = assemble(parts, headerFor(session, remains), Math.max(0, ...ids) + 1);
  const plans = [...known, ...located].map(planTrack);
  const adrift = framesAdrift(source, plans);
  if (adrift.isAll) return draft.unrepairable(nothingToBuildOn);
  movie.tracks.unshift(...known.map(({ track }) => track));
  const output = await writeOutput(job, (sink) =>
    writeMovie(session, sink, brandBox(session, layout).bytes, movie, plans),
  );
  const again = await readOutput(job, async (written) => findMovie(written, topLevel(written), draft));
  const packets = await countPackets(job.outputPath, () => job.deadline.check());
  const readable = !picture?.template.codec.match(/^(avc|hvc|hev)/) || packets?.video !== 0;
  if (
    !again?.whole ||
    again.tracks.some((track, index) => track.sizes.length !== plans[index]?.kept.length) ||
    !readable
  )
    return draft.unrepairable('The rebuilt video did not pass its own check, so it is not handed out.');
  tell(
    session,
    parts,
    known,
    plans.map(({ mediaTime, located: { track } }) => mediaTime / track.timescale),
    gaps,
    adrift.count,
  );
  return draft.done(output, {
    repaired: 'The video is repaired: its index was written anew from what its data looks like.',
    partly: 'The video plays again; what could not be told apart is left out.',
  });
}

/** Stretches of samples that tables tell, in order. */
function takenBy(known: readonly Located[]): Span[] {
  const spans: Span[] = [];
  for (const { offsets, sizes, states } of known)
    offsets.forEach((from, index) => {
      if (states[index] === sampleState.whole) spans.push({ from, to: from + (sizes[index] ?? 0) });
    });
  return spans.sort((left, right) => left.from - right.from);
}

function framesOf(pictures: readonly Wish[], known: readonly Located[]): number {
  const listed = known.find(({ track }) => track.kind === 'vide')?.track.sizes.length;
  return listed ?? pictures[0]?.wanted.found.sizes.length ?? 0;
}

function secondsOf(pictures: readonly Wish[], known: readonly Located[]): number {
  const [first] = pictures;
  const told = known.find(({ track }) => track.kind === 'vide')?.track;
  if (told) return told.durations.reduce((sum, value) => sum + value, 0) / told.timescale;
  return first && first.template.step > 0
    ? (first.wanted.found.sizes.length * first.template.step) / first.template.timescale
    : 0;
}

function headerFor(session: Session, remains: Movie | null): Buffer | undefined {
  const { sample, draft } = session;
  return remains?.raw.get('mvhd') ?? (sample ? findMovie(sample, topLevel(sample), draft)?.raw.get('mvhd') : undefined);
}

function tell(
  session: Session,
  parts: readonly Part[],
  known: readonly Located[],
  seconds: readonly number[],
  gaps: readonly Span[],
  adrift: number,
): void {
  const { draft } = session;
  const count = (kind: string) =>
    parts.filter(({ template }) => template.kind === kind).reduce((sum, { found }) => sum + found.sizes.length, 0);
  const listed = (kind: string) =>
    known
      .filter(({ track }) => track.kind === kind)
      .reduce((sum, { states }) => sum + states.filter((state) => state !== sampleState.gone).length, 0);
  const frames = count('vide') + listed('vide');
  const sounds = count('soun') + listed('soun');
  draft.step(
    'frames',
    `${counted(frames, 'frame')} and ${counted(sounds, 'sound packet')} were found by the way they are stored.`,
  );
  for (const origin of new Set(parts.map(({ template }) => template.origin)))
    draft.note(`Codecs and times come from ${origin}.`);
  if (frames > adrift) draft.kept.push({ unit: 'frames', count: frames - adrift });
  tellAdrift(draft, adrift);
  if (sounds > 0) draft.kept.push({ unit: 'sound packets', count: sounds });
  draft.kept.push({ unit: 'seconds', count: Math.round(Math.max(0, ...seconds) * 10) / 10 });
  draft.rebuilt.push({ unit: 'frame times', count: frames });
  for (const [unit, kind] of [
    ['frames', 'vide'],
    ['sound packets', 'soun'],
  ] as const) {
    const gone = known
      .filter(({ track }) => track.kind === kind)
      .reduce((sum, { states }) => sum + states.filter((state) => state === sampleState.gone).length, 0);
    const missing = parts
      .filter(({ template }) => template.kind === kind && template.block === 0 && template.durations !== null)
      .reduce(
        (sum, { template, found }) => sum + Math.max(0, (template.durations?.length ?? 0) - found.sizes.length),
        0,
      );
    if (gone + missing > 0) draft.lost.push({ unit, count: gone + missing, detail: 'that the index lists' });
  }
  if (sounds === 0)
    draft.lost.push({
      unit: 'sound tracks',
      count: 1,
      detail: 'if there was sound, it cannot be told apart without the index',
    });
  const passed = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  if (passed > 64)
    draft.lost.push({
      unit: 'bytes',
      count: passed,
      detail: `in ${counted(gaps.length, 'place')} that could not be told apart`,
    });
}
