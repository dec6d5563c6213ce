import 'server-only';
import { sql } from 'drizzle-orm';
import type { Context } from '../context';
import { rowsOf } from '../db/database';
import type { Lane } from '../jobs/types';

/** The jobs of a lane that are due or being done, those given up, and how long the oldest due one has waited. */
export type LaneState = { lane: Lane; waiting: number; running: number; dead: number; oldestSeconds: number };

/** How the queue stands, lane by lane. What waits for its time, as periodic jobs do, is not counted. */
export async function queueState(ctx: Context): Promise<LaneState[]> {
  const now = ctx.now().toISOString();
  const rows = await rowsOf<Record<keyof LaneState, string>>(
    ctx.db,
    sql`
      select lane.name as lane,
        count(*) filter (where status = 'waiting' and run_at <= ${now}::timestamptz) as waiting,
        count(*) filter (where status = 'running') as running,
        count(*) filter (where status = 'dead') as dead,
        coalesce(extract(epoch from ${now}::timestamptz
          - min(run_at) filter (where status = 'waiting' and run_at <= ${now}::timestamptz)), 0) as "oldestSeconds"
      from (values ('light', null), ('quick', 'repair.quick'), ('repair', 'repair.run')) as lane (name, kind)
      left join jobs on case when jobs.kind in ('repair.quick', 'repair.run') then jobs.kind = lane.kind else lane.kind is null end
      group by lane.name
      order by lane.name`,
  );
  return rows.map((row) => ({
    lane: row.lane as Lane,
    waiting: Number(row.waiting),
    running: Number(row.running),
    dead: Number(row.dead),
    oldestSeconds: Math.round(Number(row.oldestSeconds)),
  }));
}
