import Cookies from 'js-cookie';
import { limits } from '../catalog/limits';

/** Cookies the site may set (lib/contract/README.md, 30). */
export type CookieName = 'Authorization' | 'userInfo' | 'token' | 'uuid' | 'channel' | 'lang' | 'locale';

/** Reads a cookie, or undefined. */
export function readCookie(name: CookieName): string | undefined {
  return Cookies.get(name);
}

/** Sets a cookie for the whole site; `days` is the helper's default (lib/contract/README.md, 9) unless told. */
export function writeCookie(name: CookieName, value: string, days: number = limits.helperCookieDays): void {
  Cookies.set(name, value, {
    path: '/',
    expires: days,
    sameSite: 'lax',
    secure: window.location.protocol === 'https:',
  });
}

/** Removes a cookie. */
export function removeCookie(name: CookieName): void {
  Cookies.remove(name, { path: '/' });
}
