import { Buffer } from '../../host/bytes';
import type { Step } from '../../report/facts/video';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { assemble, type Part } from './demux/assemble';
import { type Found, nothingFound, type Span } from './demux/demux';
import { guessSounds } from './demux/guess';
import { displayOrder } from './demux/order';
import { freeOf } from './demux/spans';
import { readerFor, type Template, templateOf } from './demux/template';
import { demux, templatesFor } from './demux/wishes';
import type { Layout } from './layout';
import type { Located } from './locate';
import { type Fragment, type Room, type Run, readDefaults, readFragment, roomFor } from './moof';
import type { Movie } from './movie';
import { settleShifts } from './oddtimes';
import { agreesOnTracks, runsByTrack, settleTimes } from './runs';
import { settleRuns } from './samplesizes';
import { type Listed, type Settled, settleScales } from './ticks';
import type { Track } from './track';
import { settleDurations } from './untimed';

/** What a fragmented file holds: its tracks with all samples that its fragments list, and those found where fragments are missing. */
export type Gathered = Settled & {
  movie: Movie;
  located: Located[];
  /** Where the fragments begin, in bytes. */
  pieces: number[];
  breaks: number;
  lost: number;
  /** Fragments name other places than those at which their samples lie. */
  isMoved: boolean;
  /** The boxes of a fragment do not fill it, or it says otherwise of its tracks than the movie and the others do. */
  isTorn: boolean;
  /** Seconds at which the first sample is shown, and whether the number of the first fragment says that others stood before it. */
  before: number;
  isLater: boolean;
  /** Tracks of which nothing tells how their samples are decoded. */
  untold: number;
  /** Samples whose sizes were wrong. */
  sized: number;
};

/** Whether a fragment can be read anywhere in the file; the code alone turns up by chance now and then. */
export function hasFragments(source: Source): boolean {
  const code = Buffer.from('moof');
  const room = roomFor(source.size);
  for (let at = source.find(code, 4), tries = 0; at >= 0 && tries < 64; at = source.find(code, at + 4), tries++)
    if (readFragment(source, at - 4, new Map(), room)) return true;
  return false;
}

/** All fragments of the file, by their code wherever they lie; once more where flags of the first ones are told by later ones. */
async function walk(reading: Reading, source: Source, movie: Movie | null): Promise<Fragment[]> {
  const room = roomFor(source.size);
  const fragments = await walkOnce(reading, source, movie, room);
  return room.usual.isAsked ? walkOnce(reading, source, movie, roomFor(source.size, room.usual)) : fragments;
}

async function walkOnce(reading: Reading, source: Source, movie: Movie | null, room: Room): Promise<Fragment[]> {
  const defaults = readDefaults(movie?.raw.get('mvex'));
  const fragments: Fragment[] = [];
  const code = Buffer.from('moof');
  for (let at = source.find(code, 4); at >= 0; at = source.find(code, at)) {
    await reading.tell(at, 0, 0.2);
    const fragment = readFragment(source, at - 4, defaults, room);
    if (fragment) fragments.push(fragment);
    at = fragment ? fragment.end : at + 4;
  }
  return fragments;
}

const bytesOf = (run: Run) => run.sizes.reduce((sum, size) => sum + size, 0);

/** The template of a track in the fragments: its own trak's, otherwise the one whose samples look like these. */
function templateFor(
  reading: Reading,
  track: number,
  runs: readonly Run[],
  movie: Movie | null,
  lent: readonly Template[],
): Template | null {
  const own = [...(movie?.tracks ?? []), ...(movie?.broken ?? [])].find(({ id }) => id === track);
  if (own) return { ...templateOf(own, null, true), durations: null, compositions: null };
  const { source } = reading;
  const samples = runs.slice(0, 8).flatMap((run) => {
    let at = run.offset;
    return run.sizes.slice(0, 4).map((size) => {
      at += size;
      return { at: at - size, size };
    });
  });
  const fits = (template: Template) => {
    const reader = readerFor(template)?.reader;
    if (reader?.way !== 'whole') return 0;
    return samples.filter(({ at, size }) => reader.measure(source, at, at + size)?.size === size).length;
  };
  const [best] = [...lent].sort((left, right) => fits(right) - fits(left));
  return best && fits(best) * 2 > samples.length ? best : null;
}

/**
 * Adds the samples of a run behind those that last `passed` ticks together, and tells how long all of them last then; time that is missing before it goes
 * to the sample before. Samples that are cut off count as lost.
 */
