import 'server-only';
import { eq } from 'drizzle-orm';
import type { Erased } from '../../contract/account';
import { ok } from '../../contract/result';
import type { User } from '../accounts/find-session';
import { holdUser } from '../accounts/hold-user';
import { notTheCurrent, passwordMatches } from '../accounts/passwords';
import { hasPresetEnded } from '../accounts/preset';
import { clientNetwork } from '../base/client-network';
import type { Outcome } from '../base/refusal';
import { keepsPasswords } from '../config/sign-in';
import type { Context } from '../context';
import { contactMessages, mails, orders, registrations, stateHistory, subscriptions, users } from '../db/schema';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import { writeMail } from '../mail/write-mail';
import { closeOpenOrders, closePaymentPages, ERASED } from '../orders/close-open-orders';
import { statusAt } from '../sales/plan-state';

/**
 * Erases an account: profile, sessions, licences, mails and messages. Paid orders stay, since the law wants invoices
 * kept; orders that were not paid lose their address.
 */
export async function eraseAccount(
  ctx: Context,
  user: User,
  currentPassword: string,
  client: string,
): Promise<Outcome<Erased>> {
  const allowed = await consume(ctx, limitTable.signInPair, `erase:${user.id}:${clientNetwork(client)}`);
  if (!allowed.ok) return allowed;
  const mustKnow = keepsPasswords(ctx.env) && user.passwordHash !== null && !hasPresetEnded(user, ctx.now());
  if (mustKnow && !(await passwordMatches(user.passwordHash, currentPassword))) {
    return notTheCurrent();
  }
  return eraseUser(ctx, user);
}

/** The same for whoever proved otherwise that the account is to go, such as to the operator by letter. */
export async function eraseUser(ctx: Context, user: User): Promise<Outcome<Erased>> {
  const pages = await closePaymentPages(ctx, user.id);
  if (!pages.ok) return pages;
  return ctx.db.transaction(async (tx) => {
    if (!(await holdUser(tx, user))) return notTheCurrent();
    const now = ctx.now();
    // Orders before subscriptions, as everywhere: the other way round two transactions could wait for each other.
    const closed = await closeOpenOrders(ctx, tx, user.id);
    if (!closed.ok) return closed;
    const owned = await tx.select().from(subscriptions).where(eq(subscriptions.ownerId, user.id)).for('update');
    for (const row of owned) {
      await tx.insert(stateHistory).values({
        subject: 'subscription',
        subjectId: row.id,
        from: statusAt(row, now),
        to: 'expired',
        reason: ERASED,
        at: now,
      });
    }
    const paid = await tx.select().from(orders).where(eq(orders.ownerId, user.id));
    for (const { id, status } of paid) {
      await tx.insert(stateHistory).values({
        subject: 'order',
        subjectId: id,
        from: status,
        to: status,
        reason: ERASED,
        at: now,
      });
    }
    await tx.delete(mails).where(eq(mails.to, user.email));
    await tx.delete(contactMessages).where(eq(contactMessages.email, user.email));
    await tx.delete(registrations).where(eq(registrations.email, user.email));
    await tx.delete(users).where(eq(users.id, user.id));
    const kept =
      paid.length > 0
        ? [
            `${paid.length === 1 ? 'One paid order' : `${paid.length} paid orders`}, because the law asks us to keep invoices.`,
          ]
        : [];
    await writeMail(ctx, tx, {
      to: user.email,
      subject: 'Your account was erased',
      parts: [
        'Your account and what was kept with it are erased, and its licences no longer work.',
        kept.length > 0 ? `What we still keep: ${kept.join(' ')}` : 'Nothing of it is kept.',
      ],
    });
    return ok({ kept });
  });
}
