import { isSliceType } from '../../codecs/hevc/naltypes';
import { Buffer } from '../../host/bytes';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { type Shift, shiftsByLayout } from './moved';
import { canTell, chainLength, isJpeg, isMarked, looksRight } from './probes';
import type { Track } from './track';

/** What became of each sample: whole, cut back to its sound NAL units, or gone. */
export const sampleState = { whole: 0, trimmed: 1, gone: 2 } as const;
export type Located = {
  track: Track;
  offsets: Float64Array;
  sizes: Uint32Array;
  states: Uint8Array;
  moved: number;
  judged: boolean;
  /** New length of the unit that the end of the file cuts, at its place in the file. */
  patch?: { offset: number; bytes: Buffer } | undefined;
};
/** How far from the sample before a moved one is searched, in bytes; chosen on the bench. */
const farthest = 32 << 20;

function zeroTail(source: Source, offset: number, length: number): boolean {
  return length < 65536 && source.read(offset, length).every((byte) => byte === 0);
}

/** Whether one of the next samples lies where the table puts it beside sample `index` at `place`: frames of equal size are common. */
function agrees(source: Source, track: Track, index: number, place: number): boolean {
  const last = Math.min(track.sizes.length - 1, index + ahead);
  if (index === last) return true;
  const shift = place - (track.offsets[index] ?? 0);
  for (let next = index + 1; next <= last; next++) {
    if (looksRight(source, track, (track.offsets[next] ?? 0) + shift, track.sizes[next] ?? 0)) return true;
  }
  return false;
}

/** Whether chunk offsets rise as they do in files of every camera; when they do not, they tell nothing. */
function isOrdered(track: Track): boolean {
  let rising = 0;
  for (let chunk = 1; chunk < track.chunks.length; chunk++) {
    if ((track.offsets[track.chunks[chunk] ?? 0] ?? -1) > (track.offsets[track.chunks[chunk - 1] ?? 0] ?? -1)) rising++;
  }
  return rising >= (track.chunks.length - 1) * 0.9;
}

/** Whether sample `index` lies at a place, by its own bytes and by those of its successor in the same chunk, or of one of the next. */
function liesAt(source: Source, track: Track, index: number, place: number, ordered: boolean): boolean {
  const size = track.sizes[index] ?? 0;
  if (!looksRight(source, track, place, size)) return false;
  const isInChunk = (track.offsets[index] ?? 0) + size === track.offsets[index + 1];
  if (isInChunk && index + 1 < track.sizes.length)
    return looksRight(source, track, place + size, track.sizes[index + 1] ?? 0) !== false;
  return !ordered || agrees(source, track, index, place);
}

/** Bytes that samples begin with: the mark of a JPEG, heads of units of AV1, otherwise a length or a start code. */
function firstBytesOf(track: Track): readonly number[] {
  if (isJpeg(track)) return [0xff];
  return track.codec === 'av01' ? [0x0a, 0x12, 0x1a, 0x2a, 0x32] : [0];
}

/** Bytes that are read at once while samples are searched. */
const stretch = 1 << 18;

/** The next place from `from` on where sample `index` lies, confirmed by its successor in the same chunk; -1 when there is none. */
async function search(
  reading: Reading,
  track: Track,
  index: number,
  from: number,
  most: number,
  ordered: boolean,
): Promise<number> {
  const { source } = reading;
  const size = track.sizes[index] ?? 0;
  const firsts = firstBytesOf(track);
  const filtered = track.lengthBytes === 4 || track.lengthBytes === 0;
  const mayBegin = (window: Buffer, inside: number) =>
    !(filtered && !firsts.includes(window[inside] ?? 0)) &&
    !(track.lengthBytes === 4 && window.readUInt32BE(inside) > size - 4);
  const end = Math.min(source.size - size, from + most);
  for (let at = from; at <= end; ) {
    const window = Buffer.from(source.read(at, Math.min(stretch, end - at + 4)));
    if (window.length < 4) return -1;
    for (let inside = 0; inside + 4 <= window.length; inside++)
      if (mayBegin(window, inside) && liesAt(source, track, index, at + inside, ordered)) return at + inside;
    at += window.length - 3;
    await source.pause(reading.job.deadline);
  }
  return -1;
}

/** Samples behind a lost one among which one is still in its place where only a few are lost. */
const ahead = 8;
/** Samples in a row, further behind, that are in their places where nothing was moved but much was overwritten. */
const inARow = 4;
/** Smallest sample that is searched, in bytes: shorter ones are found by chance. */
const leastSearched = 12;

/** A track, and where the fragments of its file begin. */
type Followed = { track: Track; pieces: readonly number[] };

