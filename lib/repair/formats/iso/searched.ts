import type { VideoExamined } from '../../families/video';
import type { Buffer } from '../../host/bytes';
import type { Hopeless } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { framesAdrift } from './adrift';
import { assemble, type Part } from './demux/assemble';
import { layChunks } from './demux/chunks';
import type { Span } from './demux/demux';
import { guessSounds, soundBetween } from './demux/guess';
import { soundBehind } from './demux/guess-behind';
import { guessOpus } from './demux/guess-opus';
import { guessPcm } from './demux/guess-pcm';
import { sequenceHead } from './demux/packed';
import { type Choice, choiceFor, settleStep } from './demux/rate';
import { cutRecords } from './demux/records';
import { dataSpans, freeOf } from './demux/spans';
import { shareAmong, splitStretches, wholeFrames } from './demux/split';
import type { Template } from './demux/template';
import { demux, templatesFor, type Wish } from './demux/wishes';
import { cutLast, cutZeroed, swallowedBy, withoutZeroed } from './demux/zeroed';
import { brandBox, findMovie, type Layout, topLevel } from './layout';
import { type Located, locate, sampleState } from './locate';
import type { Movie } from './movie';
import { did, type IsoParts, isPicture, isSound, shownSeconds, type Telling, tellRate } from './parts';
import { ticks } from './scales';
import type { Track } from './track';
import { type Plan, planTrack } from './write';

/** Bytes between samples that are not worth naming as lost: what writers leave between chunks. */
const worthNaming = 64;

/** What was found, and how many packets may be split from their neighbours at the wrong byte. */
function partsOf({ source }: Reading, wishes: readonly Wish[]): { parts: Part[]; doubtful: number } {
  const parts: Part[] = [];
  let doubtful = 0;
  for (const { template, wanted, orderRange, twins } of wishes) {
    const { found } = wanted;
    if (template.packets) doubtful += splitStretches(source, found, template.packets);
    if (template.block > 0) wholeFrames(found, template.block);
    const shares = twins > 1 ? shareAmong(found, twins) : [found];
    for (const share of shares)
      if (share.sizes.length > 0) parts.push({ template, found: share, orderRange: orderRange() });
  }
  return { parts, doubtful };
}

/** What the data was taken apart into: samples of tracks, and stretches that nothing was found in. `choice` is the rate that was chosen for sound, `times` what tells how fast pictures are shown that say nothing of it. */
type Apart = { parts: Part[]; gaps: Span[]; choice: Choice | null; times: 'sound' | 'guess' | null; doubtful: number };

/** Takes apart what the index does not list; sound that nothing describes is looked for in what the pictures leave. */
async function takeApart(
  reading: Reading,
  layout: Layout,
  remains: Movie | null,
  known: readonly Located[],
  told: Telling,
): Promise<Apart> {
  const { source } = reading;
  const spans = freeOf(dataSpans(source, layout), takenBy(known));
  const templates = await templatesFor(reading, remains, spans, (step) => did(told, step));
  let { wishes, gaps } = await demux(reading, templates, spans);
  const pictures = wishes.filter(({ wanted }) => wanted.picture && wanted.found.sizes.length > 1);
  const unsized = templates.find(({ codec, packets }) => codec === 'Opus' && packets === null);
  if (unsized) {
    const guessed = guessOpus(source, gaps, framesOf(pictures, known), secondsOf(pictures, known));
    const described = templates.map((one) => (one === unsized ? { ...one, packets: guessed?.packets ?? null } : one));
    if (guessed) ({ wishes, gaps } = await demux(reading, described, spans));
  }
  const silent = !templates.some(({ kind }) => kind === 'soun') && !known.some(isSound);
  if (silent && (pictures.length > 0 || known.length > 0)) {
    const between =
      soundAmong(source, spans, pictures) ??
      guessSounds(source, gaps, secondsOf(pictures, known), { isPicture: beginsIn(source, pictures) });
    const packed = between.length > 0 ? between : soundBehind(source, boundedSpans(pictures), leastBounded);
    const plain = packed.length > 0 ? null : unmarkedSound(source, withoutZeroed(source, gaps), pictures, known);
    const sounds = plain ? [plain] : packed;
    if (sounds.length > 0) ({ wishes, gaps } = await demux(reading, [...templates, ...sounds], spans));
  }
  const beside = wishes.flatMap(({ template: { records }, wanted }) =>
    records ? cutRecords(source, wanted.found, records) : [],
  );
  const padded = wishes.flatMap(({ template: { chunking }, wanted }) =>
    chunking && wanted.reader.way === 'filler' ? layChunks(source, wanted.found, chunking) : [],
  );
  const cut = [...cutZeroed(source, wishes), ...cutLast(source, wishes)];
  const unread = [...beside, ...padded, ...cut, ...swallowedBy(wishes)];
  const { parts, doubtful } = partsOf(reading, wishes);
  const choice = choiceFor(parts);
  const heard = Math.max(0, ...known.filter(isSound).map(({ track }) => secondsOfTrack(track)));
  const times = timesOf(parts, heard);
  return { parts: settleStep(parts, choice, heard), gaps: [...gaps, ...unread], choice, times, doubtful };
}

