import 'server-only';
import { logError } from '../base/log-error';
import type { Context } from '../context';
import { complete, fail, release, renew } from './settle';
import type { Job, JobHandler } from './types';

/**
 * Runs one claimed job to its end: renews the lease meanwhile, stops the work when the job is no longer ours, commits
 * the effect, or puts the job back. Never throws. When `stop` fires the job is handed back for the next start.
 */
export async function runJob(
  ctx: Context,
  worker: string,
  job: Job,
  handler: JobHandler,
  stop: AbortSignal,
): Promise<void> {
  const lost = new AbortController();
  const beat = setInterval(
    () => {
      renew(ctx, worker, job, handler.leaseSeconds)
        .then((isOurs) => isOurs || lost.abort())
        .catch((error: unknown) => logError('A lease could not be renewed:', error));
    },
    (handler.leaseSeconds * 1000) / 3,
  );
  beat.unref();
  try {
    // A job whose worker was killed at its last attempt comes here once more: it is given up, not run.
    if (job.attempt > handler.maxAttempts && !handler.repeatSeconds) {
      await fail(ctx, worker, job, handler, 'Every attempt was cut off.');
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
    logError(`A job (${job.kind}, attempt ${job.attempt}) failed:`, error);
    await fail(ctx, worker, job, handler, error instanceof Error ? error.message : String(error));
  } catch (second) {
    logError(`A job (${job.kind}) could not be settled; its lease will run out:`, second);
  }
}
