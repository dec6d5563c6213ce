import type { BoolReader } from '../bool';
import { motionUpdates, replacedCoefficients, startingCoefficients, startingMotion } from './tables';

/** Probabilities that a frame leaves to those behind it (RFC 6386, 9.11): of coefficients, vectors (rows, then columns), and intra modes. */
export type Entropy = { coefficients: Uint8Array; motion: Uint8Array[]; luma: Uint8Array; chroma: Uint8Array };

/** Probabilities of the modes of intra macroblocks that a key frame begins with (16.1). */
const startingModes = { luma: [112, 86, 140, 37], chroma: [162, 101, 204] };

/** What a key frame begins with. */
export const freshEntropy = (): Entropy => ({
  coefficients: startingCoefficients.slice(),
  motion: startingMotion.map((one) => one.slice()),
  luma: Uint8Array.from(startingModes.luma),
  chroma: Uint8Array.from(startingModes.chroma),
});

/** A copy that a frame may change for itself. */
export const copyOf = ({ coefficients, motion, luma, chroma }: Entropy): Entropy => ({
  coefficients: coefficients.slice(),
  motion: motion.map((one) => one.slice()),
  luma: luma.slice(),
  chroma: chroma.slice(),
});

/** Probabilities of what macroblocks build on (9.10), and whether vectors of the references 0 to 3 point the other way (9.7). */
export type References = { intra: number; last: number; golden: number; turned: readonly boolean[] };

/** What the header of a frame tells about how the rest is read (RFC 6386, 9.2 to 9.11). */
export type Header = {
  partitions: number;
  /** Probabilities of the tree of segments; null where they are not told by macroblock. */
  segments: readonly number[] | null;
  /** The probability of macroblocks with coefficients; null where none is without. */
  skip: number | null;
  /** Null in key frames. */
  references: References | null;
  /** Whether the frames behind begin with the probabilities of this one. */
  isKept: boolean;
};

/** Segments, and reference frames or modes, that may have a value of their own (9.3 and 9.6). */
const values = 4;
/** Steps of quantisation that may differ from the first (9.6). */
const quantisers = 5;

/** Reads the header of a frame; `entropy` takes the probabilities that it changes. */
export function readHeader(reader: BoolReader, entropy: Entropy, isKey: boolean): Header {
  // Colour space and clamping (9.2).
  if (isKey) reader.number(2);
  const segments = readSegmentation(reader);
  // Kind, level and sharpness of the loop filter (9.6), and how much it differs.
  reader.number(1 + 6 + 3);
  if (reader.flag() && reader.flag()) for (let index = 0; index < 2 * values; index++) reader.skipOptional(6);
  const partitions = 1 << reader.number(2);
  reader.number(7);
  for (let index = 0; index < quantisers; index++) reader.skipOptional(4);
  const turned = isKey ? null : readBuffers(reader);
  const isKept = reader.flag();
  // refresh_last (9.7).
  if (turned) reader.flag();
  for (const [index, replaced] of replacedCoefficients.entries())
    if (reader.bit(replaced) === 1) entropy.coefficients[index] = reader.number(8);
  const skip = reader.flag() ? reader.number(8) : null;
  const references = turned && readReferences(reader, entropy, turned);
  return { partitions, segments, skip, references, isKept };
}

/** Which buffers the frame replaces (9.7); whether vectors of the references 0 to 3 point the other way. */
function readBuffers(reader: BoolReader): boolean[] {
  const [isGolden, isAlternate] = [reader.flag(), reader.flag()];
  if (!isGolden) reader.number(2);
  if (!isAlternate) reader.number(2);
  return [false, false, reader.flag(), reader.flag()];
}

/** What stands in the header of frames that build on others alone (9.10, 16.2 and 17.2). */
function readReferences(reader: BoolReader, entropy: Entropy, turned: readonly boolean[]): References {
  const [intra, last, golden] = [reader.number(8), reader.number(8), reader.number(8)];
  for (const modes of [entropy.luma, entropy.chroma])
    if (reader.flag()) for (let index = 0; index < modes.length; index++) modes[index] = reader.number(8);
  for (const [axis, updates] of motionUpdates.entries())
    for (const [index, replaced] of updates.entries())
      if (reader.bit(replaced) === 1) (entropy.motion[axis] ?? updates)[index] = reader.number(7) * 2 || 1;
  return { intra, last, golden, turned };
}

/** Segmentation (9.3): the probabilities of its tree where each macroblock tells its segment. */
function readSegmentation(reader: BoolReader): number[] | null {
  if (!reader.flag()) return null;
  const [hasMap, hasValues] = [reader.flag(), reader.flag()];
  if (hasValues) {
    reader.flag();
    for (let index = 0; index < values; index++) reader.skipOptional(7);
    for (let index = 0; index < values; index++) reader.skipOptional(6);
  }
  return hasMap ? Array.from({ length: 3 }, () => (reader.flag() ? reader.number(8) : 255)) : null;
}
