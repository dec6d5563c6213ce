import 'server-only';
import { eq } from 'drizzle-orm';
import type { ProfileUpdate } from '../../contract/requests/account';
import { ok } from '../../contract/result';
import type { UserDetail } from '../../contract/session';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';
import type { Context } from '../context';
import { users } from '../db/schema';
import { userDetail } from './user-detail';

/** Replaces a user's profile. */
export async function saveProfile(ctx: Context, userId: string, profile: ProfileUpdate): Promise<Outcome<UserDetail>> {
  const [saved] = await ctx.db.update(users).set(profile).where(eq(users.id, userId)).returning();
  return saved ? ok(userDetail(ctx, saved)) : refuse('sessionInvalid');
}
