import 'server-only';
import { and, count, desc, eq, isNotNull, lt, or, sql } from 'drizzle-orm';
import type { Context } from '../context';
import type { Executor } from '../db/database';
import { jobs, repairTasks } from '../db/schema';
import { enqueue } from '../jobs/enqueue';
import { inLane, laneOf, type RepairKind } from './lanes';

/** Where a repair stands in its lane: 1 is the next; `seconds` is about how long it waits, null where nothing tells. */
export type Place = { position: number; seconds: number | null };

/** Repairs that tell how long one takes. */
const REMEMBERED = 30;
/** What one takes before any has been done here. */
const USUAL_SECONDS: Record<RepairKind, number> = { 'repair.quick': 3, 'repair.run': 40 };

type Queued = { id: string; type: number; fileSize: number; visitor: string; client: string };

/** Puts a repair into its lane. Visitors take turns; whoever has no cookie shares with all such of their network. */
export async function enqueueRepair(ctx: Context, tx: Executor, task: Queued, kind = laneOf(task)): Promise<void> {
  const owner = task.visitor || task.client;
  await enqueue(ctx, tx, { kind, payload: { id: task.id }, uniqueKey: `repair:${task.id}`, owner });
}

/** The place of a waiting repair; null when its job is no longer waiting. */
export async function placeOf(ctx: Context, taskId: string): Promise<Place | null> {
  const [own] = await ctx.db
    .select({ kind: jobs.kind, turn: jobs.turn, runAt: jobs.runAt })
    .from(jobs)
    .where(and(eq(jobs.uniqueKey, `repair:${taskId}`), eq(jobs.status, 'waiting')));
  if (!own) return null;
  const kind = own.kind as RepairKind;
  const before = or(lt(jobs.turn, own.turn), and(eq(jobs.turn, own.turn), lt(jobs.runAt, own.runAt)));
  const [ahead, working, pace] = await Promise.all([
    ctx.db
      .select({ jobs: count() })
      .from(jobs)
      .where(and(eq(jobs.status, 'waiting'), eq(jobs.kind, kind), before)),
    ctx.db
      .select({ jobs: count() })
      .from(jobs)
      .where(and(eq(jobs.status, 'running'), eq(jobs.kind, kind))),
    secondsOfOne(ctx, kind),
  ]);
  const position = (ahead[0]?.jobs ?? 0) + 1;
  const running = working[0]?.jobs ?? 0;
  // Who is running is half done on average; as many work side by side as do now, or as one process does.
  const slots = Math.max(running, kind === 'repair.quick' ? 1 : ctx.env.REPAIR_CONCURRENCY);
  const rounds = (position - 1) / slots + (running >= slots ? 0.5 : 0);
  return { position, seconds: Math.ceil(rounds * pace) };
}

/** How long a repair of a lane took lately, on average. */
async function secondsOfOne(ctx: Context, kind: RepairKind): Promise<number> {
  const last = ctx.db
    .select({
      seconds: sql<number>`extract(epoch from ${repairTasks.finishedAt} - ${repairTasks.startedAt})`.as('seconds'),
    })
    .from(repairTasks)
    .where(and(inLane(kind), isNotNull(repairTasks.finishedAt), isNotNull(repairTasks.startedAt)))
    .orderBy(desc(repairTasks.finishedAt))
    .limit(REMEMBERED)
    .as('last');
  const [row] = await ctx.db.select({ seconds: sql<number | null>`avg(${last.seconds})`.mapWith(Number) }).from(last);
  return row?.seconds || USUAL_SECONDS[kind];
}
