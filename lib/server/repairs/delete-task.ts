import 'server-only';
import { and, eq, ne } from 'drizzle-orm';
import { ok } from '../../contract/result';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { jobs, repairTasks } from '../db/schema';
import { resultKey, uploadKey } from '../objects/port';
import { dropPieces } from '../uploads/resumable/pieces';
import { findTask, type TaskRow, unknownTask } from './read-task';

/**
 * Deletes a repair on the visitor's word: upload, result, name and report. Deleted once, it stays deleted. Its key opens it to anybody,
 * its id in the list of own repairs to the visitor whose it is.
 */
export async function deleteTask(ctx: Context, taskId: string, visitor: string | null): Promise<Outcome<null>> {
  const task = (await findTask(ctx.db, taskId)) ?? (visitor && (await findOwn(ctx, taskId, visitor)));
  if (!task) return unknownTask();
  await wipeTask(ctx, task);
  return ok(null);
}

async function findOwn(ctx: Context, id: string, visitor: string): Promise<TaskRow | undefined> {
  const [task] = await ctx.db
    .select()
    .from(repairTasks)
    .where(and(eq(repairTasks.id, id), eq(repairTasks.visitor, visitor)));
  return task;
}

/**
 * Leaves only a tombstone of a task, and of the sample that was added to it. Its job goes with it, so that a running repair notices at its next sign of life
 * and ends; what that repair still writes is never published, and is removed with other orphans.
 */
export async function wipeTask(ctx: Context, task: TaskRow): Promise<void> {
  const wiped = await ctx.db.transaction(async (tx) => {
    await tx.delete(jobs).where(eq(jobs.uniqueKey, `repair:${task.id}`));
    // The row before the change, read under its lock: the result may have been published a moment ago.
    const [current] = await tx.select().from(repairTasks).where(eq(repairTasks.id, task.id)).for('update');
    await tx
      .update(repairTasks)
      .set({
        status: 'deleted',
        fileName: '',
        report: null,
        resultFile: null,
        resultSize: null,
        client: '',
        visitor: '',
      })
      .where(and(eq(repairTasks.id, task.id), ne(repairTasks.status, 'deleted')));
    return current;
  });
  if (task.resumable) await dropPieces(ctx, task.id);
  await ctx.objects.remove(uploadKey(task.id));
  const [sample] = wiped?.sampleId
    ? await ctx.db.select().from(repairTasks).where(eq(repairTasks.id, wiped.sampleId))
    : [];
  if (sample && sample.status === 'uploading') await wipeTask(ctx, sample);
  if (wiped?.resultFile) await ctx.objects.remove(resultKey(wiped.resultFile));
}
