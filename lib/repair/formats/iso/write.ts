import { box, words } from '../../core/boxes';
import { Buffer } from '../../host/bytes';
import type { Reading } from '../../video/session';
import type { Sink } from '../../video/sink';
import { boxBytes } from './boxsizes';
import { headerScale } from './headers';
import { type Located, sampleState } from './locate';
import { type Movie, mediaHeader } from './movie';
import type { Track } from './track';

/** A run of samples that lie together in the input, or as many bytes of silence. */
type Chunk = { first: number; count: number; from: number; length: number; entry: number; isSilent?: boolean };

/** What one track will hold: indexes of kept samples, their durations (of PCM those of its chunks), and chunks. */
export type Plan = {
  located: Located;
  kept: Uint32Array;
  durations: Uint32Array;
  chunks: Chunk[];
  mediaTime: number;
};

/** How many samples, or chunks of PCM, a reader will find of a plan. */
export const writtenSamples = ({ located, kept, chunks }: Plan): number =>
  located.track.block > 0 ? chunks.length : kept.length;

/** How long a sample lasts, of PCM as long as it is kept. */
function durationOf({ track, states, sizes }: Located, index: number): number {
  const whole = track.durations[index] ?? 0;
  const isCut = track.block > 0 && states[index] === sampleState.trimmed;
  return isCut ? Math.round((whole * (sizes[index] ?? 0)) / (track.sizes[index] || 1)) : whole;
}

/** Decides which samples of a track are written; the time of a dropped one goes to its neighbour so that sound stays in step. */
export function planTrack(located: Located): Plan {
  const { track, states, offsets, sizes } = located;
  if (track.block > 0) return planPcm(located);
  const kept: number[] = [];
  const durations: number[] = [];
  let pending = 0;
  for (let index = 0; index < states.length; index++) {
    const duration = durationOf(located, index);
    if (states[index] === sampleState.gone) pending += duration;
    else {
      const previous = durations.length - 1;
      if (previous >= 0) durations[previous] = (durations[previous] ?? 0) + pending;
      durations.push(previous >= 0 ? duration : duration + pending);
      kept.push(index);
      pending = 0;
    }
  }
  const chunks: Chunk[] = [];
  const starts = new Set(track.chunks);
  kept.forEach((index, position) => {
    const from = offsets[index] ?? 0;
    const length = sizes[index] ?? 0;
    const entry = track.entries?.[index] ?? 1;
    const last = chunks.at(-1);
    if (
      last &&
      last.from + last.length === from &&
      !starts.has(index) &&
      last.entry === entry &&
      last.length < 1 << 24
    ) {
      last.length += length;
      last.count++;
    } else chunks.push({ first: position, count: 1, from, length, entry });
  });
  return planOf(located, kept, durations, chunks);
}

const planOf = (located: Located, kept: number[], durations: number[], chunks: Chunk[]): Plan => ({
  located,
  kept: Uint32Array.from(kept),
  durations: Uint32Array.from(durations),
  chunks,
  mediaTime: durations.reduce((sum, value) => sum + value, 0),
});

/**
 * Decides which chunks of PCM are written. Silence takes the place of those that are gone before others: readers take PCM for frames that last
 * equally long, one behind the other. Where it would be more than what is left, the chunk before lasts longer instead.
 */
function planPcm(located: Located): Plan {
  const { track, states, offsets, sizes } = located;
  const { block } = track;
  const wholeOf = (bytes: number) => bytes - (bytes % block);
  const isGone = (index: number) => states[index] === sampleState.gone;
  const bytesOf = (wanted: boolean) =>
    states.reduce((sum, _, index) => sum + (isGone(index) === wanted ? (track.sizes[index] ?? 0) : 0), 0);
  const isFilled = bytesOf(true) <= bytesOf(false);
  const last = states.findLastIndex((state) => state !== sampleState.gone);
  const kept: number[] = [];
  const durations: number[] = [];
  const chunks: Chunk[] = [];
  let pending = 0;
  for (let index = 0; index <= last; index++) {
    const isSilent = isGone(index);
    const length = wholeOf((isSilent ? track.sizes[index] : sizes[index]) ?? 0);
    const duration = durationOf(located, index);
    if (isSilent && (!isFilled || length === 0)) {
      if (durations.length > 0) durations[durations.length - 1] = (durations.at(-1) ?? 0) + duration;
      else pending += duration;
      continue;
    }
    const before = chunks.at(-1);
    const from = isSilent ? (before ? before.from + before.length : 0) : (offsets[index] ?? 0);
    const entry = track.entries?.[index] ?? 1;
    const first = before ? before.first + before.count : 0;
    chunks.push({ first, count: length / block, from, length, entry, isSilent });
    durations.push(duration + pending);
    pending = 0;
    if (!isSilent) kept.push(index);
  }
  return planOf(located, kept, durations, chunks);
}

