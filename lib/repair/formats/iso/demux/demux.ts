import { Buffer } from '../../../host/bytes';
import type { Reading } from '../../../video/session';
import type { Source } from '../../../video/source';
import { type Chunking, chunkFrom, isPadding } from './chunks';
import type { ReadablePictures } from './readable';
import type { Unit, UnitReader } from './units';

/** Zeroes in a row with which no sample begins, and how many of them may still be the first bytes of one: those of its length. */
const emptyBytes = 64;
const leadingZeroes = 8;

/** Where to look on from `at`: near the end of what was wiped, in which some readers take long to find no sample; elsewhere there. */
function pastZeroes(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && bytes[end] === 0) end++;
  return end - at < emptyBytes ? at : end - leadingZeroes;
}

/** A stretch of the file, in bytes; `to` is behind its end. */
export type Span = { from: number; to: number };

/** The samples found of one track. `orders`, `resets` and `references` belong to reordered pictures (see `displayOrder`). */
export type Found = {
  offsets: number[];
  sizes: number[];
  keys: number[];
  orders: number[];
  resets: number[];
  references: number[];
};

/** One track to look for. Sets that lie in the stream are handed to `learn`. */
export type Wanted = {
  /** How a working video lays sound that has no mark. */
  chunking: Chunking | null;
  reader: UnitReader;
  picture: boolean;
  block: number;
  /** The byte that packets of sound without any other mark begin with, where it is known. */
  first: number | null;
  learn: (set: Buffer) => void;
  /** Whether bytes are one picture up to its last bit, where that can be told. */
  isWhole?: ((bytes: Buffer) => boolean) | undefined;
  /** Tells pictures that were looked for from what only begins like one. */
  readable?: ReadablePictures | undefined;
  found: Found;
};

export function nothingFound(): Found {
  return { offsets: [], sizes: [], keys: [], orders: [], resets: [], references: [] };
}

type Hit = { wanted: Wanted; unit: Unit };

/** Bytes of metadata of the camera, and of sound that began before it, that may lie between one picture and the next. */
const mostBetween = 16_384;
/** Ends of a picture that are held against what it holds, at most. */
const mostEnds = 16;
/** How often each byte of a stretch may be looked at for that: a picture itself, the next one, and what lies between; a made file could ask for more. */
const looksAtEach = 6;

function masked(readers: readonly UnitReader[]): Uint8Array | null {
  const mask = new Uint8Array(256);
  for (const { firstBytes } of readers) {
    if (!firstBytes) return null;
    for (let byte = 0; byte < 256; byte++) if (firstBytes[byte]) mask[byte] = 1;
  }
  return mask;
}

function fill({ found }: Wanted, { from, to }: Span): void {
  found.offsets.push(from);
  found.sizes.push(to - from);
  found.keys.push(1);
}

/** Takes raw media data apart: at each place the sample that begins there, of whatever track; where none does, the next place is looked for. */
export class Demuxer {
  readonly #reading: Reading;
  readonly #source: Source;
  readonly #whole: Wanted[];
  readonly #pictures: Wanted[];
  readonly #bounded: Wanted | undefined;
  readonly #filler: Wanted | undefined;
  /** Bytes that may still be looked at for pictures that others follow. */
  #looks = 0;
  /** Bytes that belong to no sample. */
  passed = 0;
  /** Places where samples broke off. */
  readonly gaps: Span[] = [];

  constructor(reading: Reading, wanted: readonly Wanted[]) {
    this.#reading = reading;
    this.#source = reading.source;
    const whole = wanted.filter(({ reader }) => reader.way === 'whole');
    this.#pictures = whole.filter(({ picture }) => picture);
    this.#whole = [...this.#pictures, ...whole.filter(({ picture }) => !picture)];
    this.#bounded = wanted.find(({ reader }) => reader.way === 'bounded');
    this.#filler = wanted.find(({ reader }) => reader.way === 'filler');
  }

  #measure(at: number, end: number, among: readonly Wanted[] = this.#whole): Hit | null {
    for (const wanted of among) {
      const unit = wanted.reader.measure(this.#source, at, end);
      if (unit && unit.size > 0 && at + unit.size <= end) return { wanted, unit };
    }
    return null;
  }

  /** Whether something sensible goes on at `at`, so that what came before it was no accident. */
  #goesOn(at: number, end: number): boolean {
    if (at >= end) return true;
    return (
      this.#measure(at, end) !== null ||
      (this.#bounded?.reader.measure(this.#source, at, end) !== null && this.#bounded !== undefined)
    );
  }

