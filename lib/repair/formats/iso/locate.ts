import { Buffer } from '../../host/bytes';
import type { Reading } from '../../video/session';
import type { Source } from '../../video/source';
import { type Shift, shiftsByLayout } from './moved';
import { canTell, chainLength, looksRight } from './probes';
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
const farthest = 32 << 20;

function zeroTail(source: Source, offset: number, length: number): boolean {
  return length < 65536 && source.read(offset, length).every((byte) => byte === 0);
}

/** Whether one of the next samples lies where the table puts it beside sample `index` at `place`: frames of equal size are common. */
function agrees(source: Source, track: Track, index: number, place: number): boolean {
  const last = Math.min(track.sizes.length - 1, index + 8);
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
  const first = /^(jpeg|mjpa|mjpb|dmb1|mjpg)$/.test(track.codec) ? 0xff : 0;
  const filtered = track.lengthBytes === 4 || track.lengthBytes === 0;
  const end = Math.min(source.size - size, from + most);
  const nextSame = (track.offsets[index] ?? 0) + size === track.offsets[index + 1];
  for (let at = from; at <= end; ) {
    const window = Buffer.from(source.read(at, Math.min(1 << 18, end - at + 4)));
    if (window.length < 4) return -1;
    for (let inside = 0; inside + 4 <= window.length; inside++) {
      if (filtered && window[inside] !== first) continue;
      if (track.lengthBytes === 4 && window.readUInt32BE(inside) > size - 4) continue;
      const place = at + inside;
      if (!looksRight(source, track, place, size)) continue;
      if (nextSame && index + 1 < track.sizes.length) {
        if (looksRight(source, track, place + size, track.sizes[index + 1] ?? 0) === false) continue;
      } else if (ordered && !agrees(source, track, index, place)) continue;
      return place;
    }
    at += window.length - 3;
    await reading.source.pause(reading.job.deadline);
  }
  return -1;
}

/** Finds where the samples of a track whose data can be judged really are; `by` is how much all of them moved, where that is known. */
async function follow(reading: Reading, track: Track, shifts: Shift[], by: number | null = null): Promise<Located> {
  const { source } = reading;
  const count = track.sizes.length;
  const offsets = Float64Array.from(track.offsets);
  const sizes = Uint32Array.from(track.sizes);
  const states = new Uint8Array(count);
  const right = (index: number, shift: number) =>
    looksRight(source, track, (track.offsets[index] ?? 0) + shift, sizes[index] ?? 0);
  const ordered = isOrdered(track);
  let shift = by ?? 0;
  let moved = 0;
  let lastEnd = 0;
  let budget = source.size * 2 + farthest;
  let sound = 0;
  let patch: Located['patch'];
  for (let index = 0; index < count; index++) {
    const size = sizes[index] ?? 0;
    const expected = (track.offsets[index] ?? 0) + shift;
    offsets[index] = expected;
    if (size === 0) continue;
    if (right(index, shift)) {
      lastEnd = expected + size;
      sound++;
      if (shift !== 0) moved++;
      continue;
    }
    // What was cut off at the front is nowhere else.
    let ahead = by !== null && expected < 0;
    for (let next = index + 1; ordered && next < Math.min(count, index + 9) && !ahead; next++)
      ahead = (sizes[next] ?? 0) > 0 && right(next, shift) === true;
    if (!ahead && budget > 0 && size > 12) {
      const most = lastEnd === 0 ? source.size : farthest;
      const place = await search(reading, track, index, lastEnd, most, ordered);
      budget -= place >= 0 ? place - lastEnd : Math.min(most, source.size - lastEnd);
      if (place >= 0 && place !== expected) {
        shift = place - (track.offsets[index] ?? 0);
        // What lay before the first sample that is left was moved with it.
        shifts.push({ from: lastEnd === 0 ? 0 : (track.offsets[index] ?? 0), shift });
        index--;
        continue;
      }
    }
    const inside = expected >= 0 && expected < source.size;
    const kept = inside && track.lengthBytes > 0 ? chainLength(source, track, expected, size) : 0;
    if (inside && kept > 0 && expected + size <= source.size && zeroTail(source, expected + kept, size - kept))
      continue;
    // The picture itself is whole where only what an encoder puts before it was overwritten.
    const left = source.size - expected;
    const unit = inside && left < size && !patch ? cutUnit(source, track, expected + kept) : null;
    const cut =
      inside && kept < size && expected + size <= source.size
        ? tailStart(source, track, expected + kept, expected + size)
        : 0;
    if (unit) {
      patch = unit;
      states[index] = sampleState.trimmed;
      sizes[index] = left;
    } else if (cut > 0 && expected + size - cut > kept) {
      states[index] = sampleState.trimmed;
      offsets[index] = cut;
      sizes[index] = expected + size - cut;
    } else if (kept > 0) {
      states[index] = sampleState.trimmed;
      sizes[index] = kept;
    } else states[index] = sampleState.gone;
    await reading.tell(expected, 0, 0.4);
  }
  return { track, offsets, sizes, states, moved, judged: sound > 0 || count === 0, patch };
}

