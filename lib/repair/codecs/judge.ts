import type { Buffer } from '../host/bytes';
import type { Effort } from '../report';

/** How many bytes of the data of a frame are left over, of the part with most, how many were missing, and how many blocks it has where few bits may stand for many. */
export type FrameEnd = { over: number; missing: number; cells?: number };

/** Reads frames of a stream in their order: null for what no encoder wrote, undefined for those that cannot be read by what is known. */
export type FrameReader = { read(frame: Buffer): FrameEnd | null | undefined };

/** Bytes that encoders leave over at most behind the last coefficient, or leave out: libvpx neither. */
const loosest = 8;
/** Frames that ended exactly with their data, after which those of the same stream must; chosen on the bench. */
const enough = 8;
/** Bits of a slice of H.264 that a bit of VP8 or VP9 costs as much as, measured. */
const costOfBit = 2;

/**
 * Tells frames of a stream of VP8 or VP9 that were damaged; it has to see them in their order. Wrong bits make sense in arithmetic coding, but
 * what is read with them has another length. Frames behind such a one may be read with its probabilities, so of them only those that end
 * with their data are judged, until one does.
 */
export class EndJudge {
  readonly #frames: FrameReader;
  readonly #effort: Effort;
  readonly #mayFill: boolean;
  #exact = 0;
  #loose = 0;
  #isDoubted = false;
  /** Frames with bytes left over before any was seen to end exactly: an encoder may fill all frames up. */
  #filled = 0;

  /** `mayFill`: the codec lets encoders fill frames up with what is not counted as left over otherwise; VP9 has zeroes alone there (9.2.3). */
  constructor(frames: FrameReader, effort: Effort, mayFill: boolean) {
    this.#frames = frames;
    this.#effort = effort;
    this.#mayFill = mayFill;
  }

  /** Frames that were not judged when they came, since it was not known how the stream ends its frames, and are damaged. */
  get late(): number {
    return this.#exact >= enough ? this.#filled : 0;
  }

  isSound(frame: Buffer): boolean | null {
    const end = this.#frames.read(frame);
    if (end === undefined) return null;
    this.#effort.spend('sliceReading');
    this.#effort.spend('sliceBit', frame.length * 8 * costOfBit + (end?.cells ?? 0));
    if (end !== null && this.#endsWell(end)) {
      this.#isDoubted = false;
      return true;
    }
    const isFirst = !this.#isDoubted;
    this.#isDoubted = true;
    if (!isFirst) return null;
    // Data that is over too soon, or names sizes that it has not, is nothing that an encoder wrote.
    if (this.#exact > 0 || !this.#mayFill || end === null || end.missing > loosest) return false;
    this.#filled++;
    return null;
  }

  #endsWell({ over, missing }: FrameEnd): boolean {
    const most = Math.max(over, missing);
    if (most > loosest) return false;
    const isStrict = this.#loose === 0 && this.#exact >= enough;
    if (most === 0) this.#exact++;
    else if (!isStrict) this.#loose++;
    return most === 0 || !isStrict;
  }
}
