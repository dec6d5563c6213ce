import 'server-only';
import type { UserDetail } from '../../contract/session';
import type { User } from './find-session';
import { hasPresetEnded } from './preset';

/** A user as the wire shows one. A preset password that has ended counts as none: it lets nobody in. */
export function userDetail(user: User, now: Date): UserDetail {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    address: user.address,
    country: user.country,
    hasPassword: user.passwordHash !== null && !hasPresetEnded(user, now),
    mustChangePassword: user.mustChangePassword,
    ...(user.presetEndsAt ? { presetEndsAt: user.presetEndsAt.toISOString() } : {}),
    createdAt: user.createdAt.toISOString(),
  };
}
