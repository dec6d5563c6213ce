import 'server-only';
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { logError } from '../base/log';
import type { Context } from '../context';
import { type Listening, listenTo } from '../db/listen';
import { claim } from './claim';
import { untilNext } from './next-due';
import type { JobKind } from './payloads';
import { runJob } from './run-job';
import type { Job, JobHandler, JobHandlers, Lane } from './types';
import { type Bell, JOBS_CHANNEL, onWake } from './wake';

/** How often each slot looks for work when nobody rings and nobody could. */
const POLL_MS = 1000;
/** The same where PostgreSQL rings for every job: a net under what is told. */
const SLOW_POLL_MS = 30_000;
/** Light jobs at the same time. */
const LIGHT_SLOTS = 2;

/** A running job loop. */
export type JobLoop = { stop(): Promise<void> };

/** Starts to do jobs in this process, until stopped: running repairs are then handed back, light jobs finish. */
export function startJobLoop(ctx: Context, handlers: JobHandlers): JobLoop {
  const worker = `${os.hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
  const stop = new AbortController();
  const bells: Bells = new Set();
  const ring: Bell = (kind) => {
    for (const bell of bells) if (kind === null || bell.kinds.has(kind)) bell.ring();
  };
  onWake(ring);
  const { handle } = ctx;
  const listening =
    handle.kind === 'postgresql'
      ? listenTo(handle, JOBS_CHANNEL, (payload) => ring(payload as JobKind | null))
      : undefined;
  const slots = [
    ...Array.from({ length: LIGHT_SLOTS }, () => ['light'] as const),
    // A long repair never stands before a quick one; where no long one waits, its slots help out.
    ['quick'] as const,
    ...Array.from({ length: ctx.env.REPAIR_CONCURRENCY }, () => ['repair', 'quick'] as const),
  ];
  const running = slots.map((lanes) => {
    const byLane = lanes.map((lane) => kindsOf(handlers, lane));
    return work({ ctx, worker, byLane, stop: stop.signal, bells, listening });
  });
  return {
    async stop() {
      onWake(undefined);
      stop.abort();
      ring(null);
      await Promise.all(running);
      await listening?.stop();
    },
  };
}

/** The kinds of a lane with their handlers. */
export function kindsOf(handlers: JobHandlers, lane: Lane): [JobKind, JobHandler][] {
  return (Object.entries(handlers) as [JobKind, JobHandler][]).filter(([, handler]) => handler.lane === lane);
}

/** Those who wait for work, and for which. */
type Bells = Set<{ kinds: ReadonlyMap<JobKind, JobHandler>; ring: () => void }>;

/** One place at which jobs are done, one after the other. */
type Slot = {
  ctx: Context;
  worker: string;
  byLane: [JobKind, JobHandler][][];
  stop: AbortSignal;
  bells: Bells;
  listening: Listening | undefined;
};

async function work({ ctx, worker, byLane, stop, bells, listening }: Slot): Promise<void> {
  const handlers = new Map(byLane.flat());
  while (!stop.aborted) {
    // Rung for from here on: a job that comes while the queue is asked must not be missed.
    const bell = waitFor(bells, handlers);
    let most = POLL_MS;
    try {
      const job = await claimFirst(ctx, worker, byLane);
      const handler = job && handlers.get(job.kind);
      if (job && handler) {
        bell.end();
        await runJob(ctx, worker, job, handler, stop);
        continue;
      }
      if (listening?.isHeard()) most = await untilNext(ctx, [...handlers.keys()], SLOW_POLL_MS);
    } catch (error) {
      logError('jobs.database', 'The job loop could not reach the database.', error);
    }
    if (!stop.aborted) await bell.rung(most);
    bell.end();
  }
}

/** A job of the first lane that has one. */
async function claimFirst(ctx: Context, worker: string, byLane: [JobKind, JobHandler][][]): Promise<Job | null> {
  for (const kinds of byLane) {
    const job = await claim(ctx, worker, kinds);
    if (job) return job;
  }
  return null;
}

/** Hangs up a bell for some kinds of jobs. `rung` ends when it has rung since it was hung up, at the latest after so many milliseconds. */
function waitFor(bells: Bells, kinds: ReadonlyMap<JobKind, JobHandler>) {
  let go: () => void = () => undefined;
  const rang = new Promise<void>((resolve) => {
    go = resolve;
  });
  const bell = { kinds, ring: () => go() };
  bells.add(bell);
  return {
    async rung(most: number): Promise<void> {
      const timer = setTimeout(go, most);
      await rang;
      clearTimeout(timer);
    },
    end: () => bells.delete(bell),
  };
}
