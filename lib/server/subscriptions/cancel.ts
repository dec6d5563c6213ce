import 'server-only';
import { and, eq } from 'drizzle-orm';
import type { OwnedProduct } from '../../contract/account';
import { ok } from '../../contract/result';
import { momentInWords } from '../../utils/moment-words';
import type { User } from '../accounts/find-session';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { stateHistory, subscriptions } from '../db/schema';
import { writeMail } from '../mail/write-mail';
import { isRenewalCharge, type Order } from '../sales/change-order';
import { papersOf } from '../sales/papers';
import { agreedOrder, ownedProduct, type Subscription, statusAt } from '../sales/plan-state';
import { chargeSentence } from '../sales/words';

/**
 * Stops the renewal; the licence lives to its expiration date, and ends at once where that has passed. Asked again, it answers
 * the same. Refused while the next period is being charged: nobody could say any more that nothing is.
 */
export function cancelSubscription(ctx: Context, user: User, id: string): Promise<Outcome<OwnedProduct>> {
  return change(ctx, user, id, async (tx, row) => {
    if (!row.autoRenew || !row.expiresAt) {
      return refuse('conflict', 'This licence does not renew, so there is nothing to cancel.');
    }
    if (row.cancelledAt) return ok(row);
    const isOver = row.expiresAt <= ctx.now();
    if (isOver && (await papersOf(tx, [row])).some(isUnderWay)) {
      return refuse(
        'conflict',
        'The next period is being charged right now. As soon as the payment is confirmed you can cancel here, or withdraw from it.',
      );
    }
    const life = isOver ? 'The licence has ended.' : `The licence works until ${momentInWords(row.expiresAt)}.`;
    await writeMail(ctx, tx, {
      to: user.email,
      product: row.productName,
      subject: `Your subscription to ${row.productName} is cancelled`,
      parts: [
        `Your subscription to ${row.productName}, ${row.plan}, will not renew and nothing more is charged. ${life}`,
        isOver
          ? 'If you change your mind, you can renew it in your account:'
          : 'If you change your mind before then, you can resume it in your account:',
        { link: `${ctx.env.SITE_URL}/account` },
      ],
    });
    return ok(await update(ctx, tx, row, { cancelledAt: ctx.now() }, 'cancelled by the owner'));
  });
}

/** A charge of ours whose result is not known yet. */
function isUnderWay(order: Order): boolean {
  return isRenewalCharge(order) && (order.status === 'created' || order.status === 'pending');
}

/** Takes a cancellation back before the expiration date. */
export function resumeSubscription(ctx: Context, user: User, id: string): Promise<Outcome<OwnedProduct>> {
  return change(ctx, user, id, async (tx, row) => {
    if (!row.cancelledAt) return ok(row);
    const resumed = await update(ctx, tx, row, { cancelledAt: null }, 'resumed by the owner');
    await writeMail(ctx, tx, {
      to: user.email,
      product: row.productName,
      subject: `Your subscription to ${row.productName} goes on`,
      parts: [
        `You resumed your subscription to ${row.productName}, ${row.plan}. ${chargeSentence(row, agreedOrder(row, await papersOf(tx, [row])))}`,
        'You can cancel it in your account at any time before then:',
        { link: `${ctx.env.SITE_URL}/account` },
      ],
    });
    return ok(resumed);
  });
}

/** Reads the user's own row under a lock; somebody else's answers like an unknown one, an expired one is refused. */
async function change(
  ctx: Context,
  user: User,
  id: string,
  work: (tx: Transaction, row: Subscription) => Promise<Outcome<Subscription>>,
): Promise<Outcome<OwnedProduct>> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.id, id), eq(subscriptions.ownerId, user.id)))
      .for('update');
    if (!row) return refuse('notFound', 'There is no such subscription in your account.');
    if (statusAt(row, ctx.now()) === 'expired') {
      return refuse('conflict', 'This subscription has expired. You can renew it in the store.');
    }
    const changed = await work(tx, row);
    return changed.ok ? ok(ownedProduct(changed.value, ctx.now(), await papersOf(tx, [changed.value]))) : changed;
  });
}

async function update(
  ctx: Context,
  tx: Transaction,
  row: Subscription,
  set: Partial<Subscription>,
  reason: string,
): Promise<Subscription> {
  const changed = { ...row, ...set };
  const now = ctx.now();
  await tx.update(subscriptions).set(set).where(eq(subscriptions.id, row.id));
  await tx.insert(stateHistory).values({
    subject: 'subscription',
    subjectId: row.id,
    from: statusAt(row, now),
    to: statusAt(changed, now),
    reason,
    at: now,
  });
  return changed;
}
