import 'server-only';
import { and, eq } from 'drizzle-orm';
import { countryCode } from '../../catalog/countries';
import type { ProfileUpdate } from '../../contract/requests/account';
import { ok } from '../../contract/result';
import type { UserDetail } from '../../contract/session';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';
import type { Context } from '../context';
import { users } from '../db/schema';
import { userDetail } from './user-detail';

/**
 * Replaces a user's profile. The country is one that the form offers, by its code or its English name, as it was given, or none; what was
 * stored before that was asked for stays as it is until another is chosen, so that nobody is kept from saving the rest.
 */
export async function saveProfile(ctx: Context, userId: string, profile: ProfileUpdate): Promise<Outcome<UserDetail>> {
  const { country } = profile;
  const isKnown = country === '' || countryCode(country) !== null;
  const self = eq(users.id, userId);
  const [saved] = await ctx.db
    .update(users)
    .set(profile)
    .where(isKnown ? self : and(self, eq(users.country, country)))
    .returning();
  if (saved) return ok(userDetail(ctx, saved));
  return isKnown ? refuse('sessionInvalid') : refuse('invalidRequest', 'Please choose a country from the list.');
}
