import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { RepairJob, RepairReport } from '../repair';
import { refusedReport } from '../repair/refused';
import { RepairMisuse } from '../repair/report/limits';

/** What a repair may take before it is ended: milliseconds, more than the engine allows itself, and megabytes of heap. */
export type GuardLimits = { milliseconds: number; heapMegabytes: number };

const usual: GuardLimits = { milliseconds: 300_000, heapMegabytes: 2048 };

/**
 * Runs a repair in a thread of its own, the bundled `repair-child` unless `program` names another, so that no file can keep the
 * command line for ever or take it down: over its time or memory the thread is ended and the report says so. Rejects as `repairFile`.
 */
export async function repairGuarded(
  job: RepairJob,
  program = new URL('./repair-child.mjs', import.meta.url),
  limits = usual,
): Promise<RepairReport> {
  const started = Date.now();
  const refused = async (summary: string) => {
    await rm(job.outputPath, { force: true });
    return refusedReport(job.inputPath, summary, Date.now() - started);
  };
  const end = await runThread(job, program, limits);
  if (end.kind === 'report') return end.report;
  if (end.kind === 'time') return refused('The repair took longer than it is allowed to and was ended.');
  if (end.kind === 'memory') return refused('The repair needed more memory than it is allowed to take and was ended.');
  throw end.error;
}

type End =
  | { kind: 'report'; report: RepairReport }
  | { kind: 'time' }
  | { kind: 'memory' }
  | { kind: 'error'; error: Error };

function runThread(job: RepairJob, program: URL, limits: GuardLimits): Promise<End> {
  return new Promise((resolve) => {
    // What a library prints is neither the report nor for the person who reads it.
    const resourceLimits = { maxOldGenerationSizeMb: limits.heapMegabytes };
    const thread = new Worker(program, { workerData: job, resourceLimits, stdout: true, stderr: true });
    const clock = setTimeout(() => finish({ kind: 'time' }), limits.milliseconds);
    const finish = (end: End) => {
      clearTimeout(clock);
      resolve(end);
      void thread.terminate();
    };
    thread.once('message', (report: RepairReport) => finish({ kind: 'report', report }));
    thread.once('error', (error: NodeJS.ErrnoException) => finish(endOf(error)));
    thread.once('exit', (code) => finish({ kind: 'error', error: new Error(`The repair ended with ${code}.`) }));
  });
}

/** Errors cross the border of a thread without their class. */
function endOf(error: NodeJS.ErrnoException): End {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY' || /allocation failed|out of memory/i.test(error.message))
    return { kind: 'memory' };
  return { kind: 'error', error: error.name === 'RepairMisuse' ? new RepairMisuse(error.message) : error };
}
