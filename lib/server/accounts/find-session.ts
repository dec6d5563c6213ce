import 'server-only';
import { and, eq, gt } from 'drizzle-orm';
import { digest } from '../base/ids';
import type { Context } from '../context';
import { sessions, users } from '../db/schema';

/** A row of `users`. */
export type User = typeof users.$inferSelect;

/** A token that is good, and who it belongs to. */
export type LiveSession = { id: string; user: User };

/** `lastSeenAt` is written at most this often. */
const SEEN_EVERY_MS = 5 * 60_000;

/** Who a bearer token belongs to; null when it is unknown or has run out. */
export async function findSession(ctx: Context, token: string): Promise<LiveSession | null> {
  const now = ctx.now();
  const [row] = await ctx.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, digest(token)), gt(sessions.expiresAt, now)));
  if (!row) return null;
  if (now.getTime() - row.session.lastSeenAt.getTime() > SEEN_EVERY_MS) {
    await ctx.db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, row.session.id));
  }
  return { id: row.session.id, user: row.user };
}
