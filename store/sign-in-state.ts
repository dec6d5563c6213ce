import { readStored, removeStored, writeStored } from '../lib/utils/browser-storage';
import { randomId } from '../lib/utils/random-id';

const KEY = 'signInState';
/** A sign-in that was begun longer ago than this is not waited for any more. */
const LIFE_MS = 3_600_000;

/** Begins a sign-in here: the provider's return address carries this value, which nobody else knows (RFC 6749, section 10.12). */
export function newSignInState(): string {
  const state = randomId();
  writeStored(KEY, `${Date.now()} ${state}`, 'sessionStorage');
  return state;
}

/**
 * True unless a sign-in was begun in this window and what came back is not its answer. One that did not begin here, as
 * from the vendor's own programs, has no state to be checked against.
 */
export function isAskedFor(state: string | null): boolean {
  const [since = '', begun] = (readStored(KEY, 'sessionStorage') ?? '').split(' ');
  removeStored(KEY, 'sessionStorage');
  return !begun || Date.now() - Number(since) > LIFE_MS || begun === state;
}
