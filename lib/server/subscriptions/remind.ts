import 'server-only';
import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import { subscriptions, users } from '../db/schema';
import type { JobHandler } from '../jobs/types';
import { writeMail } from '../mail/write-mail';
import { papersOf } from '../sales/papers';
import { agreedOrder } from '../sales/plan-state';
import { chargeSentence } from '../sales/words';

/** A yearly renewal is announced by mail so long before it. Of a monthly one the account tells: its mail would come every month. */
const AHEAD_MS = 14 * 86_400_000;
const AT_ONCE = 100;

/** Announces yearly renewals, in time to cancel them. */
export const remindOfRenewals: JobHandler = {
  lane: 'light',
  maxAttempts: 1,
  leaseSeconds: 60,
  repeatSeconds: 3600,
  async run(ctx) {
    const due = and(
      eq(subscriptions.planType, 'year'),
      eq(subscriptions.autoRenew, true),
      isNull(subscriptions.cancelledAt),
      isNull(subscriptions.expiredAt),
      isNull(subscriptions.remindedAt),
      gt(subscriptions.expiresAt, ctx.now()),
      lte(subscriptions.expiresAt, new Date(ctx.now().getTime() + AHEAD_MS)),
    );
    const coming = await ctx.db
      .select({ row: subscriptions, email: users.email })
      .from(subscriptions)
      .innerJoin(users, eq(users.id, subscriptions.ownerId))
      .where(due)
      .limit(AT_ONCE);
    if (coming.length === 0) return null;
    return async (tx) => {
      for (const { row, email } of coming) {
        const marked = await tx
          .update(subscriptions)
          .set({ remindedAt: ctx.now() })
          .where(and(eq(subscriptions.id, row.id), due))
          .returning({ id: subscriptions.id });
        if (marked.length === 0 || !row.expiresAt) continue;
        const agreed = agreedOrder(row, await papersOf(tx, [row]));
        await writeMail(ctx, tx, {
          to: email,
          product: row.productName,
          subject: `Your subscription to ${row.productName} will renew`,
          parts: [
            `Your subscription to ${row.productName}, ${row.plan}, is about to renew. ${chargeSentence(row, agreed)}`,
            'If you don’t want that, cancel it in your account before then:',
            { link: `${ctx.env.SITE_URL}/account` },
          ],
        });
      }
    };
  },
};
