import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '../context';
import type { Executor } from '../db/database';
import type { JobKind } from './payloads';

/** Rings for a kind of job, or for all. */
export type Bell = (kind: JobKind | null) => void;

/** The loop and the routes live in different bundles of one process; the bell hangs between them. */
const slot = Symbol.for('mendara.jobs.wake');
const shared = globalThis as { [slot]?: Bell | undefined };

/** The channel on which PostgreSQL tells of a job, by its kind. */
export const JOBS_CHANNEL = 'mendara_jobs';

/** A little later than the call, so that the transaction that made the job has most likely committed. */
const DELAY_MS = 10;

/**
 * Tells whoever does jobs that there is one. On PostgreSQL every process of it hears, in the moment in which `tx` commits (NOTIFY); on
 * the embedded database the loop of this one does.
 */
export async function wakeJobs(ctx: Context, tx: Executor, kind: JobKind): Promise<void> {
  if (ctx.handle.kind === 'postgresql') {
    await tx.execute(sql`select pg_notify(${JOBS_CHANNEL}, ${kind})`);
    return;
  }
  const ring = shared[slot];
  if (ring) setTimeout(() => ring(kind), DELAY_MS).unref();
}

/** The job loop hangs up its bell, or takes it down. */
export function onWake(ring: Bell | undefined): void {
  shared[slot] = ring;
}