  /**
   * Whether a picture speaks for itself: its bytes are clean, and sound may begin behind it by the byte that its packets begin with, or
   * behind the pictures that follow it; sound that tells itself speaks for it as well.
   */
  #speaks({ wanted: { reader }, unit: { size } }: Hit, place: number, end: number): boolean {
    const isClean = reader.isClean?.(this.#source, place, size) ?? true;
    if (isClean === false) return false;
    const first = this.#filler?.first ?? null;
    const next = place + size;
    if (first !== null && next < end && this.#source.read(next, 1)[0] === first) return true;
    if (isClean === 'short') return false;
    if (first === null || next >= end) return true;
    const behind = this.#measure(next, end);
    return behind !== null && (!behind.wanted.picture || this.#speaks(behind, next, end));
  }

  /** Whether nothing but what follows speaks for a picture: sound that begins with a known byte would have to. */
  #isSpokenFor(at: number, end: number): boolean {
    return (this.#filler?.first ?? null) === null && this.#goesOn(at, end);
  }

  /**
   * Whether another picture begins not far behind one that ends at `at`: cameras put metadata that nothing here reads behind each, so that
   * nothing that is known may follow at once. Both must hold what their codec allows. Behind the last one the data ends.
   */
  #isFollowed({ wanted: { reader, picture, found }, unit: { size } }: Hit, place: number, end: number): boolean {
    const isClean = (at: number, bytes: number) => {
      this.#looks -= bytes;
      return reader.isClean?.(this.#source, at, bytes) === true;
    };
    if (!picture || this.#filler || this.#looks <= 0 || !isClean(place, size)) return false;
    this.#looks -= mostBetween;
    const mask = reader.firstBytes;
    const bytes = this.#source.copy(place + size, Math.min(mostBetween, Math.max(0, end - place - size)));
    for (const [inside, byte] of bytes.entries()) {
      if (mask && !mask[byte]) continue;
      const unit = reader.measure(this.#source, place + size + inside, end);
      if (!unit || unit.size <= 0 || this.#looks <= 0) continue;
      if (isClean(place + size + inside, unit.size)) {
        this.#looks += mostBetween - inside;
        return true;
      }
    }
    return found.offsets.length > 0 && end - place - size < mostBetween;
  }

  #take({ wanted, unit }: Hit, at: number, size = unit.size): void {
    const { found } = wanted;
    found.offsets.push(at);
    found.sizes.push(size);
    found.keys.push(unit.key ? 1 : 0);
    if (unit.head) {
      found.orders.push(unit.head.order);
      found.resets.push(unit.head.reset ? 1 : 0);
      found.references.push(unit.head.reference ? 1 : 0);
    }
    for (const set of unit.sets) wanted.learn(set);
  }

  /**
   * Whether what was looked for is no chance. What lies between has no mark, or is not known: where nothing behind the picture can speak
   * for it, its own head must do.
   */
  #isBelieved(hit: Hit, place: number, end: number, isAligned: boolean): boolean {
    const { wanted, unit } = hit;
    const isTold =
      (isAligned && this.#speaks(hit, place, end)) ||
      this.#isSpokenFor(place + unit.size, end) ||
      this.#isFollowed(hit, place, end);
    if (isTold) return wanted.readable?.isPicture(this.#source, place, unit.size) ?? true;
    // Behind a line of text beside sound it stands at no whole value of that.
    return this.#filler?.first === null && wanted.readable?.isProven(this.#source, place, unit.size) === true;
  }

  /** The next place from `from` on where a sample begins that is followed by another; `end` when there is none. */
  async #next(from: number, end: number, among: readonly Wanted[], block: number): Promise<number> {
    const filling = this.#filler !== undefined || this.#whole.length === this.#pictures.length;
    const mask = masked([...among, ...(this.#bounded ? [this.#bounded] : [])].map(({ reader }) => reader));
    for (let at = from; at < end; ) {
      const window = Buffer.from(this.#source.read(at, Math.min(1 << 16, end - at)));
      if (window.length === 0) break;
      for (let inside = 0; inside < window.length; inside++) {
        if (mask && !mask[window[inside] ?? 0]) continue;
        inside = pastZeroes(window, inside);
        const place = at + inside;
        const hit = this.#measure(place, end, among);
        if (hit) {
          const isAligned = filling && (place - from) % Math.max(1, block) === 0;
          if (this.#isBelieved(hit, place, end, isAligned)) return place;
        } else if (this.#bounded?.reader.measure(this.#source, place, end)) return place;
      }
      at += window.length;
      await this.#reading.tell(at, 0.1, 0.5);
    }
    return end;
  }

  /**
   * The end of a bounded sample that begins at `at`: the next such start, or before it the sound frames that lead exactly to it. Bytes of a picture may look
   * like such frames, so that of several ends the first one counts with which it is read to its last bit.
   */
  #boundedEnd(bounded: Wanted, at: number, least: number, end: number): number {
    let next = at + least;
    const needle = Buffer.from([0, 0]);
    for (;;) {
      const zero = this.#source.find(needle, next, end);
      if (zero < 0) {
        next = end;
        break;
      }
      next = zero;
      if (bounded.reader.measure(this.#source, next, end)) break;
      next++;
    }
    if (this.#whole.length === 0) return next;
    const mask = masked(this.#whole.map(({ reader }) => reader));
    const bytes = this.#source.copy(at, Math.min(next - at, 1 << 20));
    const ends: number[] = [];
    for (let inside = least; inside < bytes.length && ends.length < mostEnds; inside++) {
      if (mask && !mask[bytes[inside] ?? 0]) continue;
      let place = at + inside;
      for (let hit = this.#measure(place, next); hit; hit = place < next ? this.#measure(place, next) : null)
        place += hit.unit.size;
      if (place !== next) continue;
      if (bounded.isWhole?.(bytes.subarray(0, inside)) ?? true) return at + inside;
      ends.push(at + inside);
    }
    const [first = next] = ends;
    return ends.length > 0 && bounded.isWhole?.(bytes) ? next : first;
  }

  /** The chunk of sound that begins at `at` or behind padding, where a picture follows it as it does in a working video; null elsewhere. */
  #chunkAt(at: number, end: number): Span | null {
    const chunking = this.#filler?.chunking;
    if (!chunking) return null;
    const chunk = chunkFrom(chunking, at);
    const next = Math.ceil(chunk.to / chunking.align) * chunking.align;
    if (chunk.to > end || (chunking.lead < 0 && this.#source.findNonZero(at, chunk.from) >= 0 && chunk.from > at))
      return null;
    return chunk.to === end || [chunk.to, next].some((place) => this.#measure(place, end, this.#pictures))
      ? chunk
      : null;
  }

  /** Where what follows a chunk begins: behind padding, where a picture does there. */
  #pastPadding(at: number, end: number): number {
    const chunking = this.#filler?.chunking;
    if (!chunking || chunking.lead >= 0) return at;
    const next = Math.ceil(at / chunking.align) * chunking.align;
    const isNext = next === end || (next < end && this.#measure(next, end, this.#pictures) !== null);
    return isNext && isPadding(this.#source, chunking, { from: at, to: next }) ? next : at;
  }

  /** Takes one stretch apart. */
  async run({ from, to }: Span): Promise<void> {
    const filler = this.#filler;
    this.#looks += (to - from) * looksAtEach;
    for (let at = from, count = 0; at < to; count++) {
      if ((count & 31) === 0) await this.#reading.tell(at, 0.1, 0.5);
      const hit = this.#measure(at, to);
      if (hit) {
        this.#take(hit, at);
        hit.wanted.readable?.learn(this.#source, at, hit.unit.size);
        at += hit.unit.size;
        continue;
      }
      const start = this.#bounded?.reader.measure(this.#source, at, to);
      if (start && this.#bounded) {
        const stop = this.#boundedEnd(this.#bounded, at, start.size, to);
        this.#take({ wanted: this.#bounded, unit: start }, at, stop - at);
        at = stop;
        continue;
      }
      const chunk = filler ? this.#chunkAt(at, to) : null;
      if (filler && chunk) {
        fill(filler, chunk);
        at = this.#pastPadding(chunk.to, to);
        continue;
      }
      const next = filler
        ? await this.#next(at, to, this.#pictures, filler.block)
        : await this.#next(at + 1, to, this.#whole, 0);
      if (filler) fill(filler, { from: at, to: next });
      else {
        this.passed += next - at;
        this.gaps.push({ from: at, to: next });
      }
      at = next;
    }
  }
}
