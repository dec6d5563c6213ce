import { limits } from '../lib/catalog/limits';
import type { UserDetail } from '../lib/contract/session';
import { writeCookie } from '../lib/utils/cookies';
import { sessionStep, useAppState, userInfo } from './app-state';
import type { UserInfo } from './session-machine';

/** Browsers drop a cookie over 4,096 bytes; name and attributes take a part of that. */
const MAX_ENCODED = 3800;

/** Keeps the token and the user for 90 days (lib/contract/README.md, 30 and 31). */
function keepUser(user: UserInfo): void {
  writeCookie('Authorization', user.Authorization, limits.generalCookieDays);
  const whole = JSON.stringify(user);
  const fits = encodeURIComponent(whole).length <= MAX_ENCODED;
  writeCookie('userInfo', fits ? whole : JSON.stringify({ ...user, address: '' }), limits.generalCookieDays);
}

/** Keeps who is signed in, in state and cookies; `type` is how that became known. */
export function signInHere(
  Authorization: string,
  detail: UserDetail,
  type: 'signIn' | 'confirm' | 'change' = 'signIn',
): void {
  const user = { ...detail, Authorization };
  sessionStep({ type, user });
  // The cookies follow the state: what came too late to count is not kept either.
  if (userInfo(useAppState.getState()) === user) keepUser(user);
}
