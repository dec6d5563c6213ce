import 'server-only';
import { desc, eq, gt } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { withoutPersonal } from '../base/log';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { jobs, mails, repairTasks } from '../db/schema';
import type { JobKind } from '../jobs/payloads';
import { wakeJobs } from '../jobs/wake';

const SHOWN = 200;

/** Jobs that failed at least once, or only those that were given up. What they carry may be an address, so it is not shown. */
export async function listTroubledJobs(ctx: Context, which: 'dead' | 'failed') {
  const rows = await ctx.db
    .select()
    .from(jobs)
    .where(which === 'dead' ? eq(jobs.status, 'dead') : gt(jobs.failures, 0))
    .orderBy(desc(jobs.createdAt))
    .limit(SHOWN);
  return rows.map(({ id, kind, status, failures, lastError, createdAt, runAt, requestId }) => ({
    id,
    kind,
    status,
    failures,
    lastError: lastError && withoutPersonal(lastError),
    createdAt,
    runAt: status === 'waiting' ? runAt : null,
    requestId,
  }));
}

/** Has a job that failed or was given up done again, now and with all its attempts. What its end had closed is opened again. */
export async function retryJob(ctx: Context, id: string): Promise<Outcome<unknown>> {
  return ctx.db.transaction(async (tx) => {
    const [job] = await tx.select().from(jobs).where(eq(jobs.id, id)).for('update');
    if (!job) return refuse('notFound', 'There is no such job; one that was done is not kept.');
    if (job.status === 'running') return refuse('conflict', 'This job is being done just now.');
    const { mailId, id: taskId } = job.payload;
    if (job.kind === 'mail.send')
      await tx
        .update(mails)
        .set({ status: 'queued' })
        .where(eq(mails.id, String(mailId)));
    if (job.kind === 'repair.run' || job.kind === 'repair.quick') {
      const [task] = await tx
        .select()
        .from(repairTasks)
        .where(eq(repairTasks.id, String(taskId)))
        .for('update');
      if (!task || task.status === 'deleted' || task.expiresAt <= ctx.now()) {
        return refuse('expired', 'The file of this repair was deleted, as every one is after a day.');
      }
      const again = { status: 'waiting' as const, report: null, finishedAt: null };
      if (task.status === 'failure') await tx.update(repairTasks).set(again).where(eq(repairTasks.id, task.id));
    }
    await tx
      .update(jobs)
      .set({ status: 'waiting', attempts: 0, failures: 0, lockedBy: null, leaseUntil: null, runAt: ctx.now() })
      .where(eq(jobs.id, id));
    await wakeJobs(ctx, tx, job.kind as JobKind);
    return ok({ waiting: id, kind: job.kind });
  });
}
