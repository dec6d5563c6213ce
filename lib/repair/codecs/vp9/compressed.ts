import type { BoolReader } from '../bool';
import type { Header } from './header';
import { coefficients, places, vector } from './symbols';

/** Probability with which a probability stays as it is (VP9 bitstream specification, 6.3.3 and 6.3.15). */
const stays = 252;
/** Highest probability, and how far apart the differences lie that are coded first (`inv_map_table`, 6.3.5). */
const highest = 255;
const coarse = Array.from({ length: 20 }, (_, index) => 7 + 13 * index);
const differences = [
  ...coarse,
  ...Array.from({ length: 253 }, (_, index) => index + 1).filter((value) => !coarse.includes(value)),
  253,
];

/** What the compressed header of a frame says: the largest transform, whether blocks choose theirs, and how many references they have. */
export type Compressed = { largest: number; choosesTransform: boolean; references: 'single' | 'compound' | 'chosen' };

/** Value of `tx_mode` with which blocks choose their transforms (7.3.1). */
const chosen = 4;

/** Reads the compressed header (6.3); `probabilities` takes what it changes. */
export function readCompressed(reader: BoolReader, header: Header, probabilities: Uint8Array): Compressed {
  const update = (from: number, count: number) => {
    for (let place = from; place < from + count; place++)
      if (reader.bit(stays) === 1) probabilities[place] = remapped(reader, probabilities[place] as number);
  };
  const mode = readTransforms(reader, header);
  if (mode === chosen) update(places.transform8, places.interMode - places.transform8);
  const largest = Math.min(mode, 3);
  for (let size = 0; size <= largest; size++)
    if (reader.flag()) update(places.coefficients + size * coefficients.size, coefficients.size);
  update(places.skip, places.transform8 - places.skip);
  const read: Compressed = { largest, choosesTransform: mode === chosen, references: 'single' };
  if (header.isIntra) return read;
  update(places.interMode, places.filter - places.interMode);
  if (header.isSwitchable) update(places.filter, places.isInter - places.filter);
  update(places.isInter, places.compound - places.isInter);
  const isTurned = header.signs[2] !== header.signs[1] || header.signs[3] !== header.signs[1];
  if (isTurned && reader.flag()) read.references = reader.flag() ? 'chosen' : 'compound';
  if (read.references === 'chosen') update(places.compound, places.single - places.compound);
  if (read.references !== 'compound') update(places.single, places.compoundReference - places.single);
  if (read.references !== 'single') update(places.compoundReference, places.mode - places.compoundReference);
  update(places.mode, places.colourMode - places.mode);
  update(places.partition, places.joint - places.partition);
  readVectors(reader, header.isPrecise, probabilities);
  return read;
}

/** tx_mode (6.3.1). */
function readTransforms(reader: BoolReader, header: Header): number {
  if (header.isLossless) return 0;
  const mode = reader.number(2);
  return mode === 3 ? mode + reader.number(1) : mode;
}

/** mv_probs (6.3.14). */
function readVectors(reader: BoolReader, isPrecise: boolean, probabilities: Uint8Array): void {
  const update = (from: number, to: number) => {
    for (let place = from; place < to; place++)
      if (reader.bit(stays) === 1) probabilities[place] = reader.number(7) * 2 + 1;
  };
  const axes = [places.vector, places.vector + vector.all];
  update(places.joint, places.vector);
  for (const axis of axes) update(axis, axis + vector.nearFraction);
  for (const axis of axes) update(axis + vector.nearFraction, axis + vector.nearLast);
  if (isPrecise) for (const axis of axes) update(axis + vector.nearLast, axis + vector.all);
}

/** Differences of seven bits; above them is one of eight (decode_uniform, 6.3.4). */
const shortest = 65;

/** decode_term_subexp (6.3.4). */
function readDifference(reader: BoolReader): number {
  if (!reader.flag()) return reader.number(4);
  if (!reader.flag()) return reader.number(4) + 16;
  if (!reader.flag()) return reader.number(5) + 32;
  const value = reader.number(7);
  return value < shortest ? value + 64 : 2 * value - 1 + reader.number(1);
}

/** inv_remap_prob (6.3.5). */
function remapped(reader: BoolReader, before: number): number {
  const difference = differences[readDifference(reader)] ?? 253;
  const low = before - 1;
  return 2 * low <= highest ? 1 + recentred(difference, low) : highest - recentred(difference, highest - 1 - low);
}

/** inv_recenter_nonneg (6.3.6). */
function recentred(value: number, middle: number): number {
  if (value > 2 * middle) return value;
  return value & 1 ? middle - ((value + 1) >> 1) : middle + (value >> 1);
}