function addRun(one: Listed, run: Run, passed: number, size: number): number {
  const { found, durations, shifts } = one;
  let end = passed;
  if (run.time > passed && durations.length > 0 && run.time - passed < 0x7fffffff) {
    durations[durations.length - 1] = (durations.at(-1) ?? 0) + run.time - passed;
    end = run.time;
  }
  let at = run.offset;
  for (const [index, length] of run.sizes.entries()) {
    if (at + length <= size) {
      const ticks = run.durations[index] ?? 0;
      found.offsets.push(at);
      found.sizes.push(length);
      found.keys.push(run.keys[index] ?? 1);
      durations.push(ticks);
      shifts.push(run.shifts[index] ?? 0);
      end += ticks;
    } else one.lost++;
    at += length;
  }
  return end;
}

/** Adds the samples that the index itself lists, which come before all fragments (8.8.1). */
function addOwn(found: Found, own: Track, durations: number[], shifts: number[], size: number): number {
  let lost = 0;
  for (const [index, length] of own.sizes.entries()) {
    const at = own.offsets[index] ?? -1;
    if (at < 0 || at + length > size) {
      lost++;
      continue;
    }
    found.offsets.push(at);
    found.sizes.push(length);
    found.keys.push(own.keys ? (own.keys[index] ?? 0) : 1);
    durations.push(own.durations[index] ?? 0);
    shifts.push(own.compositions?.[index] ?? 0);
  }
  return lost;
}

/** Puts samples that were found without tables between those that tables list, in the order in which they lie. */
function merge(listed: Listed, found: Found, orderRange: number): void {
  const count = listed.found.sizes.length;
  const steps = [...listed.durations].sort((left, right) => left - right);
  const step = steps[count >> 1] || listed.template.step;
  const order = displayOrder(found, orderRange);
  const first = listed.shifts[0] ?? 0;
  const all = [
    ...listed.found.sizes.map((size, index) => ({
      size,
      at: listed.found.offsets[index] ?? 0,
      key: listed.found.keys[index] ?? 1,
      duration: listed.durations[index] ?? step,
      shift: listed.shifts[index] ?? 0,
    })),
    ...found.sizes.map((size, index) => ({
      size,
      at: found.offsets[index] ?? 0,
      key: found.keys[index] ?? 1,
      duration: step,
      shift: order ? first + ((order.shifts[index] ?? 0) - order.delay) * step : first,
    })),
  ].sort((left, right) => left.at - right.at);
  listed.found = {
    ...nothingFound(),
    offsets: all.map(({ at }) => at),
    sizes: all.map(({ size }) => size),
    keys: all.map(({ key }) => key),
  };
  listed.durations = all.map(({ duration }) => duration);
  listed.shifts = all.map(({ shift }) => shift);
}

/** Tracks that the fragments list, each with its samples. */
async function listTracks(
  reading: Reading,
  fragments: readonly Fragment[],
  movie: Movie | null,
  did: (step: Step) => void,
): Promise<{ tracks: Listed[]; untold: number; agrees: boolean } & Settled> {
  const { source } = reading;
  const byTrack = runsByTrack(fragments, movie);
  let agrees = movie === null || agreesOnTracks(byTrack, movie);
  const spans = fragments.map(({ end }, index) => ({ from: end, to: fragments[index + 1]?.offset ?? source.size }));
  const whole = movie !== null && [...byTrack.keys()].every((id) => movie.tracks.some((track) => track.id === id));
  const lent = whole ? [] : await templatesFor(reading, null, spans, did);
  const tracks: Listed[] = [];
  let untold = 0;
  for (const [track, runs] of byTrack) {
    let template = templateFor(reading, track, runs, movie, lent);
    if (!template) {
      const chunks = runs
        .map((run) => ({ from: run.offset, to: run.offset + bytesOf(run) }))
        .filter(({ to }) => to <= source.size);
      template = guessSounds(source, chunks, 0)[0] ?? null;
    }
    if (!template) {
      untold++;
      continue;
    }
    settleDurations(runs, template.step);
    if (settleTimes(runs)) agrees = false;
    const one: Listed = { template, found: nothingFound(), durations: [], shifts: [], lost: 0, time: 0 };
    const own = movie?.tracks.find(({ id }) => id === track);
    if (settleShifts(runs, own ?? null)) agrees = false;
    one.time = own && own.sizes.length > 0 ? 0 : Math.max(0, runs[0]?.time ?? 0);
    if (own) one.lost += addOwn(one.found, own, one.durations, one.shifts, source.size);
    let passed = one.durations.reduce((sum, ticks) => sum + ticks, 0);
    for (const run of runs) passed = addRun(one, run, passed, source.size);
    tracks.push(one);
    await reading.tell(source.size, 0, 0.2);
  }
  return { tracks, untold, agrees, ...settleScales(tracks) };
}

