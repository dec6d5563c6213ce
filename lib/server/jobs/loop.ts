import 'server-only';
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import type { Context } from '../context';
import { logError } from '../log-error';
import { claim } from './claim';
import { handlers } from './handlers';
import type { JobKind } from './payloads';
import { runJob } from './run-job';
import type { JobHandler } from './types';
import { onWake } from './wake';

/** How often each lane looks for work when nobody rings. */
const POLL_MS = 1000;
/** Light jobs at the same time. */
const LIGHT_SLOTS = 2;

/** A running job loop. */
export type JobLoop = { stop(): Promise<void> };

/** Starts to do jobs in this process, until stopped: running repairs are then handed back, light jobs finish. */
export function startJobLoop(ctx: Context): JobLoop {
  const worker = `${os.hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
  const stop = new AbortController();
  const bells = new Set<() => void>();
  onWake(() => {
    for (const ring of bells) ring();
  });
  const slots = [
    ...Array.from({ length: LIGHT_SLOTS }, () => 'light' as const),
    ...Array.from({ length: ctx.env.REPAIR_CONCURRENCY }, () => 'repair' as const),
  ];
  const running = slots.map((lane) => work(ctx, worker, kindsOf(lane), stop.signal, bells));
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
export function kindsOf(lane: JobHandler['lane']): [JobKind, JobHandler][] {
  return (Object.entries(handlers) as [JobKind, JobHandler][]).filter(([, handler]) => handler.lane === lane);
}

async function work(
  ctx: Context,
  worker: string,
  kinds: [JobKind, JobHandler][],
  stop: AbortSignal,
  bells: Set<() => void>,
): Promise<void> {
  while (!stop.aborted) {
    try {
      const job = await claim(ctx, worker, kinds);
      if (job) {
        await runJob(ctx, worker, job, handlers[job.kind], stop);
        continue;
      }
    } catch (error) {
      logError('The job loop could not reach the database:', error);
    }
    if (!stop.aborted) await pause(bells);
  }
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
