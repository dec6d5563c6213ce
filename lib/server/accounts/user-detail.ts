import 'server-only';
import type { UserDetail } from '../../contract/session';
import { keepsPasswords } from '../config/sign-in';
import type { Context } from '../context';
import type { User } from './find-session';
import { hasPresetEnded } from './preset';

/**
 * A user as the wire shows one. A preset password that has ended counts as none, since it lets nobody in; so does every password where
 * people sign in elsewhere.
 */
export function userDetail(ctx: Context, user: User): UserDetail {
  const detail = {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    address: user.address,
    country: user.country,
    createdAt: user.createdAt.toISOString(),
  };
  if (!keepsPasswords(ctx.env)) return { ...detail, hasPassword: false, signsInElsewhere: true };
  return {
    ...detail,
    hasPassword: user.passwordHash !== null && !hasPresetEnded(user, ctx.now()),
    mustChangePassword: user.mustChangePassword,
    ...(user.presetEndsAt ? { presetEndsAt: user.presetEndsAt.toISOString() } : {}),
  };
}