/** Bytes between samples that are told from padding. */
const leastFree = 200;

/** Boxes that stand beside fragments and hold no samples (ISO/IEC 14496-12, 8.1, 8.10, 8.11 and 8.16; ISO/IEC 23009-1, 5.10.3). */
const beside = new Set([
  'free',
  'skip',
  'wide',
  'uuid',
  'udta',
  'meta',
  'pdin',
  'styp',
  'sidx',
  'ssix',
  'prft',
  'emsg',
]);

/** Where such boxes lie; one into which a fragment reaches has a size that cannot be. Fragments are in the order in which they lie. */
function besideSpans({ boxes }: Layout, fragments: readonly Fragment[]): Span[] {
  let next = 0;
  return boxes
    .filter(({ type, offset, end }) => {
      while ((fragments[next]?.offset ?? end) <= offset) next++;
      return beside.has(type) && (fragments[next]?.offset ?? end) >= end;
    })
    .map(({ offset, end }) => ({ from: offset, to: end }));
}

/**
 * Gathers a fragmented file (ISO/IEC 14496-12, 8.8) as one movie: samples by the tables of every fragment that can be read, and between
 * them those that are found by what they look like. Null when there is nothing, or nothing tells what the tracks are.
 */
export async function gatherFragments(
  reading: Reading,
  layout: Layout,
  movie: Movie | null,
  did: (step: Step) => void,
): Promise<Gathered | null> {
  const { source } = reading;
  const fragments = await walk(reading, source, movie);
  const sized = movie ? settleRuns(reading, fragments, movie) : 0;
  const { tracks, untold, agrees, choice, paced } = await listTracks(reading, fragments, movie, did);
  const used: Span[] = [
    ...besideSpans(layout, fragments),
    ...fragments.map(({ offset, end }) => ({ from: offset, to: end })),
  ];
  for (const { found } of tracks)
    found.offsets.forEach((from, index) => {
      used.push({ from, to: from + (found.sizes[index] ?? 0) });
    });
  used.sort((left, right) => left.from - right.from);
  const head = layout.boxes.find(({ type }) => type === 'moov');
  const tail = layout.boxes.find(({ type }) => type === 'mfra')?.offset ?? source.size;
  const begin = head ? head.end : (fragments[0]?.offset ?? 0);
  const free = freeOf([{ from: begin, to: tail }], used).filter(({ from, to }) => to - from > leastFree);
  if (free.length > 0 && tracks.length > 0) {
    const { wishes } = await demux(
      reading,
      tracks.map(({ template }) => template),
      free,
    );
    for (const { wanted, template, orderRange } of wishes) {
      const listed = tracks.find((one) => one.template.stsd === template.stsd);
      if (listed && wanted.found.sizes.length > 1 && wanted.reader.way !== 'filler')
        merge(listed, wanted.found, orderRange());
    }
  }
  const parts: Part[] = tracks
    .filter(({ found }) => found.sizes.length > 0)
    .map(({ template, found, durations, shifts }) => ({
      template: {
        ...template,
        durations: Uint32Array.from(durations),
        compositions: shifts.some((shift) => shift !== 0) ? Int32Array.from(shifts) : null,
      },
      found,
      orderRange: 0,
    }));
  if (parts.length === 0) return null;
  return {
    ...assemble(parts, movie?.raw.get('mvhd')),
    pieces: fragments.map(({ offset }) => offset),
    breaks: free.length,
    isMoved: fragments.some(({ runs }) => runs.some(({ isMoved }) => isMoved)),
    isTorn: !agrees || fragments.some(({ isTorn }) => isTorn),
    lost: tracks.reduce((sum, { lost }) => sum + lost, 0),
    before: Math.min(...tracks.map(({ time, template }) => time / template.timescale)),
    isLater: (fragments[0]?.number ?? 0) > 1,
    choice,
    paced,
    untold,
    sized,
  };
}
