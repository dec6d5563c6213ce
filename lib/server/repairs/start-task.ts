import 'server-only';
import { and, eq, inArray } from 'drizzle-orm';
import type { RepairTask } from '../../contract/repair';
import type { StartRequest } from '../../contract/requests/repair';
import { ok } from '../../contract/result';
import { toolTypes } from '../../contract/tool-types';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { confirmArrival } from '../uploads/arrival';
import { enqueueRepair } from './queue';
import type { TaskRow } from './read-task';
import { describeTask, findTask, unknownTask } from './read-task';

/**
 * Starts the repair of an uploaded file: the task's new state and its job are one transaction. Started once, it stays
 * started; with a sample, one that ended without the help of a sample is done again.
 */
export async function startTask(
  ctx: Context,
  taskId: string,
  { sampleTaskId }: StartRequest,
  origin: string,
): Promise<Outcome<RepairTask>> {
  const task = await findTask(ctx.db, taskId);
  if (!task) return unknownTask();
  if (task.status === 'deleted' || task.expiresAt <= ctx.now()) {
    return refuse('expired', 'This repair was deleted. Please choose the file again.');
  }
  let sampleId: string | null = null;
  if (sampleTaskId !== undefined) {
    const sample = await findSample(ctx, task, sampleTaskId);
    if (!sample.ok) return sample;
    sampleId = sample.value;
  }
  if (task.status === 'uploading' && !task.uploadedAt) {
    const arrived = await confirmArrival(ctx, task.id);
    if (!arrived.ok) return arrived;
  }
  // Asked for a second time with the same sample, an answer may have been lost: it is not done once more.
  const again = sampleId !== null && sampleId !== task.sampleId;
  const from: TaskRow['status'][] = again ? ['uploading', 'failure', 'success'] : ['uploading'];
  await ctx.db.transaction(async (tx) => {
    const started = await tx
      .update(repairTasks)
      .set({ status: 'waiting', queuedAt: ctx.now(), ...(sampleId ? { sampleId } : {}) })
      .where(and(eq(repairTasks.id, task.id), inArray(repairTasks.status, from)))
      .returning({ id: repairTasks.id });
    if (started.length === 0) return;
    await enqueueRepair(ctx, tx, task);
  });
  const now = (await findTask(ctx.db, taskId)) ?? task;
  return ok(await describeTask(ctx, now, taskId, origin));
}

/** The id of a sample that may help this task: another uploaded video that has not been started as a repair itself. */
async function findSample(ctx: Context, task: TaskRow, sampleTaskId: string): Promise<Outcome<string>> {
  const sample = await findTask(ctx.db, sampleTaskId);
  if (!sample || sample.id === task.id || sample.status === 'deleted' || sample.expiresAt <= ctx.now())
    return refuse('expired', 'The working video is no longer on the server. Please add it again.');
  if (task.type !== toolTypes.video || sample.type !== toolTypes.video)
    return refuse('invalidRequest', 'Only a video can be helped by another video.');
  if (!task.report?.wantsSample && task.sampleId !== sample.id)
    return refuse('invalidRequest', 'A working video would not help this repair.');
  if (sample.status !== 'uploading') return refuse('conflict', 'The working video has not arrived yet.');
  if (!sample.uploadedAt) {
    const arrived = await confirmArrival(ctx, sample.id);
    if (!arrived.ok) {
      return arrived.error.name === 'conflict' ? refuse('conflict', 'The working video has not arrived yet.') : arrived;
    }
  }
  return ok(sample.id);
}
