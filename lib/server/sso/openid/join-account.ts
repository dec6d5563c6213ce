import 'server-only';
import { and, eq } from 'drizzle-orm';
import { endAllSessions } from '../../accounts/end-session';
import type { Context } from '../../context';
import type { Transaction } from '../../db/database';
import { identities, users } from '../../db/schema';

/** Who somebody is at a provider; `email` is null unless the provider says that it is theirs. */
export type Proven = { issuer: string; subject: string; email: string | null };

/**
 * The account of somebody whom the provider knows. The first time it is found, or made, by the address, which alone shows whose it is;
 * from then on by what never changes at the provider. Null: not known yet, and without an address that was verified.
 */
export async function joinAccount(ctx: Context, tx: Transaction, proven: Proven): Promise<string | null> {
  const known = await linkedTo(tx, proven);
  if (known || proven.email === null) return known;
  await tx
    .insert(users)
    .values({ id: ctx.ids.row(), email: proven.email, passwordHash: null, createdAt: ctx.now() })
    .onConflictDoNothing({ target: users.email });
  const [user] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, proven.email))
    .for('no key update');
  if (!user) return null;
  // Two answers for one person at once: the second waited for the account's row, and finds the first one's link.
  if (await linkedTo(tx, proven)) return user.id;
  const { issuer, subject } = proven;
  const earlier = await tx
    .delete(identities)
    .where(and(eq(identities.userId, user.id), eq(identities.issuer, issuer)))
    .returning({ subject: identities.subject });
  // The address was given to somebody else there: who proves it now has the account, and whoever did before has not.
  if (earlier.length > 0) await endAllSessions(tx, user.id);
  await tx.insert(identities).values({ issuer, subject, userId: user.id, linkedAt: ctx.now() });
  return user.id;
}

async function linkedTo(tx: Transaction, { issuer, subject }: Proven): Promise<string | null> {
  const [row] = await tx
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return row?.userId ?? null;
}
