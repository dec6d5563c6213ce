import 'server-only';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context';
import { jobs } from '../db/schema';
import type { Effect, Job, JobHandler } from './types';
import { wakeJobs } from './wake';

/** Wait before another attempt: 2 s, 8 s, 32 s … at most an hour. */
const RETRY_BASE_MS = 2000;
const RETRY_MOST_MS = 3_600_000;

/** Which job, at which attempt. */
type Held = Pick<Job, 'id' | 'attempt'>;

/** The fence: only the worker and attempt that hold the job may settle it. */
function held(worker: string, job: Held) {
  return and(
    eq(jobs.id, job.id),
    eq(jobs.status, 'running'),
    eq(jobs.lockedBy, worker),
    eq(jobs.attempts, job.attempt),
  );
}

/** Ends a job and commits its effect with it. False when the job was meanwhile taken by another worker: no effect. */
export async function complete(
  ctx: Context,
  worker: string,
  job: Job,
  handler: JobHandler,
  effect: Effect | null,
): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const again = handler.repeatSeconds;
    const settled = again
      ? await tx
          .update(jobs)
          .set({
            status: 'waiting',
            attempts: 0,
            failures: 0,
            lockedBy: null,
            leaseUntil: null,
            lastError: null,
            runAt: new Date(ctx.now().getTime() + again * 1000),
          })
          .where(held(worker, job))
          .returning({ id: jobs.id })
      : await tx.delete(jobs).where(held(worker, job)).returning({ id: jobs.id });
    if (settled.length === 0) return false;
    await effect?.(tx);
    return true;
  });
}

/**
 * Puts a job back for a later attempt, or gives it up after the last one that failed (`isLast`: now), with the effect of that. What was
 * cut off, handed back or postponed before does not count.
 */
export async function fail(
  ctx: Context,
  worker: string,
  job: Job,
  handler: JobHandler,
  reason: string,
  isLast = job.failures + 1 >= handler.maxAttempts && !handler.repeatSeconds,
): Promise<void> {
  const pause = Math.min(RETRY_BASE_MS * 4 ** job.failures, RETRY_MOST_MS);
  await ctx.db.transaction(async (tx) => {
    const settled = await tx
      .update(jobs)
      .set({
        status: isLast ? 'dead' : 'waiting',
        failures: job.failures + 1,
        lockedBy: null,
        leaseUntil: null,
        lastError: reason.slice(0, 500),
        runAt: new Date(ctx.now().getTime() + pause),
      })
      .where(held(worker, job))
      .returning({ id: jobs.id });
    if (settled.length > 0 && isLast) await handler.giveUp?.(ctx, job)(tx);
  });
}

/** Puts a job back for so many seconds; the attempt does not count. */
export async function postpone(ctx: Context, worker: string, job: Job, seconds: number): Promise<void> {
  const runAt = new Date(ctx.now().getTime() + seconds * 1000);
  await putBack(ctx, worker, job, runAt);
}

/** Gives a job up that nobody can do. */
export async function bury(ctx: Context, worker: string, job: Held, reason: string): Promise<void> {
  await ctx.db.update(jobs).set({ status: 'dead', leaseUntil: null, lastError: reason }).where(held(worker, job));
}

/** Hands a job back untouched, as at the stop of the server; the attempt does not count. */
export async function release(ctx: Context, worker: string, job: Job): Promise<void> {
  await putBack(ctx, worker, job, ctx.now());
}

async function putBack(ctx: Context, worker: string, job: Job, runAt: Date): Promise<void> {
  await ctx.db
    .update(jobs)
    .set({ status: 'waiting', attempts: sql`${jobs.attempts} - 1`, lockedBy: null, leaseUntil: null, runAt })
    .where(held(worker, job));
  // Another process may go on with it at once.
  if (runAt <= ctx.now() && ctx.handle.kind === 'postgresql') await wakeJobs(ctx, ctx.db, job.kind);
}

/** Prolongs the lease. False when the job is no longer ours: taken over, or cancelled. */
export async function renew(ctx: Context, worker: string, job: Job, seconds: number): Promise<boolean> {
  const kept = await ctx.db
    .update(jobs)
    .set({ leaseUntil: new Date(ctx.now().getTime() + seconds * 1000) })
    .where(held(worker, job))
    .returning({ id: jobs.id });
  return kept.length > 0;
}
