import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '../context';
import { rowsOf } from '../db/database';
import type { JobKind } from './payloads';

/** Shorter than this nobody waits: two jobs that are due together are found together. */
const SHORTEST_MS = 50;

/**
 * Milliseconds until a job of these kinds comes due, or a lease of one runs out, since nobody rings for either; at most `longest`.
 */
export async function untilNext(ctx: Context, kinds: readonly JobKind[], longest: number): Promise<number> {
  const names = sql.join(
    kinds.map((kind) => sql`${kind}`),
    sql`, `,
  );
  const [row] = await rowsOf<{ at: string | null }>(
    ctx.db,
    sql`
      select (extract(epoch from least(
        (select min(head.run_at) from (select unnest(array[${names}]) as kind) as one cross join lateral
          (select run_at from jobs where status = 'waiting' and kind = one.kind order by run_at limit 1) as head),
        (select min(lease_until) from jobs where status = 'running' and kind in (${names})))) * 1000)::text as at`,
  );
  if (row?.at == null) return longest;
  return Math.min(longest, Math.max(SHORTEST_MS, Number(row.at) - ctx.now().getTime()));
}
