import 'server-only';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { UserDetail } from '../../contract/account';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { users } from '../db/schema';
import { profileField } from './fields';
import { userDetail } from './user-detail';

/** The four profile fields (specification section 2). */
export const profileSchema = z.object({
  firstName: profileField(100),
  lastName: profileField(100),
  address: profileField(500),
  country: profileField(100),
});

/** Replaces a user's profile. */
export async function saveProfile(
  ctx: Context,
  userId: string,
  profile: z.output<typeof profileSchema>,
): Promise<Outcome<UserDetail>> {
  const [saved] = await ctx.db.update(users).set(profile).where(eq(users.id, userId)).returning();
  return saved ? ok(userDetail(saved)) : refuse('sessionInvalid');
}
