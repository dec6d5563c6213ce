import { logError, logInfo } from '../server/base/log';
import { startError } from '../server/base/start-error';
import { environment } from '../server/config/env';
import { publicAddressFor } from '../server/run/public-address';
import { startRuntime } from '../server/run/runtime';
import { keepHeapSmall } from './front/heap';
import { outliveTheLog, sayPlainly } from './front/lifecycle';

/** Longest time between the signal and the end of the process. */
const PATIENCE_MS = 9_500;

/** A further process that does jobs from a shared PostgreSQL database. */
async function main(): Promise<void> {
  outliveTheLog();
  keepHeapSmall();
  if (!process.env.DATABASE_URL) {
    throw startError(
      'A separate worker needs DATABASE_URL: the embedded database belongs to the server’s own process.',
    );
  }
  process.env.SITE_URL = await publicAddressFor(process.env);
  const env = environment();
  if (!env.JOBS_IN_PROCESS) throw startError('A worker does jobs: start it without JOBS_IN_PROCESS=0.');
  const runtime = await startRuntime('worker');
  runtime.startJobs();
  logInfo('start', `This worker does jobs for ${env.SITE_URL}`);
  for (const line of runtime.describe) logInfo('start', line);
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(0), PATIENCE_MS).unref();
    runtime
      .stop()
      .catch((error: unknown) => logError('stop', 'The worker did not stop in order.', error))
      .finally(() => process.exit(0));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

main().catch((error: unknown) => {
  sayPlainly(error);
  process.exit(1);
});
