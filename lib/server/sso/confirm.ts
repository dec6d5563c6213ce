import 'server-only';
import { and, desc, eq, gt } from 'drizzle-orm';
import type { ConfirmRequest } from '../../contract/requests/sign-in';
import { ok } from '../../contract/result';
import type { TicketReturn } from '../../contract/sign-in';
import { endAllSessions } from '../accounts/end-session';
import { ownPassword } from '../accounts/preset';
import { digest } from '../base/ids';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { registrations, users } from '../db/schema';
import { codeHash, codeRefused, countGuess, forgiveGuesses } from './check-code';
import { returnAddress } from './return-address';
import { issueTicket } from './tickets';

/** Makes the account whose address the code proves, and signs in: answers the return address with a ticket. */
export async function confirm(ctx: Context, input: ConfirmRequest, client: string): Promise<Outcome<TicketReturn>> {
  const returnTo = returnAddress(ctx, input.redirectUri);
  if (!returnTo.ok) return returnTo;
  const now = ctx.now();
  const [pending] = await ctx.db
    .select()
    .from(registrations)
    .where(
      and(
        eq(registrations.email, input.email),
        gt(registrations.expiresAt, now),
        input.registrationId === undefined ? undefined : eq(registrations.id, input.registrationId),
      ),
    )
    .orderBy(desc(registrations.createdAt))
    .limit(1);
  const guess = { email: input.email, use: 'registration', key: pending?.id ?? digest(input.email) } as const;
  const counted = await countGuess(ctx, guess, client);
  if (!counted.ok) return counted;
  if (!pending || pending.codeHash !== codeHash(pending.id, input.code)) return codeRefused();
  await forgiveGuesses(ctx, input.email, 'registration');

  return ctx.db.transaction(async (tx) => {
    // The account before the registration, as an erasure takes them: the other way round the two could wait for each other.
    await tx.select({ id: users.id }).from(users).where(eq(users.email, input.email)).for('no key update');
    const used = await tx
      .delete(registrations)
      .where(eq(registrations.email, input.email))
      .returning({ id: registrations.id });
    if (!used.some((row) => row.id === pending.id)) return codeRefused();
    // The address may have got an account by a purchase meanwhile; the code proves whose it is all the same.
    const [user] = await tx
      .insert(users)
      .values({ id: ctx.ids.row(), email: input.email, passwordHash: pending.passwordHash, createdAt: now })
      .onConflictDoUpdate({
        target: users.email,
        set: { passwordHash: pending.passwordHash, ...ownPassword },
      })
      .returning({ id: users.id });
    if (!user) return codeRefused();
    await endAllSessions(tx, user.id);
    return ok(await issueTicket(ctx, tx, user.id, returnTo.value));
  });
}
