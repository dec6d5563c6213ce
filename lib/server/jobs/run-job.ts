import 'server-only';
import { logError, logWarning, withoutPersonal } from '../base/log';
import { traced } from '../base/trace';
import type { Context } from '../context';
import { Postponed } from './postponed';
import { complete, fail, postpone, release, renew } from './settle';
import type { Job, JobHandler } from './types';

/** So often a job may be cut off by the end of its server. */
export const CUT_OFF_MOST = 60;

/**
 * Runs one claimed job to its end: renews the lease meanwhile, stops the work when the job is no longer ours, commits
 * the effect, or puts the job back. Never throws. When `stop` fires the job is handed back for the next start.
 */
export function runJob(ctx: Context, worker: string, job: Job, handler: JobHandler, stop: AbortSignal): Promise<void> {
  return traced({ jobId: job.id, requestId: job.requestId }, () => run(ctx, worker, job, handler, stop));
}

async function run(ctx: Context, worker: string, job: Job, handler: JobHandler, stop: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const beat = setInterval(
    () => {
      renew(ctx, worker, job, handler.leaseSeconds)
        .then((isOurs) => isOurs || lost.abort())
        .catch((error: unknown) => logError('job.lease', 'A lease could not be renewed.', error));
    },
    (handler.leaseSeconds * 1000) / 3,
  );
  beat.unref();
  try {
    // A killed server is not the job's fault, but one that takes its server down each time must end some day.
    if (job.attempt > CUT_OFF_MOST && !handler.repeatSeconds) {
      await fail(ctx, worker, job, handler, 'Every attempt was cut off.', true);
      return;
    }
    const effect = await handler.run(ctx, job, AbortSignal.any([stop, lost.signal]));
    await complete(ctx, worker, job, handler, effect);
  } catch (error) {
    if (lost.signal.aborted) return;
    await settleFailure(ctx, worker, job, handler, stop, error);
  } finally {
    clearInterval(beat);
  }
}

async function settleFailure(
  ctx: Context,
  worker: string,
  job: Job,
  handler: JobHandler,
  stop: AbortSignal,
  error: unknown,
): Promise<void> {
  try {
    if (stop.aborted) {
      await release(ctx, worker, job);
      return;
    }
    if (error instanceof Postponed) {
      logWarning('job.postponed', `A job waits: ${withoutPersonal(error.message)}`, {
        kind: job.kind,
        seconds: error.seconds,
      });
      await postpone(ctx, worker, job, error.seconds);
      return;
    }
    logError('job.failed', 'A job failed.', error, { kind: job.kind, attempt: job.attempt });
    await fail(ctx, worker, job, handler, error instanceof Error ? error.message : String(error));
  } catch (second) {
    logError('job.unsettled', 'A job could not be settled; its lease will run out.', second, { kind: job.kind });
  }
}
