import type { Deadline } from '../../report';
import type { Hole } from './rowreader';

/** What is known about a damaged stream beside its bytes. */
export type MendOptions = {
  deadline: Deadline;
  /** Units of effort that the search for wrong bits may take in all. */
  patience: number;
  /** Units of effort after which no more damage is dealt with, where the stream is one of many; 3,000 if left out. */
  longest?: number;
  /** Whether a bit lies where the check sums allow damage. */
  suspect: (bit: number) => boolean;
  /** Stretches of it that were written over, in bits, in their order. */
  holes?: readonly Hole[];
  /** The bit before which check sums say that all is as it was written. */
  soundTo?: number;
  /** Pairs of bits around a place that may be the two wrong ones there, by the check sums. */
  pairs?: (source: Uint8Array, bit: number) => [number, number][];
  /** The first block that can be read, in bits, and how many bytes of the data are lost before it, where the beginning is known to be lost. */
  behind?: { bit: number; length: number } | undefined;
  /** Told of a bit that was set right; may answer with another one that a check sum then proves wrong. */
  corrected?: (source: Uint8Array, bit: number) => number | null;
};

/** Rows read through damage. `known` is 0 for bytes that stand for lost ones; gaps are rows that were lost at one place, a hole where it was written over. */
export type Mended = {
  data: Uint8Array;
  known: Uint8Array;
  flips: number[];
  gaps: { bit: number; from: number; to: number; isHole?: boolean }[];
  /** Copies of bytes that are not known, in threes: where they went, where they came from (or -1 where nothing was read), and how many they are; later ones count. */
  copies: number[];
  /** Bytes of the data that were reached before the stream ended. */
  length: number;
  /** Where reading ended, in bits. */
  bit: number;
  finished: boolean;
  /** Of each row how many copies end in it, and how many of them the byte behind would have gone on, which programs do not leave out. */
  ends: Uint16Array;
  breaks: Uint16Array;
};
