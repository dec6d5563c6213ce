import type { Buffer } from '../../host/bytes';
import type { Deadline } from '../../report';
import { none } from './read';

/** Differences that follow each other in a lossless picture: from which one on of all that were read, how many, and where they stand in bytes. */
export type Stretch = { from: number; count: number; at: number; end: number };

/** All differences that can be read, in the order of the data, and the stretches between places where it cannot be read on. */
export type Differences = { values: Uint16Array; stretches: Stretch[] };

/** Zeroes in a row that are no data: codes of a photo do not repeat so, but for a while where it is all one colour. */
const blankRun = 256;
/** Differences behind a place where reading began in the middle of a code, until which codes fall in step. */
const untilInStep = 64;
/** Differences that are worth looking at. */
const fewest = 1024;

/** Bits of packed differences, read one after the other: `at` is the byte behind those that were taken in. */
export type DifferenceBits = {
  readonly at: number;
  readonly isShort: boolean;
  difference(lookup: Uint16Array): number;
};

/** A picture packed as differences: where they stand, how many there are, the codes of each component, and how they are read from a byte on. */
export type Source = {
  bytes: Buffer;
  dataAt: number;
  end: number;
  all: number;
  lookups: readonly Uint16Array[];
  open(at: number, stop: number): DifferenceBits;
  /** Whether the last difference of the picture ends here. */
  isEnd(at: number): boolean;
};

/**
 * Reads all differences of a picture whatever they come to, beginning anew behind every place where no code stands, a mark does, or bytes
 * were wiped. For pictures of one scan without restart marks whose components have one table each.
 */
export function differencesOf({ bytes, dataAt, end, all, lookups, open }: Source, deadline: Deadline): Differences {
  const values = new Uint16Array(all + (all >> 3));
  const stretches: Stretch[] = [];
  const blanks = blanksOf(bytes, dataAt, end);
  const most = Math.min(end, bytes.length);
  let filled = 0;
  for (let at = dataAt; at < most && filled < values.length; ) {
    while (blanks[0] && blanks[0].to <= at) blanks.shift();
    const stop = blanks[0] ?? { from: most, to: most };
    const bits = open(at, stop.from);
    const from = filled;
    while (filled < values.length) {
      // The component is not known where reading began in the middle; the tables are mostly the same for all.
      const difference = bits.difference(lookups[(filled - from) % lookups.length] as Uint16Array);
      if (difference === none || bits.isShort) break;
      values[filled++] = difference;
      if ((filled & 0xfffff) === 0) deadline.check();
    }
    const late = at === dataAt ? 0 : untilInStep;
    if (filled - from >= fewest + late)
      stretches.push({ from: from + late, count: filled - from - late, at, end: Math.min(bits.at, most) });
    else filled = from;
    at = Math.max(at + 1, bits.at >= stop.from ? stop.to : bits.at + 1);
  }
  return { values: values.subarray(0, filled), stretches };
}

/** All bytes between two places that were wiped, in their order. */
function blanksOf(bytes: Buffer, from: number, end: number): { from: number; to: number }[] {
  const most = Math.min(end, bytes.length);
  const blanks: { from: number; to: number }[] = [];
  for (let place = from + blankRun - 1; place < most; place += blankRun) {
    // A run of this length holds one of the places that are looked at; the rest follows from there.
    const value = bytes[place];
    if (value !== 0 || bytes[place - 1] !== 0) continue;
    let start = place;
    while (start > from && bytes[start - 1] === value) start--;
    let to = place + 1;
    while (to < most && bytes[to] === value) to++;
    if (to - start < blankRun) continue;
    blanks.push({ from: start, to });
    place = to;
  }
  return blanks;
}
