import type { RepairReport } from '../../lib/contract/repair';

/** A report of a repair that found, did and lost nothing worth a word; a test says what it is about. */
export const emptyReport: RepairReport = {
  engineVersion: '1',
  verdict: 'unrepairable',
  format: null,
  summary: 'What the engine says.',
  notes: [],
  found: [],
  steps: [],
  kept: [],
  rebuilt: [],
  lost: [],
  input: { bytes: 2048, sha256: 'a' },
  output: null,
  durationMs: 1,
};
