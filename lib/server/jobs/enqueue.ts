import 'server-only';
import type { Context } from '../context';
import type { Executor } from '../db/database';
import { jobs } from '../db/schema';
import { newId } from '../ids';
import type { JobSpec } from './payloads';
import { wakeJobs } from './wake';

/** A job to be done; with a `uniqueKey` it is added only if none with that key waits or runs. */
export type NewJob = JobSpec & { uniqueKey?: string; runAt?: Date };

/** Adds a job, in the caller's transaction: it exists if and only if what it belongs to was committed. */
export async function enqueue(ctx: Context, tx: Executor, job: NewJob): Promise<void> {
  const now = ctx.now();
  await tx
    .insert(jobs)
    .values({
      id: newId(),
      kind: job.kind,
      payload: job.payload,
      uniqueKey: job.uniqueKey ?? null,
      status: 'waiting',
      runAt: job.runAt ?? now,
      createdAt: now,
    })
    .onConflictDoNothing();
  wakeJobs();
}