function runs(values: ArrayLike<number>): number[] {
  const out: number[] = [];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    if (out.length > 0 && out[out.length - 1] === value) out[out.length - 2] = (out[out.length - 2] ?? 0) + 1;
    else out.push(1, value);
  }
  return out;
}

/** Run-length times of PCM: every frame lasts the same, but the last of a chunk behind which others are missing. */
function frameTimes({ located: { track }, durations, chunks }: Plan): number[] {
  let step = Number.POSITIVE_INFINITY;
  for (const [index, size] of track.sizes.entries())
    if (size > 0) step = Math.min(step, Math.max(1, Math.floor(((track.durations[index] ?? 0) * track.block) / size)));
  const out: number[] = [];
  const add = (count: number, value: number) => {
    if (count === 0) return;
    if (out.length > 0 && out[out.length - 1] === value) out[out.length - 2] = (out[out.length - 2] ?? 0) + count;
    else out.push(count, value);
  };
  for (const [index, { count }] of chunks.entries()) {
    const rest = Math.max(0, (durations[index] ?? 0) - count * step);
    add(rest > 0 ? count - 1 : count, step);
    if (rest > 0) add(1, step + rest);
  }
  return out;
}

/** Whether a plan leaves anything out of what the track's header tells. */
function isShorter(plan: Plan): boolean {
  const { track } = plan.located;
  return (
    plan.kept.length < track.sizes.length || (track.block > 0 && plan.located.states.includes(sampleState.trimmed))
  );
}

function sampleTable(plan: Plan, places: number[], wide: boolean): Buffer {
  const { located, kept, durations, chunks } = plan;
  const { track } = located;
  const parts = [track.stsd];
  const frames = track.block > 0 ? chunks.reduce((sum, chunk) => sum + chunk.count, 0) : 0;
  const times = track.block > 0 ? frameTimes(plan) : runs(durations);
  parts.push(box('stts', words(0, times.length / 2), listed(times)));
  if (track.compositions) {
    const compositions = track.compositions;
    const shifts = runs(Array.from(kept, (index) => compositions[index] ?? 0));
    const version = (track.raw.get('ctts')?.[8] ?? 0) === 1 || shifts.some((value) => value < 0) ? 1 : 0;
    parts.push(box('ctts', words(version << 24, shifts.length / 2), listed(shifts)));
  }
  const keys = track.keys;
  if (keys) {
    const list: number[] = [];
    kept.forEach((index, position) => {
      if (keys[index]) list.push(position + 1);
    });
    parts.push(box('stss', words(0, list.length), listed(list)));
  }
  const groups: number[] = [];
  chunks.forEach((chunk, index) => {
    const same =
      groups.length > 0 && groups[groups.length - 2] === chunk.count && groups[groups.length - 1] === chunk.entry;
    if (!same) groups.push(index + 1, chunk.count, chunk.entry);
  });
  parts.push(box('stsc', words(0, groups.length / 3), listed(groups)));
  const sizes = track.block > 0 ? [] : Array.from(kept, (index) => located.sizes[index] ?? 0);
  const fixed = sizes.length > 0 && sizes.every((size) => size === sizes[0]) ? (sizes[0] ?? 0) : 0;
  if (track.block > 0) parts.push(box('stsz', words(0, track.unit, frames)));
  else parts.push(box('stsz', words(0, fixed, sizes.length), listed(fixed > 0 ? [] : sizes)));
  if (wide) {
    const table = Buffer.alloc(places.length * 8);
    for (const [index, place] of places.entries()) table.writeBigUInt64BE(BigInt(place), index * 8);
    parts.push(box('co64', words(0, places.length), table));
  } else parts.push(box('stco', words(0, places.length), listed(places)));
  const complete = kept.length === track.sizes.length;
  for (const name of ['cslg', 'sgpd', 'sbgp', 'sdtp', 'stps']) {
    const raw = track.raw.get(name);
    if (raw && (complete || name === 'cslg')) parts.push(raw);
  }
  return box('stbl', ...parts);
}

