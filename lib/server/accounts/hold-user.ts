import 'server-only';
import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../db/database';
import { users } from '../db/schema';
import type { User } from './find-session';

/**
 * Holds a user's row until the transaction ends; false when the account is gone or its password is no longer the one
 * that was compared. What was shown to know a password may be acted on only after this: of several that knew the old
 * one at once, one goes through. `share` lets others hold it too, as long as nobody changes it.
 */
export async function holdUser(
  tx: Transaction,
  { id, passwordHash }: Pick<User, 'id' | 'passwordHash'>,
  strength: 'no key update' | 'share' = 'no key update',
): Promise<boolean> {
  const isUnchanged = sql`${users.passwordHash} is not distinct from ${passwordHash}`;
  const held = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isUnchanged))
    .for(strength);
  return held.length > 0;
}