const secondsOfTrack = (track: Track) => ticks(track) / track.timescale;

/** What tells how fast pictures are shown that say nothing of it; null where they do. */
function timesOf(parts: readonly Part[], heard: number): Apart['times'] {
  if (!parts.some(({ template }) => template.kind === 'vide' && template.step === 0)) return null;
  return heard > 0 || parts.some(({ template }) => template.kind === 'soun') ? 'sound' : 'guess';
}

/** Bytes of a picture whose end nothing tells, at least. */
const leastBounded = 16;

/** Pictures whose end nothing tells, each up to the next one. */
const boundedSpans = (pictures: readonly Wish[]): Span[] =>
  pictures
    .filter(({ wanted }) => wanted.reader.way === 'bounded')
    .flatMap(({ wanted: { found } }) =>
      found.offsets.map((from, index) => ({ from, to: from + (found.sizes[index] ?? 0) })),
    );

/** Sound without any mark, which lies in what the pictures leave: Opus, else PCM; null where it is neither. */
function unmarkedSound(source: Source, gaps: readonly Span[], pictures: readonly Wish[], known: readonly Located[]) {
  const frames = framesOf(pictures, known);
  const offsets = known.find(isPicture)?.offsets ?? pictures[0]?.wanted.found.offsets ?? [];
  return guessOpus(source, gaps, frames, secondsOf(pictures, known)) ?? guessPcm(source, gaps, { frames, offsets });
}

/** Sound among pictures of AV1, whose heads are so short that some are found in it by chance; null where there is none. */
function soundAmong(source: Source, spans: readonly Span[], pictures: readonly Wish[]): Template[] | null {
  const [only] = pictures;
  if (!only || pictures.length > 1 || only.template.codec !== 'av01') return null;
  const { offsets, sizes } = only.wanted.found;
  const key = offsets.findIndex((at) => source.read(at, 1)[0] === sequenceHead);
  const from = (offsets[key] ?? 0) + (sizes[key] ?? 0);
  const span = spans.find((one) => one.from <= from && one.to > from);
  return span ? soundBetween(source, { from, to: span.to }, only.wanted.reader) : null;
}

/** Whether a picture of one of these tracks begins at a place. */
const beginsIn = (source: Source, pictures: readonly Wish[]) => (at: number, to: number) =>
  pictures.some(({ wanted }) => wanted.reader.way === 'whole' && wanted.reader.measure(source, at, to) !== null);

/**
 * Looks for the samples of a video whose index is gone, in whole or in part, by what they look like, with what remains, a sample or the
 * stream itself tell of them. Null when nothing is found beside the tracks that `remains` still lists.
 */
