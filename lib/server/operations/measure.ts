import 'server-only';
import { count, inArray } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { Context } from '../context';
import { mails, repairCounts } from '../db/schema';
import type { Disk } from '../objects/port';
import { type LaneState, queueState } from './queue-state';

/** Connections to PostgreSQL: open ones, those at rest, and callers that wait for one. */
export type PoolState = { open: number; idle: number; waiting: number };

/** What whoever watches the server wants to know of what it holds. */
export type Measures = {
  queue: LaneState[];
  verdicts: { format: string; verdict: string; repairs: number }[];
  /** Mails that wait to be sent, and those that could not be delivered. */
  mails: { queued: number; failed: number };
  /** Null where the system does not tell. */
  disk: Disk | null;
  /** Null on the embedded database. */
  pool: PoolState | null;
};

/** Takes all measures at once. */
export async function measure(ctx: Context): Promise<Measures> {
  const [queue, verdicts, byStatus, disk] = await Promise.all([
    queueState(ctx),
    ctx.db.select().from(repairCounts),
    ctx.db
      .select({ status: mails.status, mails: count() })
      .from(mails)
      .where(inArray(mails.status, ['queued', 'failed']))
      .groupBy(mails.status),
    ctx.objects.disk(),
  ]);
  const mailsThat = (status: string) => byStatus.find((row) => row.status === status)?.mails ?? 0;
  return {
    queue,
    verdicts,
    mails: { queued: mailsThat('queued'), failed: mailsThat('failed') },
    disk,
    pool: poolState(ctx),
  };
}

/** How the pool stands; null on the embedded database, which has none. */
export function poolState({ handle }: Context): PoolState | null {
  if (handle.kind !== 'postgresql') return null;
  const pool = handle.client as Pool;
  return { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
}
