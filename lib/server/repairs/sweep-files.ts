import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { and, eq, inArray, isNull, lte, ne, or } from 'drizzle-orm';
import type { Context } from '../context';
import { repairTasks, storeStrays } from '../db/schema';
import type { JobHandler } from '../jobs/types';
import { type ObjectHead, type ObjectKey, partsOf } from '../objects/port';
import { sweepLocks } from '../uploads/resumable/locker';
import { wipeTask } from './delete-task';
import { workFolder } from './sandbox';

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

/** Deletes repairs whose time is over (lib/contract/README.md, 94), then files that belong to nobody. */
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
    await sweepLocks(ctx);
    const longGone = new Date(now - TOMBSTONE_MS);
    await ctx.db
      .delete(repairTasks)
      .where(and(eq(repairTasks.status, 'deleted'), lte(repairTasks.expiresAt, longGone)));
    return null;
  },
};

/** Objects are looked up in the table by so many at once. */
const BATCH = 1000;

/** What an object's task says of it. */
type Owner = { id: string; status: string; resultFile: string | null; resumable: boolean; uploadedAt: Date | null };

/** Removes what belongs to nobody, and notes how much of it lies there still: that room is taken, too. */
async function removeOrphans(ctx: Context, now: number): Promise<void> {
  for (const area of ['uploads', 'results'] as const) {
    let strayBytes = 0;
    let batch: Found[] = [];
    const settle = async () => {
      strayBytes += await settleBatch(ctx, batch, now);
      batch = [];
    };
    for await (const found of ctx.objects.list(area)) {
      batch.push(found);
      if (batch.length >= BATCH) await settle();
    }
    await settle();
    const row = { bytes: strayBytes, countedAt: ctx.now() };
    await ctx.db
      .insert(storeStrays)
      .values({ area, ...row })
      .onConflictDoUpdate({ target: storeStrays.area, set: row });
  }
}

type Found = { key: ObjectKey } & ObjectHead;

/** Deals with some objects; the bytes of those that stay though no task counts them. */
async function settleBatch(ctx: Context, batch: readonly Found[], now: number): Promise<number> {
  if (batch.length === 0) return 0;
  const idOf = ({ key }: Found) => partsOf(key).name.slice(0, ID_LENGTH);
  const { id, status, resultFile, resumable, uploadedAt } = repairTasks;
  const rows = await ctx.db
    .select({ id, status, resultFile, resumable, uploadedAt })
    .from(repairTasks)
    .where(inArray(id, batch.map(idOf)));
  const tasks = new Map(rows.map((row) => [row.id, row]));
  let strayBytes = 0;
  for (const found of batch) {
    const task = tasks.get(idOf(found));
    if (isWanted(found, task)) continue;
    if (task?.status === 'deleted' || now - found.changedAt.getTime() > patienceWith(ctx, found)) {
      await ctx.objects.remove(found.key);
    } else strayBytes += found.bytes;
  }
  return strayBytes;
}

/** A task's upload or result, or a piece of an upload that goes on after a break. */
function isWanted({ key }: Found, task: Owner | undefined): boolean {
  if (!task || task.status === 'deleted') return false;
  const { area, name } = partsOf(key);
  if (area === 'results') return name === task.resultFile;
  return name === task.id || (task.resumable && !task.uploadedAt);
}

/**
 * How long an object stays that belongs to nobody: one whose task was deleted goes at once (a repair may have written it after the
 * deletion); one without a row, or a draft beside the one that counts, when it is old enough not to be on its way.
 */
function patienceWith(ctx: Context, { key }: Found): number {
  const { area, name } = partsOf(key);
  const isDraft = area === 'uploads' && name.length > ID_LENGTH;
  return isDraft ? Math.max(DRAFT_IDLE_MS, 2 * ctx.env.UPLOAD_STALL_SECONDS * 1000) : ORPHAN_AGE_MS;
}

/** Folders of repairs, and files lent to them, whose process was killed before it could clear up; none runs as long as that. */
async function removeOldWork(ctx: Context, now: number): Promise<void> {
  const longest = ORPHAN_AGE_MS + ctx.env.REPAIR_TIMEOUT_SECONDS * 1000;
  const folder = workFolder(ctx.env.DATA_DIR);
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const place = path.join(folder, name);
    const stat = await fs.stat(place).catch(() => null);
    if (stat && now - stat.mtimeMs > longest) await fs.rm(place, { recursive: true, force: true });
  }
}
