import 'server-only';
import fs from 'node:fs/promises';
import { and, eq, inArray } from 'drizzle-orm';
import { toolByType } from '../../catalog/tools';
import type { RepairReport } from '../../contract/repair';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import type { Effect, Job, JobHandler } from '../jobs/types';
import { removeFile, resultPath, uploadPath } from '../uploads/storage';
import type { TaskRow } from './read-task';
import { spawnRepair } from './spawn-repair';

/** A crash is tried once more; running out of time or memory is not, since it would again. */
const MAX_ATTEMPTS = 3;

/** Repairs one uploaded file in a child process and publishes the result together with the task's new state. */
export const runRepair: JobHandler<Job<'repair.run'>> = {
  lane: 'repair',
  maxAttempts: MAX_ATTEMPTS,
  leaseSeconds: 30,
  async run(ctx, job, signal) {
    const { id } = job.payload;
    const [task] = await ctx.db
      .update(repairTasks)
      .set({ status: 'running' })
      .where(and(eq(repairTasks.id, id), inArray(repairTasks.status, ['waiting', 'running'])))
      .returning();
    if (!task) return null;
    // A repair that is done again with a sample does not touch the result it already has.
    const resultName = [id, task.sampleId?.slice(0, 8), job.attempt].filter(Boolean).join('.');
    const output = resultPath(ctx.env.DATA_DIR, resultName);
    await removeFile(output);
    const input = uploadPath(ctx.env.DATA_DIR, id);
    try {
      const end = await spawnRepair(
        ctx.env,
        {
          inputPath: input,
          outputPath: output,
          samplePath: task.sampleId ? uploadPath(ctx.env.DATA_DIR, task.sampleId) : undefined,
          fileName: task.fileName,
          type: task.type,
        },
        signal,
      );
      if (end.kind === 'crash') throw new Error(`The repair process ${end.detail}`);
      if (end.kind !== 'report') return failed(ctx, task, words(task, end.kind), output);
      if (end.report.verdict === 'unrepairable') return failed(ctx, task, end.report, output);
      if (end.report.verdict === 'healthy') await fs.copyFile(input, output);
      return await published(ctx, task, end.report, resultName, output);
    } catch (error) {
      await removeFile(output);
      await backToWaiting(ctx, id);
      throw error;
    }
  },
  giveUp(ctx, job) {
    return async (tx) => {
      const { id } = job.payload;
      const [task] = await tx.select().from(repairTasks).where(eq(repairTasks.id, id));
      if (task) await failed(ctx, task, words(task, 'crash'))(tx);
    };
  },
};

async function published(
  ctx: Context,
  task: TaskRow,
  report: RepairReport,
  resultFile: string,
  output: string,
): Promise<Effect> {
  const { size } = await fs.stat(output);
  return async (tx) => {
    const kept = await tx
      .update(repairTasks)
      .set({ status: 'success', report, resultFile, resultSize: size, finishedAt: ctx.now() })
      .where(and(eq(repairTasks.id, task.id), eq(repairTasks.status, 'running')))
      .returning({ id: repairTasks.id });
    const unwanted = kept.length === 0 ? resultFile : task.resultFile;
    if (unwanted && (kept.length === 0 || unwanted !== resultFile))
      await removeFile(resultPath(ctx.env.DATA_DIR, unwanted));
  };
}

/** A repair that was done again with a sample, in vain, keeps what it brought back without one. */
function failed(ctx: Context, task: TaskRow, report: RepairReport, output?: string): Effect {
  return async (tx) => {
    const earlier = task.resultFile !== null && task.report;
    await tx
      .update(repairTasks)
      .set(
        earlier
          ? { status: 'success', report: { ...earlier, notes: [...earlier.notes, noHelp] } }
          : { status: 'failure', report, finishedAt: ctx.now() },
      )
      .where(and(eq(repairTasks.id, task.id), inArray(repairTasks.status, ['running', 'waiting'])));
    if (output) await removeFile(output);
  };
}

const noHelp = 'The working video that was added did not help: it seems to be of another camera or other settings.';

async function backToWaiting(ctx: Context, id: string): Promise<void> {
  await ctx.db
    .update(repairTasks)
    .set({ status: 'waiting' })
    .where(and(eq(repairTasks.id, id), eq(repairTasks.status, 'running')));
}

const reasons = {
  timeout: 'The repair took longer than is allowed here and was ended. The desktop version has no such limit.',
  memory: 'The repair needed more memory than is allowed here and was ended. The desktop version has no such limit.',
  crash: 'The repair ended unexpectedly, also when it was tried again.',
};

/** The report of a repair that ended without one. */
function words(task: TaskRow, kind: keyof typeof reasons): RepairReport {
  return {
    engineVersion: '',
    verdict: 'unrepairable',
    format: null,
    summary: toolByType(task.type)?.failure ?? reasons[kind],
    notes: [reasons[kind]],
    found: [],
    steps: [],
    kept: [],
    rebuilt: [],
    lost: [],
    input: { bytes: task.fileSize, sha256: '' },
    output: null,
    durationMs: 0,
  };
}
