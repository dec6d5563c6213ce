import 'server-only';
import { and, desc, eq, gt } from 'drizzle-orm';
import type { SessionRow } from '../../contract/account';
import type { Context } from '../context';
import { sessions } from '../db/schema';
import type { LiveSession } from './find-session';

/** Where a user is signed in, the most recently used first. */
export async function listSessions(ctx: Context, current: LiveSession): Promise<SessionRow[]> {
  const rows = await ctx.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, current.user.id), gt(sessions.expiresAt, ctx.now())))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt));
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    userAgent: row.userAgent,
    current: row.id === current.id,
  }));
}
