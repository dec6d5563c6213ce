import type { Effort } from '../report';
import type { CabacState } from './cabac';

/** How far a slice of H.264 was read: `whole` where its data ends exactly with a macroblock; `block` is the one after the last. */
export type SliceEnd = { whole: boolean; block: number; position: number };

/** Where a macroblock begins, in bits, so that the slice can be read on from there. */
export type SliceStart = { block: number; at: number };

/** The same where the words depend on the quantiser. */
export type CodedStart = SliceStart & { quantiser: number };

/** The same in a slice with arithmetic coding. */
export type BlockState = SliceStart & { state: CabacState; delta: boolean };

/** How far a row or slice of HEVC was read: `whole` where it ends with its data; `next` is the block after the last. */
export type RowEnd = { whole: boolean; blocks: number; next: number; position: number };

/** Where a largest block of HEVC begins, so that a row can be read on from there. */
export type BlockStart = { block: number; state: CabacState; above: Uint8Array };

/** Counts what was read from byte `from` on; positions are in bits. */
export function spentOn<End extends { position: number }>(effort: Effort, from: number, end: End): End {
  effort.spend('sliceReading');
  effort.spend('sliceBit', Math.max(0, end.position - from * 8));
  return end;
}
