/**
 * What of a slice is held against others: CuQpDeltaVal; the size of mvd; that of coefficients, by the logarithm of the size of their block, first
 * those of luma from 4 samples on, then those of chroma; and the bits of coding units by that of theirs from 8 on, first of those that are predicted
 * from other pictures, then of the rest.
 */
export const measure = { qpDelta: 0, difference: 1, level: 2, bits: 10 } as const;
/** Sizes that coefficients, and coding units, are told apart by. */
export const sizes = 4;

/** What they may take more than others, by measure; chosen on the bench. */
export const room = [2, 8, ...Array<number>(2 * sizes).fill(2), ...Array<number>(2 * sizes).fill(40)] as const;
