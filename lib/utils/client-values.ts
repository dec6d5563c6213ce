import { limits, locale, phoneOs } from '../catalog/limits';
import { type Website, websites } from '../catalog/types';
import { readStored, writeStored } from './browser-storage';
import { readCookie, writeCookie } from './cookies';
import { visit } from './visit';

/** The `phone_os` value of this device: 3 on a Mac, 2 on everything else (lib/contract/README.md, 9). */
export function devicePhoneOs(): string {
  const agent = navigator.userAgent;
  // An iPad with a desktop user agent calls itself a Macintosh but runs no .dmg.
  const isMac = /Macintosh/.test(agent) && !/iPhone|iPad/.test(agent) && navigator.maxTouchPoints < 2;
  return isMac ? phoneOs.mac : phoneOs.windowsAndOther;
}

/** The stored `website` brand, `recovery` unless a page stored another one. */
export function storedWebsite(): Website {
  const stored = readStored('website');
  return websites.find((website) => website === stored) ?? 'recovery';
}

/** Stores what the service itself needs, whatever the visitor answered to the banner (lib/contract/README.md, 34). */
export function storeServiceValues(website: Website): void {
  writeStored('website', website);
  writeStored('phone_os', devicePhoneOs());
  writeCookie('lang', 'en', limits.generalCookieDays);
  writeCookie('locale', locale, limits.localeCookieDays);
}

/** The kept uuid, present only after Agree. */
export function storedUuid(): string | undefined {
  return readStored('uuid') ?? readCookie('uuid');
}

/** Random per page load until Agree, then the kept uuid (lib/contract/README.md, 35). */
export function trackId(): string {
  return storedUuid() ?? visit().trackId;
}

/** The marketing channel of this visit, or the kept one. */
export function channel(): string | undefined {
  return visit().channel ?? readCookie('channel');
}
