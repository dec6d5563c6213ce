import 'server-only';
import { and, eq } from 'drizzle-orm';
import { ok } from '../../contract/result';
import { digest } from '../base/ids';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import type { Executor } from '../db/database';
import { sessions, tickets } from '../db/schema';

/** Signs a token out at once; an unknown one is signed out already. */
export async function endSessionOfToken(ctx: Context, token: string): Promise<Outcome<null>> {
  await ctx.db.delete(sessions).where(eq(sessions.tokenHash, digest(token)));
  return ok(null);
}

/** Ends one of the user's own sessions; somebody else's answers like an unknown one. */
export async function endOwnSession(ctx: Context, userId: string, sessionId: string): Promise<Outcome<null>> {
  const ended = await ctx.db
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return ended.length > 0 ? ok(null) : refuse('notFound');
}

/** Ends every session of a user, as after a change of the password, and the tickets that would make another. */
export async function endAllSessions(tx: Executor, userId: string): Promise<void> {
  await tx.delete(tickets).where(eq(tickets.userId, userId));
  await tx.delete(sessions).where(eq(sessions.userId, userId));
}
