import { limits } from '../lib/catalog/limits';
import { readCookie, removeCookie, writeCookie } from '../lib/utils/cookies';
import type { UserInfo } from './app-state';

/** Browsers drop a cookie over 4,096 bytes; name and attributes take a part of that. */
const MAX_ENCODED = 3800;

/** Keeps the token and the user for 90 days (specification sections 3 and 9). */
export function keepUser(user: UserInfo): void {
  writeCookie('Authorization', user.Authorization, limits.generalCookieDays);
  const whole = JSON.stringify(user);
  const fits = encodeURIComponent(whole).length <= MAX_ENCODED;
  writeCookie('userInfo', fits ? whole : JSON.stringify({ ...user, address: '' }), limits.generalCookieDays);
}

/** Forgets the token and the user. */
export function forgetUser(): void {
  removeCookie('Authorization');
  removeCookie('userInfo');
  removeCookie('token');
}

/** The kept user, for showing who is signed in while the check is under way; never trusted for more than that. */
export function keptUser(): UserInfo | null {
  const text = readCookie('userInfo');
  if (!text) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { id, email } = value as Record<string, unknown>;
    return typeof id === 'string' && typeof email === 'string' ? (value as UserInfo) : null;
  } catch {
    return null;
  }
}
