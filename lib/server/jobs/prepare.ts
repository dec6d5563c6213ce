import 'server-only';
import { eq } from 'drizzle-orm';
import type { Context } from '../context';
import { jobs } from '../db/schema';
import { enqueue } from './enqueue';
import type { JobKind } from './payloads';
import { jobSchema } from './payloads';
import type { JobHandler, JobHandlers } from './types';

/** Makes sure that every periodic job exists, once. */
export async function addPeriodicJobs(ctx: Context, handlers: JobHandlers): Promise<void> {
  for (const [kind, handler] of Object.entries(handlers) as [JobKind, JobHandler][]) {
    if (handler.repeatSeconds) {
      await enqueue(ctx, ctx.db, { ...jobSchema.parse({ kind, payload: {} }), uniqueKey: kind });
    }
  }
}

/**
 * Lets go of every lease, so that work cut off by a kill goes on at once. Only where this process alone has the
 * database: elsewhere another worker may be at it, and the lease decides.
 */
export async function freeLeases(ctx: Context): Promise<void> {
  if (ctx.handle.kind !== 'embedded') return;
  await ctx.db
    .update(jobs)
    .set({ leaseUntil: new Date(0) })
    .where(eq(jobs.status, 'running'));
}
