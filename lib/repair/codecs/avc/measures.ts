/** What of a macroblock is held against others: its bits, mb_qp_delta in its mapped form (ISO/IEC 14496-10, 9.1.1), and the sizes of mvd and of coefficients. */
export const measure = { bits: 0, qpDelta: 1, difference: 2, level: 3 } as const;

/** What a macroblock may take more than others, by measure; chosen on the bench. */
export const room = [40, 2, 8, 2] as const;
