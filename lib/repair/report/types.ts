import type { Family } from '../formats/table';

export type { Finding, Measure, Reason, RepairReport, RepairStep, Verdict } from './schema';

/** Families of formats; the numbers are the type codes of the three online tools. */
export const families = { video: 17, document: 18, photo: 19 } as const satisfies Record<Family, number>;
export type { Family };
export type FamilyCode = (typeof families)[Family];