/** The length that a unit has left which the end of the file cuts: decoders show what there is of its picture. Null when it is too little. */
function cutUnit(source: Source, track: Track, offset: number): Located['patch'] | null {
  const width = track.lengthBytes;
  const left = source.size - offset - width;
  const head = source.read(offset, width + 2);
  if (width === 0 || left < 32 || head.length < width + 2) return null;
  const hevc = /^(hvc1|hev1|dvh1|dvhe)$/.test(track.codec);
  const type = hevc ? (head[width] ?? 0) >> 1 : (head[width] ?? 0) & 31;
  // A slice of a picture (ISO/IEC 14496-10, table 7-1; 23008-2, table 7-1), longer than what is left.
  const slice = hevc ? type < 10 || (type > 15 && type < 22) : type === 1 || type === 5;
  if (!slice || (head[width] ?? 128) & 128 || head.readUIntBE(0, width) <= left) return null;
  const bytes = Buffer.alloc(width);
  bytes.writeUIntBE(left, 0, width);
  return { offset, bytes };
}

/** Where, in [from, end), a chain of NAL units begins that leads exactly to the end of the sample; 0 when there is none. */
function tailStart(source: Source, track: Track, from: number, end: number): number {
  if (track.lengthBytes !== 4) return 0;
  const bytes = source.copy(from, Math.min(end - from, 4096));
  for (let at = 1; at + 8 < bytes.length; at++) {
    const length = bytes.readUInt32BE(at);
    if (length < 8 || from + at + 4 + length > end) continue;
    if (chainLength(source, track, from + at, end - from - at) === end - from - at) return from + at;
  }
  return 0;
}

function shiftAt(shifts: Shift[], offset: number): number {
  let shift = 0;
  for (const step of shifts) if (step.from <= offset) shift = step.shift;
  return shift;
}

const goneOf = ({ states }: Located) => states.reduce((sum, state) => sum + (state === sampleState.gone ? 1 : 0), 0);

/** Finds all samples of all tracks: those that can be judged by their data, the others by the same shifts. */
export async function locate(reading: Reading, tracks: Track[]): Promise<Located[]> {
  const { source } = reading;
  const shifts: Shift[] = [];
  const found = new Map<Track, Located>();
  for (const track of tracks)
    if (track.inside && canTell(track)) {
      let own: Shift[] = [];
      let located = await follow(reading, track, own);
      if (goneOf(located) * 2 > track.sizes.length) {
        // One move of everything may explain more than places that were found sample by sample.
        const [whole] = shiftsByLayout(source, tracks);
        const other = whole && whole.shift !== 0 ? await follow(reading, track, [], whole.shift) : null;
        if (whole && other && goneOf(other) < goneOf(located)) [located, own] = [other, [whole]];
      }
      found.set(track, located);
      if (located.judged && shifts.length === 0) shifts.push(...own);
    }
  if (![...found.values()].some(({ judged }) => judged)) shifts.push(...shiftsByLayout(source, tracks));
  shifts.sort((left, right) => left.from - right.from);
  return tracks.map((track) => {
    const located = found.get(track);
    if (located?.judged) return located;
    const offsets = track.offsets.map((offset) => (offset < 0 ? offset : offset + shiftAt(shifts, offset)));
    const sizes = Uint32Array.from(track.sizes);
    const states = new Uint8Array(offsets.length);
    let moved = 0;
    // Packets of these codecs are never all zero; those of PCM are, in silence.
    const packed = track.inside && /^(mp4a|Opus|ac-3|ec-3)$/.test(track.codec);
    for (let index = 0; index < offsets.length; index++) {
      const offset = offsets[index] ?? -1;
      if (offset !== track.offsets[index]) moved++;
      const rest = track.block > 0 ? source.size - offset - ((source.size - offset) % track.block) : 0;
      if (track.inside && offset >= 0 && rest > 0 && rest < (sizes[index] ?? 0)) {
        sizes[index] = rest;
        states[index] = sampleState.trimmed;
      } else if (track.inside && (offset < 0 || offset + (track.sizes[index] ?? 0) > source.size))
        states[index] = sampleState.gone;
      else if (packed && source.read(offset, track.sizes[index] ?? 0).every((byte) => byte === 0))
        states[index] = sampleState.gone;
    }
    return { track, offsets, sizes, states, moved, judged: false };
  });
}
