import 'server-only';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import type { Attachment } from '../objects/attachment';
import { resultKey } from '../objects/port';
import { findTask, unknownTask } from './read-task';
import { repairedName } from './repaired-name';

/** Said where the repaired file was deleted, by its owner or by time. */
export const DELETED = 'This file was deleted.';

/** The repaired file, always an attachment of no particular type. */
export async function findResult(ctx: Context, taskId: string): Promise<Outcome<Attachment>> {
  const task = await findTask(ctx.db, taskId);
  if (!task) return unknownTask();
  if (task.status === 'deleted' || task.expiresAt <= ctx.now()) return refuse('expired', DELETED);
  if (task.status !== 'success' || !task.resultFile) return refuse('conflict', 'There is no repaired file yet.');
  return ok({
    object: resultKey(task.resultFile),
    name: repairedName(task.fileName, task.report),
    contentType: 'application/octet-stream',
    cacheControl: 'private, no-store',
  });
}
