import 'server-only';
import { and, eq, gt } from 'drizzle-orm';
import { digest } from '../base/ids';
import type { Context } from '../context';
import { sessions, users } from '../db/schema';
import { type Reading, sessionMemory } from './session-memory';

/** A row of `users`. */
export type User = typeof users.$inferSelect;

/** A token that is good, and who it belongs to. */
export type LiveSession = Readonly<{ id: string; user: Readonly<User> }>;

/** `lastSeenAt` is written at most this often. */
const SEEN_EVERY_MS = 5 * 60_000;

/** Who a bearer token belongs to; null when it is unknown or has run out. Answered from memory where that is known to hold. */
export async function findSession(ctx: Context, token: string): Promise<LiveSession | null> {
  const tokenHash = digest(token);
  const memory = sessionMemory(ctx.handle);
  const isTrue = memory.isTrue();
  if (isTrue === true || (await isTrue)) {
    const known = memory.find(tokenHash, ctx.now().getTime());
    if (known) return known;
  }
  return readSession(ctx, tokenHash, memory.begin());
}

async function readSession(ctx: Context, tokenHash: string, reading: Reading): Promise<LiveSession | null> {
  const now = ctx.now();
  const [row] = await ctx.db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)));
  if (!row) return null;
  let seenAt = row.session.lastSeenAt.getTime();
  if (now.getTime() - seenAt > SEEN_EVERY_MS) {
    await ctx.db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, row.session.id));
    seenAt = now.getTime();
  }
  const session = Object.freeze({ id: row.session.id, user: Object.freeze(row.user) });
  // Read again when it is time to write that it was seen.
  reading.keep(tokenHash, { session, goodUntil: Math.min(seenAt + SEEN_EVERY_MS, row.session.expiresAt.getTime()) });
  return session;
}
