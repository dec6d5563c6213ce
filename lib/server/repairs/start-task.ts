import 'server-only';
import { and, eq } from 'drizzle-orm';
import type { RepairTask } from '../../contract/repair';
import { ok } from '../../contract/result';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import { enqueue } from '../jobs/enqueue';
import { type Outcome, refuse } from '../refusal';
import { describeTask, findTask, unknownTask } from './read-task';

/** Starts the repair of an uploaded file: the task's new state and its job are one transaction. Started once, it stays started. */
export async function startTask(ctx: Context, taskId: string, origin: string): Promise<Outcome<RepairTask>> {
  const task = await findTask(ctx.db, taskId);
  if (!task) return unknownTask();
  if (task.status === 'deleted' || task.expiresAt <= ctx.now()) {
    return refuse('expired', 'This repair was deleted. Please choose the file again.');
  }
  if (task.status === 'uploading') {
    if (!task.uploadedAt) return refuse('conflict', 'The file has not arrived yet.');
    await ctx.db.transaction(async (tx) => {
      const started = await tx
        .update(repairTasks)
        .set({ status: 'waiting', queuedAt: ctx.now() })
        .where(and(eq(repairTasks.id, task.id), eq(repairTasks.status, 'uploading')))
        .returning({ id: repairTasks.id });
      if (started.length === 0) return;
      await enqueue(ctx, tx, { kind: 'repair.run', payload: { id: task.id }, uniqueKey: `repair:${task.id}` });
    });
  }
  const now = (await findTask(ctx.db, taskId)) ?? task;
  return ok(await describeTask(ctx, now, taskId, origin));
}
