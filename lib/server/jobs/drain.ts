import 'server-only';
import type { Context } from '../context';
import { claim } from './claim';
import { kindsOf } from './loop';
import { runJob } from './run-job';
import type { JobHandlers, Lane } from './types';

/** Does every job that is due at `ctx.now()`, one after the other; for tests and for the migration command. */
export async function drainJobs(
  ctx: Context,
  handlers: JobHandlers,
  lanes: Lane[] = ['light', 'quick', 'repair'],
): Promise<number> {
  const kinds = lanes.flatMap((lane) => kindsOf(handlers, lane));
  const never = new AbortController().signal;
  let done = 0;
  for (;;) {
    const job = await claim(ctx, 'drain', kinds);
    if (!job) return done;
    await runJob(ctx, 'drain', job, handlers[job.kind], never);
    done += 1;
  }
}