export async function examineUnlisted(
  reading: Reading,
  layout: Layout,
  remains: Movie | null,
  told: Telling,
): Promise<VideoExamined<IsoParts | null> | null> {
  const { source, sample } = reading;
  const located = await locate(reading, remains?.tracks ?? []);
  const known = located.filter(({ track }) => track.inside && track.sizes.length > 0);
  const { parts, gaps, choice, times, doubtful } = await takeApart(reading, layout, remains, known, told);
  if (parts.length === 0 && known.length > 0) return null;
  if (!told.damages.some(({ kind }) => kind === 'index')) told.damages.push({ kind: 'index', how: 'missing' });
  const hopeless = (why: Hopeless) => ({ ...told, hopeless: why, parts: null });
  const shown = known.some((one) => isPicture(one) && one.states.includes(sampleState.whole));
  const picture = parts.find(({ template }) => template.kind === 'vide');
  if (!shown && (picture?.found.sizes.length ?? 0) < 2) {
    // The sound that the index still tells is more than nothing.
    if (known.some(isSound)) return null;
    return hopeless(sample ? 'nothingFound' : 'indexGone');
  }
  if (isDoubtful(picture, parts, gaps)) return hopeless('indexGone');
  const ids = known.map(({ track }) => track.id);
  const made = assemble(parts, headerFor(reading, remains), Math.max(0, ...ids) + 1);
  const plans = [...known, ...made.located].map(planTrack);
  const adrift = framesAdrift(source, plans);
  if (adrift.isAll) return hopeless('adrift');
  const { movie } = made;
  movie.tracks.unshift(...known.map(({ track }) => track));
  countFound(told, parts, known, plans, gaps, adrift.count);
  if (doubtful > 0) told.lost.push({ unit: 'sound packets', count: doubtful, how: 'split' });
  if (times) told.remarks.push({ kind: 'times', from: times });
  if (times === 'guess' && picture) told.lost.push({ unit: 'frames', count: picture.found.sizes.length, how: 'paced' });
  if (choice) tellRate(told, choice, made.located);
  const cut = bytesCut(source, layout);
  if (cut > 0) told.lost.push({ unit: 'bytes', count: cut, how: 'cut' });
  const needsPicture = /^(avc|hvc|hev)/.test(picture?.template.codec ?? '');
  const brand = brandBox(reading, layout).bytes;
  // A working video that told what it could is not asked for again.
  const isHelped = parts.some(({ template }) => template.origin === 'sample');
  return {
    ...told,
    wantsSample: told.wantsSample && !isHelped,
    hopeless: null,
    parts: { movie, plans, brand, trailer: 0, keptBytes: 0, isListed: false, needsPicture },
  };
}

/** Stretches of samples that tables tell, in order. */
export function takenBy(known: readonly Located[]): Span[] {
  const spans: Span[] = [];
  for (const { offsets, sizes, states } of known)
    offsets.forEach((from, index) => {
      if (states[index] === sampleState.whole) spans.push({ from, to: from + (sizes[index] ?? 0) });
    });
  return spans.sort((left, right) => left.from - right.from);
}

function framesOf(pictures: readonly Wish[], known: readonly Located[]): number {
  const listed = known.find(isPicture)?.track.sizes.length;
  return listed ?? pictures[0]?.wanted.found.sizes.length ?? 0;
}

function secondsOf(pictures: readonly Wish[], known: readonly Located[]): number {
  const [first] = pictures;
  const listed = known.find(isPicture)?.track;
  if (listed) return secondsOfTrack(listed);
  return first && first.template.step > 0
    ? (first.wanted.found.sizes.length * first.template.step) / first.template.timescale
    : 0;
}

function headerFor({ sample }: Reading, remains: Movie | null): Buffer | undefined {
  const own = remains?.raw.get('mvhd');
  return own ?? (sample ? findMovie(sample, topLevel(sample))?.movie.raw.get('mvhd') : undefined);
}

