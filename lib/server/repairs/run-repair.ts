import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { and, eq, inArray } from 'drizzle-orm';
import { toolByType } from '../../catalog/tools';
import type { RepairReport } from '../../contract/repair';
import { digest } from '../base/ids';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { Postponed } from '../jobs/postponed';
import type { Effect, Job, JobHandler } from '../jobs/types';
import { resultKey, uploadKey } from '../objects/port';
import { countVerdict } from './count-verdict';
import type { RepairKind } from './lanes';
import { enqueueRepair } from './queue';
import type { TaskRow } from './read-task';
import { workFolder } from './sandbox';
import { type RepairEnd, spawnRepair } from './spawn-repair';

/** A crash is tried again; running out of time or memory is not, since it would again. */
const MAX_ATTEMPTS = 3;
/** Until the next attempt where this machine could not do the work, such as for want of room on its disk. */
const MACHINE_SECONDS = 15;

/** A repair in the lane of those that are done soon; one that is not goes on in the other. */
export const runQuickRepair = repairIn('repair.quick');

/** A repair with all the time that a repair has. */
export const runRepair = repairIn('repair.run');

/** Repairs one uploaded file in a child process and publishes the result together with the task's new state. */
function repairIn(kind: RepairKind): JobHandler<Job<RepairKind>> {
  const isQuick = kind === 'repair.quick';
  return {
    lane: isQuick ? 'quick' : 'repair',
    maxAttempts: MAX_ATTEMPTS,
    leaseSeconds: 30,
    async run(ctx, job, signal) {
      const { id } = job.payload;
      const task = await markRunning(ctx, id);
      if (!task) return null;
      // A repair that is done again with a sample does not touch the result it already has, nor that of another job.
      const own = `${digest(job.id).slice(0, 8)}.${job.attempt}`;
      const resultName = [id, task.sampleId?.slice(0, 8), own].filter(Boolean).join('.');
      const scratch = workFolder(ctx.env.DATA_DIR);
      await fs.mkdir(scratch, { recursive: true, mode: 0o700 });
      const output = path.join(scratch, resultName);
      try {
        const allowed = ctx.env.REPAIR_TIMEOUT_SECONDS;
        const seconds = isQuick ? Math.min(ctx.env.REPAIR_QUICK_SECONDS, allowed) : allowed;
        const end = await withFiles(ctx, task, scratch, signal, (files) =>
          spawnRepair(
            ctx.env,
            { ...files, outputPath: output, fileName: task.fileName, type: task.type, seconds },
            signal,
          ),
        );
        if (end.kind === 'machine')
          throw new Postponed(`A repair could not be done here: ${end.detail}`, MACHINE_SECONDS);
        if (end.kind === 'crash') throw new Error(`The repair process ${end.detail}`);
        if (end.kind === 'timeout' && seconds < allowed) return goOn(ctx, task);
        if (end.kind !== 'report') return failed(ctx, task, words(task, end.kind));
        if (end.report.verdict === 'unrepairable') return failed(ctx, task, end.report);
        return await published(ctx, task, end.report, resultName, output);
      } catch (error) {
        await backToWaiting(ctx, id);
        throw error;
      } finally {
        await fs.rm(output, { force: true });
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
}

async function markRunning(ctx: Context, id: string): Promise<TaskRow | undefined> {
  const [task] = await ctx.db
    .update(repairTasks)
    .set({ status: 'running', startedAt: ctx.now() })
    .where(and(eq(repairTasks.id, id), inArray(repairTasks.status, ['waiting', 'running'])))
    .returning();
  return task;
}

/** Has the upload, and the sample if there is one, as files for as long as the work takes. A store that is ill is no fault of the file. */
async function withFiles(
  { objects }: Context,
  task: TaskRow,
  scratch: string,
  signal: AbortSignal,
  work: (files: { inputPath: string; samplePath?: string | undefined }) => Promise<RepairEnd>,
): Promise<RepairEnd> {
  let isTheirs = true;
  const there = (file: string | null) => {
    isTheirs = false;
    if (!file) throw new Error('The upload is not in the store.');
    return file;
  };
  const withInput = (samplePath?: string) => {
    isTheirs = true;
    return objects.lend(uploadKey(task.id), scratch, (file) => work({ inputPath: there(file), samplePath }), signal);
  };
  const { sampleId } = task;
  try {
    if (!sampleId) return await withInput();
    return await objects.lend(uploadKey(sampleId), scratch, (file) => withInput(there(file)), signal);
  } catch (error) {
    throw isTheirs && !signal.aborted ? ofStore(error) : error;
  }
}

function ofStore(error: unknown): Postponed {
  return new Postponed(`The store did not do its part: ${(error as Error).message}`, MACHINE_SECONDS);
}

/** What took too long for the quick lane waits for its turn in the other; that is no failed attempt. */
function goOn(ctx: Context, task: TaskRow): Effect {
  return async (tx) => {
    const waiting = await tx
      .update(repairTasks)
      .set({ status: 'waiting' })
      .where(and(eq(repairTasks.id, task.id), eq(repairTasks.status, 'running')))
      .returning({ id: repairTasks.id });
    if (waiting.length > 0) await enqueueRepair(ctx, tx, task, 'repair.run');
  };
}

async function published(
  ctx: Context,
  task: TaskRow,
  report: RepairReport,
  resultFile: string,
  output: string,
): Promise<Effect> {
  const { size } = await fs.stat(output);
  await ctx.objects.take(resultKey(resultFile), output).catch((error: unknown) => {
    throw ofStore(error);
  });
  return async (tx) => {
    const kept = await tx
      .update(repairTasks)
      .set({ status: 'success', report, resultFile, resultSize: size, finishedAt: ctx.now() })
      .where(and(eq(repairTasks.id, task.id), eq(repairTasks.status, 'running')))
      .returning({ id: repairTasks.id });
    if (kept.length > 0) await countVerdict(tx, report);
    const unwanted = kept.length === 0 ? resultFile : task.resultFile;
    if (unwanted && (kept.length === 0 || unwanted !== resultFile)) await ctx.objects.remove(resultKey(unwanted));
  };
}

/** A repair that was done again with a sample, in vain, keeps what it brought back without one. */
function failed(ctx: Context, task: TaskRow, report: RepairReport): Effect {
  return async (tx) => {
    const earlier = task.resultFile !== null && task.report;
    const ended = await tx
      .update(repairTasks)
      .set(
        earlier
          ? { status: 'success', report: { ...earlier, notes: [...earlier.notes, noHelp] } }
          : { status: 'failure', report, finishedAt: ctx.now() },
      )
      .where(and(eq(repairTasks.id, task.id), inArray(repairTasks.status, ['running', 'waiting'])))
      .returning({ id: repairTasks.id });
    if (ended.length > 0 && !earlier) await countVerdict(tx, report);
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
