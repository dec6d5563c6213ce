import { readStored, removeStored, writeStored } from '../lib/utils/browser-storage';

const KEY = 'awaitedCode';
/** A code is good for ten minutes (lib/server/sso/check-code.ts); a page that asks for it any longer would ask in vain. */
const LIFE_MS = 10 * 60_000;

/** What a mailed code is for. */
type Use = 'registration' | 'reset';

/** Where a code was sent, and for which registration. */
export type AwaitedCode = { email: string; registrationId: string | undefined };

/**
 * Remembers in this window that somebody was mailed a code: who leaves for the mail on a phone may find the page loaded anew, and
 * could not enter it any more. No password is kept.
 */
export function awaitCode(use: Use, { email, registrationId }: AwaitedCode): void {
  writeStored(KEY, JSON.stringify([Date.now(), use, email, registrationId]), 'sessionStorage');
}

/** Where the code was sent that this window waits for, or null. */
export function awaitedCode(use: Use): AwaitedCode | null {
  try {
    const [since, kept, email, registrationId] = JSON.parse(readStored(KEY, 'sessionStorage') ?? '[]') as unknown[];
    if (!(Date.now() - Number(since) <= LIFE_MS)) forgetAwaitedCode();
    else if (kept === use && typeof email === 'string') {
      return { email, registrationId: typeof registrationId === 'string' ? registrationId : undefined };
    }
  } catch {
    // Not what was written here: nothing is waited for.
  }
  return null;
}

/** The code was entered, or is not waited for any more. */
export function forgetAwaitedCode(): void {
  removeStored(KEY, 'sessionStorage');
}
