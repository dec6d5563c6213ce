import type { Effort } from '../../report';
import { type FrameEnd, Vp8Frames } from './frames';

/** Bytes that encoders leave over at most behind the last coefficient, or leave out: libvpx neither. */
const loosest = 8;
/** Frames that ended exactly with their data, after which those of the same stream must; chosen on the bench. */
const enough = 8;
/** Bits of a slice of H.264 that a bit of VP8 costs as much as, measured. */
const costOfBit = 2;

/**
 * Tells frames of a stream of VP8 that were damaged; it has to see them in their order. Wrong bits make sense in arithmetic coding, but
 * what is read with them has another length. Behind such a frame nothing is judged up to the next key frame.
 */
export class Vp8Judge {
  readonly #frames = new Vp8Frames();
  readonly #effort: Effort;
  #exact = 0;
  #loose = 0;

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  isSound(frame: Uint8Array): boolean | null {
    const end = this.#frames.read(frame);
    if (end === undefined) return null;
    this.#effort.spend('sliceReading');
    this.#effort.spend('sliceBit', frame.length * 8 * costOfBit);
    const isWhole = end !== null && this.#endsWell(end);
    if (isWhole) return true;
    this.#frames.reset();
    // A stream of which no frame was seen to end with its data may be one that this reader does not understand.
    return this.#exact > 0 ? false : null;
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