const tally = (known: readonly Located[], isCounted: (state: number) => boolean) =>
  known.reduce((sum, { states }) => sum + states.filter(isCounted).length, 0);
const isGone = (state: number) => state === sampleState.gone;

/** Samples of a kind that the index lists and that are not there: gone from their places, or fewer found than it counts. */
function countListed(parts: readonly Part[], known: readonly Located[], kind: 'vide' | 'soun'): number {
  const gone = tally(
    known.filter(({ track }) => track.kind === kind),
    isGone,
  );
  const counted = parts.filter(
    ({ template }) => template.kind === kind && template.block === 0 && template.durations !== null,
  );
  return counted.reduce(
    (sum, { template, found }) => sum + Math.max(0, (template.durations?.length ?? 0) - found.sizes.length),
    gone,
  );
}

/** Share of the bytes of pictures that may lie between them and be nothing known. */
const mostUnknown = 0.01;

/**
 * Whether pictures of AV1 that are told by their heads alone are no proof: heads are short, and where much else lies between them that
 * nothing explains, as many were found by chance.
 */
function isDoubtful(picture: Part | undefined, parts: readonly Part[], gaps: readonly Span[]): boolean {
  if (picture?.template.codec !== 'av01' || picture.template.origin !== 'stream' || parts.length > 1) return false;
  const unknown = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  return unknown > mostUnknown * picture.found.sizes.reduce((sum, size) => sum + size, 0);
}

/** How many times its bytes a file may have been at most, by a size that is believed: recorders write larger ones before they know. */
const mostCut = 4;

/** Bytes of data that lay behind the end of the file, by the size of its last box. */
function bytesCut({ size }: Source, { boxes, stop }: Layout): number {
  const isData = boxes.at(-1)?.type === 'mdat';
  return isData && stop > size && stop < size * mostCut ? stop - size : 0;
}

/** Tells what was found, and what was not. */
function countFound(
  told: Telling,
  parts: readonly Part[],
  known: readonly Located[],
  plans: readonly Plan[],
  gaps: readonly Span[],
  adrift: number,
): void {
  const { steps, remarks, kept, rebuilt, lost } = told;
  const count = (kind: string, isOf: (one: Located) => boolean) =>
    parts.filter(({ template }) => template.kind === kind).reduce((sum, { found }) => sum + found.sizes.length, 0) +
    tally(known.filter(isOf), (state) => !isGone(state));
  const [frames, sounds] = [count('vide', isPicture), count('soun', isSound)];
  steps.push({ kind: 'frames', frames, packets: sounds });
  for (const from of new Set(parts.map(({ template }) => template.origin))) remarks.push({ kind: 'codecs', from });
  // The matrix of a track header (ISO/IEC 14496-12, 8.3.2) is told neither by frames nor by an encoder.
  const isUnturned = parts.some(
    ({ template: { kind, origin } }) => kind === 'vide' && /^(?:stream|encoder)$/.test(origin),
  );
  if (isUnturned) remarks.push({ kind: 'turnUntold' });
  if (frames > adrift) kept.push({ unit: 'frames', count: frames - adrift });
  if (adrift > 0) lost.push({ unit: 'frames', count: adrift, how: 'adrift' });
  if (sounds > 0) kept.push({ unit: 'sound packets', count: sounds });
  kept.push({ unit: 'seconds', count: shownSeconds(plans) });
  rebuilt.push({ unit: 'frame times', count: frames, how: 'anew' });
  const [unshown, unheard] = [countListed(parts, known, 'vide'), countListed(parts, known, 'soun')];
  if (unshown > 0) lost.push({ unit: 'frames', count: unshown, how: 'listed' });
  if (unheard > 0) lost.push({ unit: 'sound packets', count: unheard, how: 'listed' });
  if (sounds === 0) lost.push({ unit: 'sound tracks', count: 1, how: 'unheard' });
  const passed = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  if (passed > worthNaming) lost.push({ unit: 'bytes', count: passed, how: 'apart', places: gaps.length });
}
