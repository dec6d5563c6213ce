import 'server-only';
import { logInfo, logWarning } from '../base/log';
import { keepPrivate, privacyInWords, proveWritable, writePrivately } from '../base/private-folder';
import { context, currentEnv, provideContext } from '../context';
import { closeDatabase } from '../db/open';
import { makeDemonstrationInstallers } from '../downloads/demonstration';
import { type JobLoop, startJobLoop } from '../jobs/loop';
import { addPeriodicJobs, freeLeases } from '../jobs/prepare';
import { warnOfRules } from '../operations/object-rules';
import { describeSandbox, repairSandbox } from '../repairs/sandbox';
import { checkAdapters } from './check-adapters';
import { handlers } from './handlers';
import { tellOthers } from './tell-others';

/** What keeps the embedded API going beside the requests. */
export type Runtime = {
  /** Starts to do jobs, once what they may call answers: the sandbox's webhooks come to this server's own port. */
  startJobs(): void;
  /** Lines for a person: what the server runs on. */
  describe: string[];
  /** Hands running jobs back and closes the database; within a second or two. */
  stop(): Promise<void>;
};

/**
 * Opens the database (one per process, shared with the routes), brings it up to date, makes what a fresh installation
 * lacks and starts the jobs. A worker, unlike a web node, is not reached by visitors. Throws a `StartError` with words for a person, such as when the data is in use.
 */
export async function startRuntime(role: 'web' | 'worker' = 'web'): Promise<Runtime> {
  const env = currentEnv();
  writePrivately();
  const privacy = privacyInWords(env.DATA_DIR, keepPrivate(env.DATA_DIR));
  if (privacy) logWarning('start', privacy);
  proveWritable(env.DATA_DIR);
  const [ctx, sandbox] = await Promise.all([context(), env.JOBS_IN_PROCESS ? repairSandbox(env) : null]);
  await ctx.objects.open();
  await warnOfRules(ctx);
  if (!env.INSTALLER_BASE_URL) await makeDemonstrationInstallers(ctx.objects);
  const adapters = await checkAdapters(ctx).catch(async (error: unknown) => {
    provideContext(undefined);
    await closeDatabase();
    throw error;
  });
  await tellOthers(ctx, role === 'web');
  await freeLeases(ctx);
  await addPeriodicJobs(ctx, handlers);
  let loop: JobLoop | null = null;
  return {
    startJobs() {
      if (env.JOBS_IN_PROCESS) loop ??= startJobLoop(ctx, handlers);
    },
    describe: [
      ...adapters,
      ctx.objects.describe,
      env.JOBS_IN_PROCESS ? 'Jobs: in this process' : 'Jobs: left to separate workers',
      ...(sandbox ? [describeSandbox(sandbox, env)] : []),
    ],
    async stop() {
      await loop?.stop();
      provideContext(undefined);
      await closeDatabase();
      logInfo('stop', 'The database is closed.');
    },
  };
}
