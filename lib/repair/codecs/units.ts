import type { Buffer } from '../host/bytes';
import type { Effort } from '../report';

/** A byte of a unit that was wrong: its offset in the unit, and what it was. */
export type Mended = { at: number; byte: number };

/** Effort for looking for wrong bits in one slice, in one that takes more, and in all of a track, in units. */
export type MendEffort = { one: number; more: number; all: number };

/** Reads the slices of a codec down to the last coefficient, without making pictures of them. */
export type UnitReader = {
  readonly effort: MendEffort;
  /** Whether a good part of wrong bits makes sense all the same, as without arithmetic coding. */
  readonly isBlind: boolean;
  /** Slices set right around which symbols stay unlikely, as where more than one bit is wrong. */
  readonly doubted?: number;
  /** Whether a unit, which is a NAL unit without start code or length, holds a slice. */
  isSlice(unit: Buffer): boolean;
  /** How much depends on a slice: 0 for key frames, 1 for others that are referred to, 2 for the rest. */
  rank(unit: Buffer): number;
  /** How many parts of a slice can be read from its beginning on, and how many there are; 0 of 0 where its header cannot be read. */
  check(unit: Buffer): { whole: number; parts: number };
  /** About where in a slice it is noticed that it cannot be read, in bytes of the unit; -1 for one that is whole. Keeps no account of what it is asked. */
  brokenAt(unit: Buffer): number;
  /** Of the slices that were checked, in their order in the stream, those that can be read to their end, but do not end where the others of their picture say. */
  misplaced?(): ReadonlySet<Buffer>;
  /**
   * Finds single wrong bits in a slice that is broken and sets them right in `unit`. A bit counts where it is the only one with which
   * the slice ends exactly where it must. Null where there is none, or `effort` is spent; a reader may go on from there when asked again.
   */
  mend(unit: Buffer, effort: Effort): Mended[] | null;
  /** The same with another value of one byte, which takes some thirty times as much; only where no bit alone does it, and nothing else would end so by chance. */
  mendByte?(unit: Buffer, effort: Effort): Mended[] | null;
};
