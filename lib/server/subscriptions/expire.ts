import 'server-only';
import { and, eq, isNotNull, isNull, lte, or } from 'drizzle-orm';
import { stateHistory, subscriptions, users } from '../db/schema';
import type { JobHandler } from '../jobs/types';
import { writeMail } from '../mail/write-mail';
import { RENEWAL_GRACE_MS } from '../sales/period';

const AT_ONCE = 100;

/** Ends subscriptions whose date has come and tells their owners. */
export const expireSubscriptions: JobHandler = {
  lane: 'light',
  maxAttempts: 1,
  leaseSeconds: 60,
  repeatSeconds: 60,
  async run(ctx) {
    const lateRenewal = new Date(ctx.now().getTime() - RENEWAL_GRACE_MS);
    const due = and(
      isNull(subscriptions.expiredAt),
      lte(subscriptions.expiresAt, ctx.now()),
      or(
        eq(subscriptions.autoRenew, false),
        isNotNull(subscriptions.cancelledAt),
        lte(subscriptions.expiresAt, lateRenewal),
      ),
    );
    const late = await ctx.db.select({ id: subscriptions.id }).from(subscriptions).where(due).limit(AT_ONCE);
    if (late.length === 0) return null;
    return async (tx) => {
      const now = ctx.now();
      for (const { id } of late) {
        const [row] = await tx
          .update(subscriptions)
          .set({ expiredAt: now })
          .where(and(eq(subscriptions.id, id), due))
          .returning();
        if (!row) continue;
        const [owner] = await tx.select({ email: users.email }).from(users).where(eq(users.id, row.ownerId));
        await tx.insert(stateHistory).values({
          subject: 'subscription',
          subjectId: row.id,
          from: row.cancelledAt ? 'unsubscribe' : row.activatedAt ? 'normal' : 'activate',
          to: 'expired',
          reason: 'expiration date reached',
          at: now,
        });
        if (!owner) continue;
        await writeMail(ctx, tx, {
          to: owner.email,
          product: row.productName,
          subject: `Your licence for ${row.productName} has expired`,
          parts: [
            `Your licence for ${row.productName}, ${row.plan}, has expired. You can renew it in your account:`,
            { link: `${ctx.env.SITE_URL}/account` },
          ],
        });
      }
    };
  },
};
