import 'server-only';
import { and, eq, gt } from 'drizzle-orm';
import type { CodeReset, SignedInReset } from '../../contract/requests/account';
import { ok } from '../../contract/result';
import { endAllSessions } from '../accounts/end-session';
import type { User } from '../accounts/find-session';
import { holdUser } from '../accounts/hold-user';
import { hashPassword, notNew, notTheCurrent, passwordMatches } from '../accounts/passwords';
import { hasPresetEnded, ownPassword, presetEnded } from '../accounts/preset';
import { clientNetwork } from '../base/client-network';
import { digest } from '../base/ids';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';
import type { Context } from '../context';
import type { Transaction } from '../db/database';
import { resetCodes, users } from '../db/schema';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import { writeMail } from '../mail/write-mail';
import { codeHash, codeRefused, countGuess, forgiveGuesses } from './check-code';

/** Sets a new password with the code from the mail. Every session of the user ends. */
export async function resetWithCode(ctx: Context, input: CodeReset, client: string): Promise<Outcome<null>> {
  const [found] = await ctx.db
    .select({ user: users, code: resetCodes })
    .from(users)
    .innerJoin(resetCodes, eq(resetCodes.userId, users.id))
    .where(and(eq(users.email, input.email), gt(resetCodes.expiresAt, ctx.now())));
  const guess = { email: input.email, use: 'reset', key: found?.code.codeHash ?? digest(input.email) } as const;
  const counted = await countGuess(ctx, guess, client);
  if (!counted.ok) return counted;
  if (!found || found.code.codeHash !== codeHash(found.user.id, input.code)) return codeRefused();
  await forgiveGuesses(ctx, input.email, 'reset');
  if (await isThePreset(found.user, input.newPassword)) return notNew();
  const passwordHash = await hashPassword(input.newPassword);
  return ctx.db.transaction(async (tx) => {
    if (!(await holdUser(tx, found.user))) return codeRefused();
    const used = await tx
      .delete(resetCodes)
      .where(and(eq(resetCodes.userId, found.user.id), eq(resetCodes.codeHash, found.code.codeHash)))
      .returning({ userId: resetCodes.userId });
    if (used.length === 0) return codeRefused();
    await replacePassword(ctx, tx, found.user, passwordHash);
    return ok(null);
  });
}

/** Changes the password of somebody who is signed in and knows the current one. Every session of the user ends. */
export async function resetSignedIn(
  ctx: Context,
  user: User,
  input: SignedInReset,
  client: string,
): Promise<Outcome<null>> {
  const allowed = await consume(ctx, limitTable.signInPair, `change:${user.id}:${clientNetwork(client)}`);
  if (!allowed.ok) return allowed;
  if (user.passwordHash === null) {
    return refuse(
      'invalidRequest',
      'Your account has no password yet. Please set one with a code sent to your e-mail address.',
    );
  }
  if (!(await passwordMatches(user.passwordHash, input.currentPassword))) return notTheCurrent();
  if (hasPresetEnded(user, ctx.now())) return presetEnded();
  if (input.newPassword === input.currentPassword) return notNew();
  const passwordHash = await hashPassword(input.newPassword);
  return ctx.db.transaction(async (tx) => {
    if (!(await holdUser(tx, user))) return notTheCurrent();
    await replacePassword(ctx, tx, user, passwordHash);
    return ok(null);
  });
}

/** True for the password that was mailed to a buyer, whose mail others may read later. */
async function isThePreset(user: User, password: string): Promise<boolean> {
  return user.mustChangePassword && user.passwordHash !== null && (await passwordMatches(user.passwordHash, password));
}

/** Sets the password of a user whose row is held. Codes that were mailed for the old one end with it. */
async function replacePassword(ctx: Context, tx: Transaction, user: User, passwordHash: string): Promise<void> {
  await tx
    .update(users)
    .set({ passwordHash, ...ownPassword })
    .where(eq(users.id, user.id));
  await tx.delete(resetCodes).where(eq(resetCodes.userId, user.id));
  await endAllSessions(tx, user.id);
  await writeMail(ctx, tx, {
    to: user.email,
    subject: 'Your password was changed',
    parts: [
      'The password of your account was changed, and you were signed out everywhere. You can sign in with the new one.',
      'If it wasn’t you, set a new password here right away:',
      { link: `${ctx.env.SITE_URL}/reset-password` },
    ],
  });
}
