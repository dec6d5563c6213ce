import 'server-only';
import { type SQL, sql } from 'drizzle-orm';
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
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await rowsOf<Row>(
    ctx.db,
    sql`
      update jobs set status = 'running', attempts = attempts + 1, locked_by = ${worker},
        lease_until = ${after(now, lease)}::timestamptz
      where id = coalesce(
        (select id from jobs
          where status = 'running' and kind in (${names}) and lease_until < ${at}
          order by turn, run_at, created_at limit 1 for update skip locked),
        (select id from jobs
          where status = 'waiting' and run_at <= ${at} and kind = (${nextKind(names, at)})
          order by turn, run_at, created_at limit 1 for update skip locked))
      returning id, kind, payload, attempts, failures, request_id`,
  );
  return row;
}

/**
 * The kind whose first due job comes before those of the others. Asked for kind by kind, each is one step in the index, however long the
 * queue; asked for at once, all that wait would be sorted.
 */
function nextKind(names: SQL, at: SQL): SQL {
  return sql`
    select head.kind from (select unnest(array[${names}]) as kind) as one
    cross join lateral (select kind, turn, run_at, created_at from jobs
      where status = 'waiting' and kind = one.kind and run_at <= ${at}
      order by turn, run_at, created_at limit 1) as head
    order by head.turn, head.run_at, head.created_at limit 1`;
}

function after(now: Date, seconds: number): string {
  return new Date(now.getTime() + seconds * 1000).toISOString();
}
