import type { Buffer } from '../../host/bytes';

/** Types of NAL units (ISO/IEC 23008-2, table 7-1): the last slice that is none of a random access point, those that are, the last type kept for them, parameter sets. */
export const nalType = { lastPlain: 9, firstIrap: 16, lastIrap: 21, lastReservedIrap: 23, sps: 33, pps: 34 } as const;

/** The type of a unit by its head (7.3.1.2). */
export const hevcTypeOf = (unit: Buffer): number => ((unit[0] ?? 0) >> 1) & 63;

/** Whether a type is one of slices at which decoding can begin. */
export const isIrap = (type: number): boolean => type >= nalType.firstIrap && type <= nalType.lastIrap;

/** Whether a type is one of slices. */
export const isSliceType = (type: number): boolean => type <= nalType.lastPlain || isIrap(type);
