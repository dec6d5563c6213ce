import 'server-only';
import { eq, inArray, or } from 'drizzle-orm';
import type { Context } from '../context';
import { contactMessages, identities, mails, orders, stateHistory, subscriptions } from '../db/schema';
import type { LiveSession } from './find-session';
import { listSessions } from './list-sessions';
import { userDetail } from './user-detail';

/** Everything kept about a user, as data (privacy policy: access, portability). No hashes, no other person's data. */
export async function exportData(ctx: Context, session: LiveSession): Promise<Record<string, unknown>> {
  const { user } = session;
  const bought = await ctx.db
    .select()
    .from(orders)
    .where(or(eq(orders.ownerId, user.id), eq(orders.createdBy, user.id)));
  const owned = await ctx.db.select().from(subscriptions).where(eq(subscriptions.ownerId, user.id));
  const subjects = [...bought, ...owned].map((row) => row.id);
  const history =
    subjects.length === 0
      ? []
      : await ctx.db.select().from(stateHistory).where(inArray(stateHistory.subjectId, subjects));
  const received = await ctx.db.select().from(mails).where(eq(mails.to, user.email));
  const written = await ctx.db.select().from(contactMessages).where(eq(contactMessages.email, user.email));
  const linked = await ctx.db.select().from(identities).where(eq(identities.userId, user.id));
  return {
    exportedAt: ctx.now().toISOString(),
    profile: userDetail(ctx, user),
    signInProviders: linked.map(({ issuer, subject, linkedAt }) => ({ issuer, subject, linkedAt })),
    sessions: await listSessions(ctx, session),
    orders: bought.map(({ idempotencyKey: _key, requestHash: _hash, providerReference: _reference, ...rest }) => rest),
    subscriptions: owned,
    history: history.map(({ id: _id, ...rest }) => rest),
    mails: received.map(({ subject, createdAt, sentAt }) => ({ subject, createdAt, sentAt })),
    messages: written.map(({ id: _id, ...rest }) => rest),
  };
}
