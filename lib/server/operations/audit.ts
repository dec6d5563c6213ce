import 'server-only';
import { desc, eq } from 'drizzle-orm';
import { logError, logInfo } from '../base/log';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { auditLog } from '../db/schema';

const SHOWN = 200;

/**
 * Does an act of an operator with a line in the audit log: it is written before the act, so that none is without one, and completed with
 * what came of it. `subject` is a number of ours, never an address or a key.
 */
export async function audited(
  ctx: Context,
  line: { actor: string; act: string; subject: string },
  work: () => Promise<Outcome<unknown>>,
): Promise<Outcome<unknown>> {
  const [row] = await ctx.db
    .insert(auditLog)
    .values({ ...line, at: ctx.now(), result: 'begun' })
    .returning({ id: auditLog.id });
  const settle = async (result: string) => {
    if (row) await ctx.db.update(auditLog).set({ result }).where(eq(auditLog.id, row.id));
    logInfo('operator', `An operator ran “${line.act}”.`, { subject: line.subject, result });
  };
  try {
    const outcome = await work();
    await settle(outcome.ok ? 'done' : outcome.error.name);
    return outcome;
  } catch (error) {
    logError('operator', `“${line.act}” failed.`, error);
    await settle('failed');
    throw error;
  }
}

/** What operators did last, the newest first. */
export function listAudit(ctx: Context) {
  return ctx.db.select().from(auditLog).orderBy(desc(auditLog.at), desc(auditLog.id)).limit(SHOWN);
}
