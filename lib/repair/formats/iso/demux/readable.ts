import { parameterSets } from '../../../codecs/configuration';
import { unitReaderFor } from '../../../codecs/following';
import type { UnitReader } from '../../../codecs/units';
import type { Effort } from '../../../report';
import type { Source } from '../../../video/source';
import type { Span } from './demux';
import type { Template } from './template';

/**
 * Bytes that are read of a slice, and of one that is so long that much would be lost with it: of data that is none, hardly any is read so
 * far. And bytes before their end where a slice of which no more is there is noticed to be over; chosen on the bench.
 */
const looked = { short: 4096, long: 16_384, from: 65_536 };
const ahead = 64;
/** Pictures that are held against the reader before it counts, how many of these it must be able to read, and how many are judged later that were believed before. */
const tried = { most: 8, least: 3, believed: 16 };
/** Bytes of a unit that tell whether it is a slice. */
const headBytes = 8;
/** Largest unit that is read whole, for proof, or where its rows tell where they begin only with all of it there. */
const largest = 1 << 20;

/**
 * Tells pictures of H.264 and HEVC from what only begins like one: sound without any mark has such heads by chance. The beginning of the
 * first slice is read down to its coefficients; what no encoder wrote comes to the end of a slice too soon, or to what cannot be.
 */
export class ReadablePictures {
  readonly #reader: UnitReader;
  readonly #effort: Effort;
  readonly #told = new Map<number, boolean>();
  /** Pictures that were believed before it was known whether they can be read. */
  readonly #believed: Span[] = [];
  #seen = 0;
  #read = 0;

  constructor(reader: UnitReader, effort: Effort) {
    this.#reader = reader;
    this.#effort = effort;
  }

  /** Takes in whether a picture can be read that stands where the one before it ends: of a stream of which they cannot, none is doubted for it. */
  learn(source: Source, at: number, size: number): void {
    if (this.#seen >= tried.most) return;
    this.#seen++;
    if (this.#isReadable(source, at, size)) this.#read++;
  }

  /** Whether a picture that was looked for can be one; true where that can't be told. */
  isPicture(source: Source, at: number, size: number): boolean {
    if (this.#effort.isSpent) return true;
    if (!this.#isKnown) {
      if (this.#believed.length < tried.believed) this.#believed.push({ from: at, to: at + size });
      return true;
    }
    const told = this.#told.get(at) ?? this.#isReadable(source, at, size);
    this.#told.set(at, told);
    return told;
  }

  get #isKnown(): boolean {
    return this.#read >= tried.least && this.#read * 2 >= this.#seen;
  }

  /** Whether one was believed that is none, so that all has to be looked for once more; tells it once. */
  isMisled(source: Source): boolean {
    const believed = this.#believed.splice(0);
    return this.#isKnown && believed.some(({ from, to }) => !this.isPicture(source, from, to - from));
  }

  /** Whether a picture is one beyond doubt: its first slice ends with its last bit. */
  isProven(source: Source, at: number, size: number): boolean {
    if (!this.#isKnown || this.#effort.isSpent) return false;
    const slice = this.#sliceOf(source, at, size);
    return slice !== null && slice.length <= largest && this.#reader.brokenAt(source.copy(slice.at, slice.length)) < 0;
  }

  /** The first slice of a picture: where it begins, and its length in bytes. */
  #sliceOf(source: Source, at: number, size: number): { at: number; length: number } | null {
    for (let place = at; place + 4 < at + size; ) {
      const length = source.word(place);
      const unit = source.copy(place + 4, Math.min(length, headBytes));
      if (unit.length === 0) return null;
      if (this.#reader.isSlice(unit)) return { at: place + 4, length };
      place += 4 + length;
    }
    return null;
  }

  #isReadable(source: Source, at: number, size: number): boolean {
    const slice = this.#sliceOf(source, at, size);
    return slice !== null && this.#begins(source, slice.at, slice.length);
  }

  #begins(source: Source, at: number, length: number): boolean {
    const head = source.copy(at, Math.min(length, length < looked.from ? looked.short : looked.long));
    const broken = this.#reader.brokenAt(head);
    const isAhead = broken >= head.length - ahead;
    if (broken < 0 || (isAhead && head.length < length)) return true;
    // A head whose rows end behind what is there can't be read without them.
    return (
      broken === 0 && head.length < length && length <= largest && this.#reader.brokenAt(source.copy(at, length)) < 0
    );
  }
}

/** For pictures of this track, which are units behind lengths of four bytes; undefined for others, and where its parameter sets can't be read. */
export function readablePictures({ codec, stsd }: Template, effort: Effort): ReadablePictures | undefined {
  const kind = /^avc[1-4]$/.test(codec) ? 'avc' : /^(?:hvc1|hev1)$/.test(codec) ? 'hevc' : null;
  const reader = kind && unitReaderFor(kind, parameterSets(stsd), effort);
  return reader ? new ReadablePictures(reader, effort) : undefined;
}