function listed(values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (let index = 0; index < values.length; index++) bytes.writeUInt32BE((values[index] ?? 0) >>> 0, index * 4);
  return bytes;
}

/** A copy of a header box with its duration field set (8.2.2, 8.3.2, 8.4.2): `narrow` and `wide` are its places in versions 0 and 1. */
function withDuration(raw: Buffer, value: number, narrow: number, wide: number): Buffer {
  const copy = Buffer.from(raw);
  if (copy[8] === 1 && copy.length >= wide + 8) copy.writeBigUInt64BE(BigInt(Math.round(value)), wide);
  else if (copy.length >= narrow + 4) copy.writeUInt32BE(Math.min(0xffffffff, Math.round(value)), narrow);
  return copy;
}

/** An edit list whose edits end no later than the media does (8.6.6). */
function trimEdits(elst: Buffer, movieLength: number): Buffer {
  const copy = Buffer.from(elst);
  const wide = copy[8] === 1;
  const width = wide ? 20 : 12;
  const count = Math.min(copy.readUInt32BE(12), Math.floor((copy.length - 16) / width));
  let left = Math.round(movieLength);
  for (let index = 0; index < count; index++) {
    const at = 16 + index * width;
    const empty = wide ? copy.readBigInt64BE(at + 8) === -1n : copy.readInt32BE(at + 4) === -1;
    if (empty) continue;
    const length = wide ? Number(copy.readBigUInt64BE(at)) : copy.readUInt32BE(at);
    const fitted = Math.min(length, Math.max(0, left));
    if (wide) copy.writeBigUInt64BE(BigInt(fitted), at);
    else copy.writeUInt32BE(fitted, at);
    left -= fitted;
  }
  return copy;
}

/** From the first picture shown to the end of the last: pictures that are shown later than they are decoded may outlast the media (8.6.1). */
function shownTime({ located: { track }, kept, durations, mediaTime }: Plan): number {
  const { compositions } = track;
  if (!compositions) return mediaTime;
  let time = 0;
  let first = Number.POSITIVE_INFINITY;
  let end = 0;
  kept.forEach((index, position) => {
    const shown = time + (compositions[index] ?? 0);
    first = Math.min(first, shown);
    end = Math.max(end, shown + (durations[position] ?? 0));
    time += durations[position] ?? 0;
  });
  return Math.max(mediaTime, end - first);
}

function freshTrackHeader(track: Track, length: number): Buffer {
  const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const video = track.kind === 'vide' && track.stsd.length >= boxBytes.stsdSides;
  const size = video ? words(track.stsd.readUInt16BE(48) << 16, track.stsd.readUInt16BE(50) << 16) : words(0, 0);
  return box('tkhd', words(3, 0, 0, track.id, 0, length, 0, 0, 0, video ? 0 : 0x01000000), matrix, size);
}

function trackBox(plan: Plan, movieScale: number, places: number[], wide: boolean): Buffer {
  const { track } = plan.located;
  const { raw } = track;
  const shortened = isShorter(plan);
  const length = (plan.mediaTime * movieScale) / track.timescale;
  const all = (...names: string[]) => names.map((name) => raw.get(name)).filter((part) => part !== undefined);
  const header = raw.get('tkhd');
  const media = headerScale(raw) > 0 ? raw.get('mdhd') : undefined;
  const dinf = raw.get('dinf') ?? box('dinf', box('dref', words(0, 1), box('url ', words(1))));
  let edits = raw.get('edts');
  const list = edits ? edits.subarray(8) : raw.get('elst');
  if (list && list.length >= boxBytes.elst && list.toString('latin1', 4, 8) === 'elst')
    edits = box('edts', shortened ? trimEdits(list, (shownTime(plan) * movieScale) / track.timescale) : list);
  const mediaBox =
    media && media.length >= 32
      ? shortened
        ? withDuration(media, plan.mediaTime, 24, 32)
        : media
      : box('mdhd', words(0, 0, 0, track.timescale, plan.mediaTime, 0x55c40000));
  const handler = raw.get('hdlr') ?? box('hdlr', words(0, 0), Buffer.from(track.kind, 'latin1'), Buffer.alloc(13));
  const kind = all('vmhd', 'smhd', 'hmhd', 'sthd', 'nmhd', 'gmhd');
  const information = box(
    'minf',
    ...(kind.length > 0 ? kind : [mediaHeader(track.kind)]),
    ...all('hdlr2'),
    dinf,
    sampleTable(plan, places, wide),
  );
  const trackHeader =
    header && header.length >= boxBytes.tkhd
      ? shortened
        ? withDuration(header, length, 28, 36)
        : header
      : freshTrackHeader(track, length);
  const references = raw.has('mdhd') ? all('tref') : [];
  return box(
    'trak',
    trackHeader,
    ...all('tapt'),
    ...(edits ? [edits] : []),
    ...references,
    ...all('load'),
    box('mdia', mediaBox, handler, ...all('elng'), information),
    ...all('udta', 'meta'),
  );
}

