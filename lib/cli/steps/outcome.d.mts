/** What a runner says of a run. */
export type Outcome = { passed: number; failed: number; skipped: string[]; retried: string[] };

/** Of Vitest's report. */
export function vitestOutcome(report: unknown, root?: string): Outcome;

/** Of Playwright's report. */
export function playwrightOutcome(report: unknown): Outcome;

/** The last lines of the gate. */
export function lastLines(outcomes: readonly Outcome[]): string[];
