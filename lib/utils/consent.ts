import { limits } from '../catalog/limits';
import { readStored, removeStored, writeStored } from './browser-storage';
import { readCookie, removeCookie, writeCookie } from './cookies';
import { randomId } from './random-id';
import { visit } from './visit';

/** Local storage key of the agreement (specification section 3). */
const KEY = 'isAgreeCookie';
const listeners = new Set<(agreed: boolean) => void>();

/** True once the visitor has agreed, on this browser. */
export function hasAgreed(): boolean {
  return readStored(KEY) === 'true';
}

/** Remembers the agreement and stores what it allows: `uuid` and, if one came with the address, `channel`. */
export function agree(): void {
  writeStored(KEY, 'true');
  keepAllowedValues();
  notify(true);
}

/** Takes the agreement back and deletes what it allowed. */
export function withdraw(): void {
  removeStored(KEY);
  removeStored('uuid');
  removeCookie('uuid');
  removeCookie('channel');
  notify(false);
}

/** Calls back on every change, here or in another tab; returns the way to stop. */
export function onConsentChange(callback: (agreed: boolean) => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === KEY) callback(hasAgreed());
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

function notify(agreed: boolean): void {
  for (const listener of listeners) listener(agreed);
}
