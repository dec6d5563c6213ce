import 'server-only';
import fs from 'node:fs/promises';
import { and, eq, inArray, isNull, lte, ne, or } from 'drizzle-orm';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';
import type { JobHandler } from '../jobs/types';
import { listFolder, removeFile } from '../uploads/storage';
import { wipeTask } from './delete-task';

const HOUR_MS = 3_600_000;
/** An upload that did not arrive in this time will not. */
const UPLOAD_PATIENCE_MS = 6 * HOUR_MS;
/** A draft that nothing was added to for so long is cut off: its sender is ended by the stall limit long before. */
const DRAFT_IDLE_MS = 5 * 60_000;
/** Files without a row are left alone for so long: they may be on their way. */
const ORPHAN_AGE_MS = 7 * HOUR_MS;
/** Files are named after their task's id, a SHA-256 in hex. */
const ID_LENGTH = 64;
/** How long the page can still say that a repair was deleted. */
const TOMBSTONE_MS = 7 * 24 * HOUR_MS;

/** Deletes repairs whose time is over (specification section 4: within 24 hours), then files that belong to nobody. */
export const sweepFiles: JobHandler = {
  lane: 'light',
  maxAttempts: 1,
  leaseSeconds: 120,
  repeatSeconds: 60,
  async run(ctx) {
    const now = ctx.now().getTime();
    const expired = await ctx.db
      .select()
      .from(repairTasks)
      .where(
        and(
          ne(repairTasks.status, 'deleted'),
          or(
            lte(repairTasks.expiresAt, ctx.now()),
            and(isNull(repairTasks.uploadedAt), lte(repairTasks.createdAt, new Date(now - UPLOAD_PATIENCE_MS))),
          ),
        ),
      );
    for (const task of expired) await wipeTask(ctx, task);
    await removeOrphans(ctx, now);
    await removeOldWork(ctx, now);
    const longGone = new Date(now - TOMBSTONE_MS);
    await ctx.db
      .delete(repairTasks)
      .where(and(eq(repairTasks.status, 'deleted'), lte(repairTasks.expiresAt, longGone)));
    return null;
  },
};

/**
 * A file whose task was deleted goes at once (a repair may have written it after the deletion); one without a row, or
 * a draft beside the one that counts, when it is old enough not to be on its way.
 */
async function removeOrphans(ctx: Context, now: number): Promise<void> {
  const stallMs = 2 * ctx.env.UPLOAD_STALL_SECONDS * 1000;
  for (const folder of ['uploads', 'results'] as const) {
    const files = await listFolder(ctx.env.DATA_DIR, folder);
    if (files.length === 0) continue;
    const ids = files.map((file) => file.name.slice(0, ID_LENGTH));
    const rows = await ctx.db
      .select({ id: repairTasks.id, status: repairTasks.status, resultFile: repairTasks.resultFile })
      .from(repairTasks)
      .where(inArray(repairTasks.id, ids));
    const tasks = new Map(rows.map((row) => [row.id, row]));
    for (const file of files) {
      const task = tasks.get(file.name.slice(0, ID_LENGTH));
      const isDraft = folder === 'uploads' && file.name.length > ID_LENGTH;
      const isOld = now - file.changedAt.getTime() > (isDraft ? Math.max(DRAFT_IDLE_MS, stallMs) : ORPHAN_AGE_MS);
      const isWanted = task && file.name === (folder === 'uploads' ? task.id : task.resultFile);
      if (task?.status === 'deleted' || (isOld && !isWanted)) await removeFile(file.path);
    }
  }
}

/** Folders of repairs whose process was killed before it could clear up; none runs as long as that. */
async function removeOldWork(ctx: Context, now: number): Promise<void> {
  const longest = ORPHAN_AGE_MS + ctx.env.REPAIR_TIMEOUT_SECONDS * 1000;
  for (const folder of await listFolder(ctx.env.DATA_DIR, 'work')) {
    if (now - folder.changedAt.getTime() > longest) await fs.rm(folder.path, { recursive: true, force: true });
  }
}