function movieBox(movie: Movie, plans: Plan[], places: number[][], wide: boolean): Buffer {
  const old = movie.raw.get('mvhd');
  const usable = old && old.length >= boxBytes.mvhd;
  const scale = usable ? old.readUInt32BE(old[8] === 1 ? 28 : 20) || 1000 : 1000;
  const longest = Math.max(0, ...plans.map((plan) => (plan.mediaTime * scale) / plan.located.track.timescale));
  const shortened = plans.some(isShorter);
  const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000, 0, 0, 0, 0, 0, 0);
  const next = Math.max(0, ...plans.map((plan) => plan.located.track.id)) + 1;
  const fresh = box('mvhd', words(0, 0, 0, scale, longest, 0x10000, 0x01000000, 0, 0), matrix, words(next));
  const header = usable ? (shortened ? withDuration(old, longest, 24, 32) : old) : fresh;
  const others = [...movie.raw]
    .filter(([type]) => !['mvhd', 'mvex', 'free', 'skip'].includes(type))
    .map(([, raw]) => raw);
  return box(
    'moov',
    header,
    ...plans.map((plan, index) => trackBox(plan, scale, places[index] ?? [], wide)),
    ...others,
  );
}

/** Values of silence of codecs in which it is not zero: QuickTime's PCM of 8 bits without a sign, and those of ITU-T G.711. */
const silences: Readonly<Record<string, number>> = { 'raw ': 0x80, ulaw: 0xff, alaw: 0xd5 };
/** Bytes of silence that are written at once. */
const silentPiece = 1 << 16;

function writeSilence(sink: Sink, codec: string, length: number): void {
  const piece = Buffer.alloc(Math.min(length, silentPiece), silences[codec] ?? 0);
  for (let done = 0; done < length; done += piece.length) sink.write(piece.subarray(0, length - done));
}

/** Writes ftyp, moov and one mdat with the kept samples in the order they lie in the input (4.3, 8.2, 8.1.1). */
export async function writeMovie(
  reading: Reading,
  sink: Sink,
  ftyp: Buffer,
  movie: Movie,
  plans: Plan[],
): Promise<void> {
  const order = plans
    .flatMap((plan, track) => plan.chunks.map((chunk, index) => ({ chunk, track, index })))
    .sort((left, right) => left.chunk.from - right.chunk.from);
  const total = order.reduce((sum, { chunk }) => sum + chunk.length, 0);
  const wide = total > 0xf0000000;
  const places = plans.map((plan) => plan.chunks.map(() => 0));
  const headBytes = wide ? 16 : 8;
  let at = ftyp.length + movieBox(movie, plans, places, wide).length + headBytes;
  for (const { chunk, track, index } of order) {
    const row = places[track];
    if (row) row[index] = at;
    at += chunk.length;
  }
  sink.write(ftyp);
  sink.write(movieBox(movie, plans, places, wide));
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(wide ? 1 : total + 8);
  head.write('mdat', 4, 'latin1');
  if (wide) head.writeBigUInt64BE(BigInt(total + 16), 8);
  sink.write(head);
  for (const { chunk, track } of order) {
    if (chunk.isSilent) {
      writeSilence(sink, plans[track]?.located.track.codec ?? '', chunk.length);
      continue;
    }
    sink.take(reading.source, chunk.from, chunk.length);
    const patch = plans[track]?.located.patch;
    if (patch && patch.offset >= chunk.from && patch.offset < chunk.from + chunk.length)
      sink.patch(sink.position - chunk.length + patch.offset - chunk.from, patch.bytes);
    await reading.tell(chunk.from, 0.4, 0.8);
  }
}
