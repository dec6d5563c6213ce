import { readCookie, removeCookie } from '../lib/utils/cookies';
import type { UserInfo } from './session-machine';

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
