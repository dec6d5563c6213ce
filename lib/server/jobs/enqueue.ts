import 'server-only';
import { sql } from 'drizzle-orm';
import { currentTrace } from '../base/trace';
import type { Context } from '../context';
import type { Executor } from '../db/database';
import { jobs } from '../db/schema';
import type { JobKind, JobSpec } from './payloads';
import { wakeJobs } from './wake';

/** A job to be done; with a `uniqueKey` it is added only if none with that key waits or runs. */
export type NewJob = JobSpec & {
  uniqueKey?: string;
  runAt?: Date;
  /** Whom it is for: owners take turns, one job of each in every round. */
  owner?: string;
};

/** Adds a job, in the caller's transaction: it exists if and only if what it belongs to was committed. */
export async function enqueue(ctx: Context, tx: Executor, job: NewJob): Promise<void> {
  const now = ctx.now();
  await tx
    .insert(jobs)
    .values({
      id: ctx.ids.row(),
      kind: job.kind,
      payload: job.payload,
      uniqueKey: job.uniqueKey ?? null,
      owner: job.owner ?? '',
      requestId: currentTrace().requestId ?? null,
      turn: job.owner ? turnOf(job.kind, job.owner) : 0,
      status: 'waiting',
      runAt: job.runAt ?? now,
      createdAt: now,
    })
    .onConflictDoNothing();
  // One that waits for its time is told too: whoever sleeps then knows until when.
  await wakeJobs(ctx, tx, job.kind);
}

/**
 * The round in which an owner's next job comes: after their own last one, and not before the round that the queue is in. So a newcomer
 * comes after one job of each who waits, however many those have.
 */
function turnOf(kind: JobKind, owner: string) {
  return sql<number>`greatest(
    coalesce((select max(turn) + 1 from jobs where kind = ${kind} and owner = ${owner} and status <> 'dead'), 0),
    coalesce(
      (select min(turn) from jobs where kind = ${kind} and status = 'waiting'),
      (select max(turn) from jobs where kind = ${kind} and status = 'running'),
      0
    )
  )`;
}