/** Follows the samples of a track whose data can be judged: each lies where its table says, or as far from there as the one before. */
class Follower {
  readonly #reading: Reading;
  readonly #track: Track;
  readonly #ordered: boolean;
  /** How much all samples moved, where that is known. */
  readonly #by: number | null;
  readonly #located: Located;
  readonly #shifts: Shift[];
  #shift: number;
  #lastEnd = 0;
  #sound = 0;
  /** A later sample that is in its place, and by how much all had moved when it was looked at. */
  #later = { index: -1, shift: 0 };
  /** Bytes that may still be searched, and those of damaged samples that may be looked at for a sound end: samples may be listed over each other. */
  #budget: number;
  #ends: number;
  /** Where the fragments begin that say each by itself where its samples lie, rising. */
  readonly #pieces: readonly number[];

  constructor(reading: Reading, { track, pieces }: Followed, shifts: Shift[], by: number | null) {
    this.#pieces = pieces;
    this.#reading = reading;
    this.#track = track;
    this.#ordered = isOrdered(track);
    this.#by = by;
    this.#shifts = shifts;
    this.#shift = by ?? 0;
    this.#budget = reading.source.size * 2 + farthest;
    this.#ends = reading.source.size * 2;
    this.#located = {
      track,
      offsets: Float64Array.from(track.offsets),
      sizes: Uint32Array.from(track.sizes),
      states: new Uint8Array(track.sizes.length),
      moved: 0,
      judged: false,
    };
  }

  async run(): Promise<Located> {
    const { sizes, offsets } = this.#located;
    for (let index = 0; index < sizes.length; index++) {
      const expected = (this.#track.offsets[index] ?? 0) + this.#shift;
      offsets[index] = expected;
      if ((sizes[index] ?? 0) === 0) continue;
      if (this.#isRight(index)) this.#pass(index, expected);
      // Where it was found elsewhere, it is looked at once more.
      else if (await this.#findElsewhere(index, expected)) index--;
      else if (this.#cut(index, expected)) await this.#reading.tell(expected, 0, 0.4);
    }
    this.#located.judged = this.#sound > 0 || sizes.length === 0;
    return this.#located;
  }

  #isRight(index: number): boolean {
    const { source } = this.#reading;
    const place = (this.#track.offsets[index] ?? 0) + this.#shift;
    return looksRight(source, this.#track, place, this.#located.sizes[index] ?? 0) === true;
  }

  #pass(index: number, expected: number): void {
    // Bytes may be gone inside of a sample that only begins well: what follows then lies before its end.
    this.#lastEnd = expected + (isMarked(this.#track) ? 1 : (this.#located.sizes[index] ?? 0));
    this.#sound++;
    if (this.#shift !== 0) this.#located.moved++;
  }

  /** Whether one of the next samples is in its place, so that this one is damaged rather than moved. */
  #isNextRight(index: number): boolean {
    const { sizes } = this.#located;
    const last = Math.min(sizes.length - 1, index + ahead);
    for (let next = index + 1; this.#ordered && next <= last && this.#isBeside(index, next); next++)
      if ((sizes[next] ?? 0) > 0 && this.#isRight(next)) return true;
    return this.#ordered && this.#isLaterRight(index);
  }

  /** Whether the place of a sample and that of a later one are told by the same: what a later fragment says is right however data moved before it. */
  #isBeside(index: number, later: number): boolean {
    const pieceOf = (sample: number) => countUntil(this.#pieces, this.#track.offsets[sample] ?? 0, (at) => at);
    return this.#pieces.length === 0 || pieceOf(index) === pieceOf(later);
  }

  /** Whether samples further behind, looked for in steps that grow, are in their places: however many lie between, none of them was moved. */
  #isLaterRight(index: number): boolean {
    const { length } = this.#located.sizes;
    if (this.#later.index > index && this.#later.shift === this.#shift) return true;
    for (let step = 2 * ahead; index + step + inARow <= length; step *= 2) {
      const first = index + step;
      if (!this.#isBeside(index, first + inARow - 1)) return false;
      if (!Array.from({ length: inARow }, (_, next) => first + next).every((next) => this.#isRight(next))) continue;
      this.#later = { index: first, shift: this.#shift };
      return true;
    }
    return false;
  }

  /** Searches a sample behind the last one that was found, and moves the following ones with it; false where it is nowhere else. */
  async #findElsewhere(index: number, expected: number): Promise<boolean> {
    // What was cut off at the front is nowhere else.
    const isCutOff = this.#by !== null && expected < 0;
    if (isCutOff || this.#isNextRight(index)) return false;
    if (this.#budget <= 0 || (this.#located.sizes[index] ?? 0) <= leastSearched) return false;
    const { size } = this.#reading.source;
    const most = this.#lastEnd === 0 ? size : farthest;
    const place = await search(this.#reading, this.#track, index, this.#lastEnd, most, this.#ordered);
    this.#budget -= place >= 0 ? place - this.#lastEnd : Math.min(most, size - this.#lastEnd);
    if (place < 0 || place === expected || this.#isLaterOne(index, place)) return false;
    const listed = this.#track.offsets[index] ?? 0;
    this.#shift = place - listed;
    // What lay before the first sample that is left was moved with it.
    this.#shifts.push({ from: this.#lastEnd === 0 ? 0 : listed, shift: this.#shift });
    return true;
  }

  /** Whether what was found is more likely a later sample, where all begin alike: more of those behind lie where they must then, or as many, and moved less. */
  #isLaterOne(index: number, place: number): boolean {
    const track = this.#track;
    if (!isMarked(track)) return false;
    const last = Math.min(track.sizes.length - 1, index + ahead);
    const countWith = (first: number) => {
      const shift = place - (track.offsets[first] ?? 0);
      let count = 0;
      for (let next = first + 1; next <= Math.min(track.sizes.length - 1, first + ahead); next++)
        if (looksRight(this.#reading.source, track, (track.offsets[next] ?? 0) + shift, track.sizes[next] ?? 0))
          count++;
      return count;
    };
    const own = countWith(index);
    const moved = (first: number) => Math.abs(place - (track.offsets[first] ?? 0) - this.#shift);
    for (let later = index + 1; later <= last; later++) {
      const more = countWith(later) - own;
      if (more > 0 || (more === 0 && moved(later) < moved(index))) return true;
    }
    return false;
  }

  /** Where the sound end of a damaged sample begins; 0 where it has none, or too many were looked at. */
  #soundEnd(from: number, end: number): number {
    if (this.#ends <= 0) return 0;
    this.#ends -= Math.min(end - from, endBytes);
    return tailStart(this.#reading.source, this.#track, from, end);
  }

  /** Decides what is left of a sample that does not look right; false where it is whole but for filling at its end. */
  #cut(index: number, expected: number): boolean {
    const { source } = this.#reading;
    const { sizes, states, offsets } = this.#located;
    const size = sizes[index] ?? 0;
    const isInside = expected >= 0 && expected < source.size;
    const isThere = isInside && expected + size <= source.size;
    const kept = isInside && this.#track.lengthBytes > 0 ? chainLength(source, this.#track, expected, size) : 0;
    if (isThere && kept > 0 && zeroTail(source, expected + kept, size - kept)) return false;
    const left = source.size - expected;
    const isLast = isInside && left < size && !this.#located.patch;
    const unit = isLast ? cutUnit(source, this.#track, expected + kept) : null;
    // The picture itself is whole where only what an encoder puts before it was overwritten.
    const from = isThere && kept < size ? this.#soundEnd(expected + kept, expected + size) : 0;
    states[index] = sampleState.trimmed;
    if (unit) {
      this.#located.patch = unit;
      sizes[index] = left;
    } else if (from > 0 && expected + size - from > kept) {
      offsets[index] = from;
      sizes[index] = expected + size - from;
    } else if (kept > 0) sizes[index] = kept;
    else states[index] = sampleState.gone;
    return true;
  }
}

/** Finds where the samples of a track whose data can be judged really are; `by` is how much all of them moved, where that is known. */
const follow = (reading: Reading, followed: Followed, shifts: Shift[], by: number | null = null): Promise<Located> =>
  new Follower(reading, followed, shifts, by).run();

/** The length that a unit has left which the end of the file cuts: decoders show what there is of its picture. Null when it is too little. */
function cutUnit(source: Source, track: Track, offset: number): Located['patch'] | null {
  const width = track.lengthBytes;
  const left = source.size - offset - width;
  const head = source.read(offset, width + 2);
  if (width === 0 || left < 32 || head.length < width + 2) return null;
  const hevc = /^(hvc1|hev1|dvh1|dvhe)$/.test(track.codec);
  const type = hevc ? (head[width] ?? 0) >> 1 : (head[width] ?? 0) & 31;
  // A slice of a picture (ISO/IEC 14496-10, table 7-1; 23008-2, table 7-1), longer than what is left.
  const slice = hevc ? isSliceType(type) : type === 1 || type === 5;
  if (!slice || (head[width] ?? 128) & 128 || head.readUIntBE(0, width) <= left) return null;
  const bytes = Buffer.alloc(width);
  bytes.writeUIntBE(left, 0, width);
  return { offset, bytes };
}

/** Bytes of a damaged sample in which its sound end is looked for. */
const endBytes = 4096;

/** Where, in [from, end), a chain of NAL units begins that leads exactly to the end of the sample; 0 when there is none. */
function tailStart(source: Source, track: Track, from: number, end: number): number {
  if (track.lengthBytes !== 4) return 0;
  const bytes = source.copy(from, Math.min(end - from, endBytes));
  for (let at = 1; at + 8 < bytes.length; at++) {
    const length = bytes.readUInt32BE(at);
    if (length < 8 || from + at + 4 + length > end) continue;
    if (chainLength(source, track, from + at, end - from - at) === end - from - at) return from + at;
  }
  return 0;
}

/** How many of some places, which rise, lie at or before one. */
function countUntil<Place>(places: readonly Place[], offset: number, at: (place: Place) => number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const place = places[middle];
    if (place !== undefined && at(place) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the shifts, which are sorted, begin at or before a place. */
const shiftsUntil = (shifts: readonly Shift[], offset: number): number =>
  countUntil(shifts, offset, ({ from }) => from);

const shiftAt = (shifts: readonly Shift[], offset: number): number =>
  shifts[shiftsUntil(shifts, offset) - 1]?.shift ?? 0;

/** Whether bytes that a sample had were lost where the data behind it moved back: it would reach into what follows. */
function reachesInto(shifts: readonly Shift[], listed: number, size: number): boolean {
  const next = shifts[shiftsUntil(shifts, listed)];
  return next !== undefined && listed + shiftAt(shifts, listed) + size > next.from + next.shift;
}

const goneOf = ({ states }: Located) => states.reduce((sum, state) => sum + (state === sampleState.gone ? 1 : 0), 0);

/** Finds a track whose data can be judged, and how its samples were moved. */
async function judge(
  reading: Reading,
  tracks: readonly Track[],
  followed: Followed,
): Promise<{ located: Located; shifts: Shift[] }> {
  const { track } = followed;
  const shifts: Shift[] = [];
  const located = await follow(reading, followed, shifts);
  if (goneOf(located) * 2 <= track.sizes.length) return { located, shifts };
  // One move of everything may explain more than places that were found sample by sample.
  const [whole] = shiftsByLayout(reading.source, tracks);
  const other = whole && whole.shift !== 0 ? await follow(reading, followed, [], whole.shift) : null;
  return whole && other && goneOf(other) < goneOf(located) ? { located: other, shifts: [whole] } : { located, shifts };
}

/** Packets of these codecs are never all zero; those of PCM are, in silence. */
const neverZero = /^(mp4a|Opus|ac-3|ec-3)$/;

/** Places a track that cannot be judged by its data as far from where its tables say as those around it. */
function placeBeside(source: Source, track: Track, shifts: Shift[]): Located {
  const offsets = track.offsets.map((offset) => (offset < 0 ? offset : offset + shiftAt(shifts, offset)));
  const sizes = Uint32Array.from(track.sizes);
  const states = new Uint8Array(offsets.length);
  const isPacked = track.inside && neverZero.test(track.codec);
  let moved = 0;
  for (const [index, offset] of offsets.entries()) {
    const size = track.sizes[index] ?? 0;
    if (offset !== track.offsets[index]) moved++;
    if (!track.inside) continue;
    // Of PCM the frames are kept that are whole.
    const rest = track.block > 0 ? source.size - offset - ((source.size - offset) % track.block) : 0;
    if (offset >= 0 && rest > 0 && rest < size) {
      sizes[index] = rest;
      states[index] = sampleState.trimmed;
    } else if (offset < 0 || offset + size > source.size) states[index] = sampleState.gone;
    else if (reachesInto(shifts, track.offsets[index] ?? 0, size)) states[index] = sampleState.gone;
    else if (isPacked && source.read(offset, size).every((byte) => byte === 0)) states[index] = sampleState.gone;
  }
  return { track, offsets, sizes, states, moved, judged: false };
}

/**
 * Finds all samples of all tracks: those that can be judged by their data, the others by the same shifts. `pieces` is where the fragments of a
 * file begin, rising; none for one that is not kept in fragments.
 */
export async function locate(reading: Reading, tracks: Track[], pieces: readonly number[] = []): Promise<Located[]> {
  const { source } = reading;
  const found = new Map<Track, Located>();
  let shifts: Shift[] = [];
  for (const track of tracks) {
    if (!track.inside || !canTell(track)) continue;
    const judged = await judge(reading, tracks, { track, pieces });
    found.set(track, judged.located);
    if (judged.located.judged && shifts.length === 0) shifts = judged.shifts;
  }
  if (![...found.values()].some(({ judged }) => judged)) shifts = [...shifts, ...shiftsByLayout(source, tracks)];
  const rising = [...shifts].sort((left, right) => left.from - right.from);
  return tracks.map((track) => {
    const located = found.get(track);
    return located?.judged ? located : placeBeside(source, track, rising);
  });
}
