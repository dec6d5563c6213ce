import 'server-only';
import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { Context } from '../context';
import { repairTasks } from '../db/schema';

/** So long a form is taken after its sender's last sign of life; a killed server leaves it no longer than that. */
const LEASE_MS = 60_000;

/** The right to send one task's file, held by one sender at a time. */
export type UploadLease = { end(): Promise<void> };

/** Takes the form of a task for this sender; null while somebody else sends it. */
export async function takeForm(ctx: Context, taskId: string): Promise<UploadLease | null> {
  const until = () => new Date(ctx.now().getTime() + LEASE_MS);
  const free = or(isNull(repairTasks.uploadLeaseUntil), lt(repairTasks.uploadLeaseUntil, ctx.now()));
  const taken = await ctx.db
    .update(repairTasks)
    .set({ uploadLeaseUntil: until() })
    .where(and(eq(repairTasks.id, taskId), free))
    .returning({ id: repairTasks.id });
  if (taken.length === 0) return null;
  const set = (uploadLeaseUntil: Date | null) =>
    ctx.db.update(repairTasks).set({ uploadLeaseUntil }).where(eq(repairTasks.id, taskId));
  const beat = setInterval(() => {
    // A beat that is lost is made up by the next one.
    set(until()).catch(() => undefined);
  }, LEASE_MS / 3);
  beat.unref();
  return {
    async end() {
      clearInterval(beat);
      await set(null);
    },
  };
}
