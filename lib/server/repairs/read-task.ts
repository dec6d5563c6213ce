import 'server-only';
import { eq } from 'drizzle-orm';
import type { RepairTask } from '../../contract/repair';
import { ok } from '../../contract/result';
import { digest } from '../base/ids';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import type { Executor } from '../db/database';
import { repairTasks } from '../db/schema';
import { placeOf } from './queue';
import { repairedName } from './repaired-name';

/** A row of `repair_tasks`. */
export type TaskRow = typeof repairTasks.$inferSelect;

/** Finds a task by its key. Null for keys that nobody was given. */
export async function findTask(db: Executor, taskId: string): Promise<TaskRow | null> {
  const [task] = await db
    .select()
    .from(repairTasks)
    .where(eq(repairTasks.id, digest(taskId)));
  return task ?? null;
}

/** How a repair stands. `origin` is where the client reached us. */
export async function readTask(ctx: Context, taskId: string, origin: string): Promise<Outcome<RepairTask>> {
  const task = await findTask(ctx.db, taskId);
  return task ? ok(await describeTask(ctx, task, taskId, origin)) : unknownTask();
}

/** A task as the wire shows it. One whose time is over counts as deleted, even a moment before the job removes it. */
export async function describeTask(ctx: Context, task: TaskRow, taskId: string, origin: string): Promise<RepairTask> {
  const isGone = task.status === 'deleted' || task.expiresAt <= ctx.now();
  const place = !isGone && task.status === 'waiting' ? await placeOf(ctx, task.id) : null;
  const hasResult = !isGone && task.status === 'success';
  return {
    taskId,
    type: task.type,
    fileName: isGone ? '' : task.fileName,
    fileSize: isGone ? 0 : task.fileSize,
    status: isGone ? 'deleted' : task.status,
    queuePosition: place?.position ?? null,
    queueSeconds: place?.seconds ?? null,
    report: isGone ? null : task.report,
    downloadUrl: hasResult ? `${origin}/api/v1/repair/tasks/${taskId}/file` : null,
    downloadName: hasResult ? repairedName(task.fileName, task.report) : null,
    expiresAt: task.expiresAt.toISOString(),
  };
}

/** The words for a key that nobody was given. */
export function unknownTask(): Outcome<never> {
  return refuse('notFound', 'There is no such repair, or it was deleted.');
}
