import 'server-only';
import type { Context } from '../context';
import { sendFile } from '../http/send-file';
import { type Outcome, refuse } from '../refusal';
import { resultPath } from '../uploads/storage';
import { findTask, unknownTask } from './read-task';
import { repairedName } from './repaired-name';

/** Streams the repaired file, or a range of it, always as an attachment of no particular type. */
export async function sendResult(ctx: Context, request: Request, taskId: string): Promise<Response | Outcome<never>> {
  const task = await findTask(ctx.db, taskId);
  if (!task) return unknownTask();
  if (task.status === 'deleted' || task.expiresAt <= ctx.now()) return refuse('expired', 'This file was deleted.');
  if (task.status !== 'success' || !task.resultFile) return refuse('conflict', 'There is no repaired file yet.');
  const response = await sendFile(request, {
    path: resultPath(ctx.env.DATA_DIR, task.resultFile),
    name: repairedName(task.fileName, task.report),
    contentType: 'application/octet-stream',
    cacheControl: 'private, no-store',
  });
  return response ?? refuse('expired', 'This file was deleted.');
}
