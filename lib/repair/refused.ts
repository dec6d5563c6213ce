import { digestFile } from './host/files';
import { nothingHandedOut } from './report/outcome';
import type { RepairReport } from './report/types';
import { engineVersion } from './version';

/**
 * The report of a repair that had to be ended from outside, by its time or its memory: nothing is handed out. Apart from the engine,
 * so that a process which only watches over it does not load it.
 */
export async function refusedReport(inputPath: string, summary: string, durationMs: number): Promise<RepairReport> {
  const input = await digestFile(inputPath);
  return { engineVersion, ...nothingHandedOut, format: null, summary, notes: [], input, output: null, durationMs };
}
