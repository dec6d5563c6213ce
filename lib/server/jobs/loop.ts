import 'server-only';
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { logError } from '../base/log';
import type { Context } from '../context';
import { claim } from './claim';
import type { JobKind } from './payloads';
import { runJob } from './run-job';
import type { Job, JobHandler, JobHandlers, Lane } from './types';
import { onWake } from './wake';

/** How often each lane looks for work when nobody rings. */
const POLL_MS = 1000;
/** Light jobs at the same time. */
const LIGHT_SLOTS = 2;

/** A running job loop. */
export type JobLoop = { stop(): Promise<void> };

/** Starts to do jobs in this process, until stopped: running repairs are then handed back, light jobs finish. */
export function startJobLoop(ctx: Context, handlers: JobHandlers): JobLoop {
  const worker = `${os.hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
  const stop = new AbortController();
  const bells = new Set<() => void>();
  onWake(() => {
    for (const ring of bells) ring();
  });
  const slots = [
    ...Array.from({ length: LIGHT_SLOTS }, () => ['light'] as const),
    // A long repair never stands before a quick one; where no long one waits, its slots help out.
    ['quick'] as const,
    ...Array.from({ length: ctx.env.REPAIR_CONCURRENCY }, () => ['repair', 'quick'] as const),
  ];
  const running = slots.map((lanes) => {
    const byLane = lanes.map((lane) => kindsOf(handlers, lane));
    return work(ctx, worker, byLane, stop.signal, bells);
  });
  return {
    async stop() {
      onWake(undefined);
      stop.abort();
      for (const ring of bells) ring();
      await Promise.all(running);
    },
  };
}

/** The kinds of a lane with their handlers. */
export function kindsOf(handlers: JobHandlers, lane: Lane): [JobKind, JobHandler][] {
  return (Object.entries(handlers) as [JobKind, JobHandler][]).filter(([, handler]) => handler.lane === lane);
}

async function work(
  ctx: Context,
  worker: string,
  byLane: [JobKind, JobHandler][][],
  stop: AbortSignal,
  bells: Set<() => void>,
): Promise<void> {
  const handlers = new Map(byLane.flat());
  while (!stop.aborted) {
    try {
      const job = await claimFirst(ctx, worker, byLane);
      const handler = job && handlers.get(job.kind);
      if (job && handler) {
        await runJob(ctx, worker, job, handler, stop);
        continue;
      }
    } catch (error) {
      logError('jobs.database', 'The job loop could not reach the database.', error);
    }
    if (!stop.aborted) await pause(bells);
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

function pause(bells: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      bells.delete(go);
      resolve();
    };
    const timer = setTimeout(go, POLL_MS);
    bells.add(go);
  });
}
