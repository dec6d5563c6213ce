import { Buffer } from '../../host/bytes';

const [lineFeed, carriageReturn] = [10, 13];

/** Fewer line ends than this may all have a CR by chance: one in 256 does, so that four of them are one file in four thousand million. */
const leastLines = 4;

/** Part of the line ends that may lack their CR where further damage fell on them; chosen on the bench. */
const mostBare = 0.02;

/** Counts line ends, and those without a CR, in bytes that are seen one stretch after another. */
export class LineEnds {
  #lines = 0;
  #bare = 0;
  #last = 0;

  /** Takes the next stretch. */
  add(bytes: Buffer): this {
    for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
      this.#lines++;
      if ((at > 0 ? bytes[at - 1] : this.#last) !== carriageReturn) this.#bare++;
    }
    this.#last = bytes.at(-1) ?? this.#last;
    return this;
  }

  /**
   * The rule by which a transfer in text mode is believed: nearly every LF has a CR before it. Text does that by itself, but a file of
   * ours is packed or binary for the most part, where LF is a byte like any other.
   */
  get areChanged(): boolean {
    return this.#lines >= leastLines && this.#bare <= this.#lines * mostBare;
  }

  /** Whether what was seen so far rules it out, as most files do within their first bytes. */
  get areOwn(): boolean {
    return this.#bare >= leastLines && this.#bare > this.#lines * mostBare;
  }
}

/** How often every other byte value stands at least in packed data of which one value says something by never being there. */
const enough = 16;

/**
 * Whether a transfer left no CR, or no LF, in packed bytes where every other value stands often enough: it was dropped, or became the other,
 * every 256 bytes or so, and what was which cannot be told.
 */
export function areLineEndsLost(bytes: Uint8Array): boolean {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  const isGone = (value: number) => counts[value] === 0;
  if (isGone(carriageReturn) === isGone(lineFeed)) return false;
  return counts.every((count, value) => count >= enough || value === carriageReturn || value === lineFeed);
}

/** The bytes without the CR before each LF; `end` of them, where those behind only tell what follows. */
export function withoutReturns(bytes: Buffer, end = bytes.length): Buffer {
  const result = Buffer.allocUnsafe(end);
  let length = 0;
  for (let at = 0; at < end; at++)
    if (bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed) result[length++] = bytes[at] ?? 0;
  return result.subarray(0, length);
}
