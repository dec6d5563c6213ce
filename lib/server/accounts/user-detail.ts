import 'server-only';
import type { UserDetail } from '../../contract/session';
import type { User } from './find-session';

/** A user as the wire shows one. */
export function userDetail(user: User): UserDetail {
  return {
    id: user.id,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    address: user.address,
    country: user.country,
    hasPassword: user.passwordHash !== null,
    mustChangePassword: user.mustChangePassword,
    createdAt: user.createdAt.toISOString(),
  };
}
