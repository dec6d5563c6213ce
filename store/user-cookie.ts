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
  try {
    const value = JSON.parse(readCookie('userInfo') ?? '') as Partial<UserInfo> | null;
    return typeof value?.id === 'string' && typeof value.email === 'string' ? (value as UserInfo) : null;
  } catch {
    return null;
  }
}
