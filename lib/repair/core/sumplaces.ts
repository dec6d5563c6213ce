import { Buffer } from '../host/bytes';
import { byteSum, plainSum, shifted } from './sumalgebra';
import { crc32 } from './sums';

/** What bytes add to the sum of a text, from its last one on to its first. */
class Backwards {
  readonly #bits = Int32Array.from({ length: 8 }, (_, bit) => byteSum(1 << bit));

  /** What the byte at this place adds. */
  of(byte: number): number {
    let sum = 0;
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) sum ^= this.#bits[bit] ?? 0;
    return sum;
  }

  /** Goes to the place before. */
  step(): void {
    for (let bit = 0; bit < 8; bit++) this.#bits[bit] = shifted(this.#bits[bit] ?? 0);
  }
}

/** More pairs of places would fit a sum by chance. */
const mostPairs = 1 << 20;

/**
 * Before which LF one or two CR are missing, where the data with them has the check sum; null when none fits, or more than one. No
 * trial reads the data again, as a CRC can be told from those of its pieces.
 */
export function lostReturns(data: Buffer, missing: number, crc: number): number[] | null {
  if (missing < 1 || missing > 2) return null;
  const whole = plainSum(data);
  const wanted = crc ^ crc32(Buffer.alloc(data.length + missing)) ^ whole;
  const places: number[] = [];
  const sums: number[] = [];
  let sum = plainSum(Buffer.concat([data, Buffer.of(13)]));
  const last = new Backwards();
  const before = new Backwards();
  before.step();
  for (let at = data.length - 1; at >= 0; at--) {
    // A CR that goes one byte to the front changes places with that byte.
    const differing = (data[at] ?? 0) ^ 13;
    sum ^= last.of(differing) ^ before.of(differing);
    last.step();
    before.step();
    if (data[at] !== 10) continue;
    places.push(at);
    sums.push(sum ^ whole);
  }
  const found: number[][] = [];
  if (missing === 1) {
    for (const [index, one] of sums.entries()) if (one === wanted) found.push([places[index] ?? 0]);
  } else if ((places.length * places.length) / 2 <= mostPairs) {
    // The places are known from the last one on: behind each lie those that were passed.
    const behind = new Map<number, number>();
    for (const [index, one] of sums.entries()) {
      const place = places[index] ?? 0;
      const other = behind.get(wanted ^ shifted(one));
      if (other !== undefined) found.push([place, other]);
      behind.set(one, place);
    }
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** From where on a run of bytes was put into the data, where the data without it has the check sum; null when no place fits. */
export function placeOfRun(data: Buffer, length: number, crc: number): number | null {
  const kept = data.length - length;
  if (length <= 0 || kept < 0) return null;
  const wanted = crc ^ crc32(Buffer.alloc(kept));
  let sum = plainSum(data.subarray(0, kept));
  const each = new Backwards();
  let at = kept;
  while (sum !== wanted && at > 0) {
    at--;
    sum ^= each.of((data[at] ?? 0) ^ (data[at + length] ?? 0));
    each.step();
  }
  return sum === wanted ? at : null;
}
