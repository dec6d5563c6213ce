import 'server-only';
import { eq, or } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { digest } from '../base/ids';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { jobs, repairTasks } from '../db/schema';

/** A repair with its report, by the key that its visitor has or by its number. Never its file, nor the file's name. */
export async function lookAtTask(ctx: Context, asked: string): Promise<Outcome<unknown>> {
  const [task] = await ctx.db
    .select()
    .from(repairTasks)
    .where(or(eq(repairTasks.id, digest(asked)), eq(repairTasks.id, asked)));
  if (!task) return refuse('notFound', 'There is no such repair.');
  const [job] = await ctx.db
    .select({ id: jobs.id, status: jobs.status, failures: jobs.failures, lastError: jobs.lastError })
    .from(jobs)
    .where(eq(jobs.uniqueKey, `repair:${task.id}`));
  const { fileName: _name, client: _client, visitor: _visitor, resultFile: _file, ...shown } = task;
  return ok({ ...shown, job: job ?? null });
}
