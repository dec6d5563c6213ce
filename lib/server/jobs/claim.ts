import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '../context';
import { rowsOf } from '../db/database';
import type { Job, JobHandler, JobKind } from './types';

/**
 * Takes the next due job of the given kinds, or one whose worker's lease has run out, for `leaseSeconds`.
 * Owners take turns (enqueue.ts). `FOR UPDATE SKIP LOCKED` lets any number of workers do this at once. Null when there is none.
 */
export async function claim(ctx: Context, worker: string, kinds: [JobKind, JobHandler][]): Promise<Job | null> {
  if (kinds.length === 0) return null;
  const now = ctx.now();
  const names = sql.join(
    kinds.map(([kind]) => sql`${kind}`),
    sql`, `,
  );
  const lease = Math.max(...kinds.map(([, handler]) => handler.leaseSeconds));
  const [row] = await rowsOf<{
    id: string;
    kind: JobKind;
    payload: Record<string, unknown>;
    attempts: number;
    failures: number;
  }>(
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
      returning id, kind, payload, attempts, failures`,
  );
  if (!row) return null;
  const { id, kind, payload, attempts, failures } = row;
  return { id, kind, payload, attempt: Number(attempts), failures: Number(failures) };
}

function after(now: Date, seconds: number): string {
  return new Date(now.getTime() + seconds * 1000).toISOString();
}
