import { limits } from '../catalog/limits';
import { readStored, removeStored, writeStored } from './browser-storage';
import { readCookie, writeCookie } from './cookies';
import { randomId } from './random-id';
import { visit } from './visit';

/** Local storage key of the agreement (lib/contract/README.md, 32). */
export const KEY = 'isAgreeCookie';
/** Local storage key of the folded banner; it says nothing but that. */
export const FOLDED = 'cookiesFolded';
const listeners = new Set<(agreed: boolean) => void>();

/** True once the visitor has agreed, on this browser. */
export function hasAgreed(): boolean {
  return readStored(KEY) === 'true';
}

/** What was chosen where no storage remembers it: it holds for as long as the page stays, and nothing is stored or logged. */
let unkept: BannerState | null = null;

/** How the banner stands: away, as a small button, or whole. */
export type BannerState = 'agreed' | 'folded' | 'open';

/** The banner's state on this browser. */
export function bannerState(): BannerState {
  if (hasAgreed()) return 'agreed';
  return unkept ?? (readStored(FOLDED) ? 'folded' : 'open');
}

/** Folds the banner into its small button, or opens it again; everything else stays as before an agreement. */
export function foldBanner(folded: boolean): void {
  if (folded) writeStored(FOLDED, 'true');
  else removeStored(FOLDED);
  unkept = folded && !readStored(FOLDED) ? 'folded' : null;
  notify(hasAgreed());
}

/** Remembers the agreement and stores what it allows: `uuid` and, if one came with the address, `channel`. */
export function agree(): void {
  writeStored(KEY, 'true');
  unkept = hasAgreed() ? null : 'agreed';
  removeStored(FOLDED);
  keepAllowedValues();
  notify(true);
}

/** Calls back on every change, here or in another tab; returns the way to stop. */
export function onConsentChange(callback: (agreed: boolean) => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key !== KEY && event.key !== FOLDED) return;
    showState();
    callback(hasAgreed());
  };
  listeners.add(callback);
  window.addEventListener('storage', fromOtherTab);
  return () => {
    listeners.delete(callback);
    window.removeEventListener('storage', fromOtherTab);
  };
}

/** Stores what an agreement allows; also called at each load, so that a new `channel` query is kept. */
export function keepAllowedValues(): void {
  if (!hasAgreed()) return;
  const uuid = readStored('uuid') ?? readCookie('uuid') ?? randomId();
  writeStored('uuid', uuid);
  writeCookie('uuid', uuid, limits.generalCookieDays);
  const { channel } = visit();
  if (channel) writeCookie('channel', channel, limits.generalCookieDays);
}

/** The style sheet shows the banner by this attribute, which the inline script sets before the first paint, of what is stored alone. */
export function showState(): void {
  document.documentElement.dataset.cookies = bannerState();
}

/** Tells everybody who asked of a change. */
export function notify(agreed: boolean): void {
  showState();
  for (const listener of listeners) listener(agreed);
}
