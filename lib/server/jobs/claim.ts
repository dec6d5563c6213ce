import 'server-only';
import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { logError } from '../base/log';
import type { Context } from '../context';
import { rowsOf } from '../db/database';
import type { JobKind } from './payloads';
import { jobSchema } from './payloads';
import { bury } from './settle';
import type { Job, JobHandler } from './types';

/**
 * Takes the next due job of the given kinds, or one whose worker's lease has run out, for `leaseSeconds`.
 * Owners take turns (enqueue.ts). `FOR UPDATE SKIP LOCKED` lets any number of workers do this at once. Null when there is none. One that
 * carries what its kind does not is given up.
 */
export async function claim(ctx: Context, worker: string, kinds: [JobKind, JobHandler][]): Promise<Job | null> {
  if (kinds.length === 0) return null;
  for (;;) {
    const row = await take(ctx, worker, kinds);
    if (!row) return null;
    const held = {
      id: row.id,
      attempt: Number(row.attempts),
      failures: Number(row.failures),
      requestId: row.request_id ?? undefined,
    };
    const read = z.safeParse(jobSchema, { kind: row.kind, payload: row.payload });
    if (read.success) return { ...read.data, ...held };
    logError('job.misfit', 'A job carries what it should not and is given up.', read.error, {
      kind: row.kind,
      jobId: row.id,
    });
    await bury(ctx, worker, held, 'Its payload does not fit its kind.');
  }
}

type Row = {
  id: string;
  kind: string;
  payload: unknown;
  attempts: number;
  failures: number;
  request_id: string | null;
};

async function take(ctx: Context, worker: string, kinds: [JobKind, JobHandler][]): Promise<Row | undefined> {
  const now = ctx.now();
  const names = sql.join(
    kinds.map(([kind]) => sql`${kind}`),
    sql`, `,
  );
  const lease = Math.max(...kinds.map(([, handler]) => handler.leaseSeconds));
  const [row] = await rowsOf<Row>(
    ctx.db,
    sql`
      update jobs set status = 'running', attempts = attempts + 1, locked_by = ${worker},
        lease_until = ${after(now, lease)}::timestamptz
      where id = (
        select id from jobs
        where kind in (${names})
          and ((status = 'waiting' and run_at <= ${now.toISOString()}::timestamptz)
            or (status = 'running' and lease_until < ${now.toISOString()}::timestamptz))
        order by turn, run_at, created_at
        limit 1
        for update skip locked
      )
      returning id, kind, payload, attempts, failures, request_id`,
  );
  return row;
}

function after(now: Date, seconds: number): string {
  return new Date(now.getTime() + seconds * 1000).toISOString();
}
