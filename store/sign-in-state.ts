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

/** The state of the sign-in that was begun in this window and is waited for, or null. It is taken once. */
export function takeSignInState(): string | null {
  const [since = '', begun] = (readStored(KEY, 'sessionStorage') ?? '').split(' ');
  removeStored(KEY, 'sessionStorage');
  return begun && Date.now() - Number(since) <= LIFE_MS ? begun : null;
}

/**
 * True when what came back answers the sign-in that was begun here. Our own provider tells which sign-in its ticket is
 * of (`told`): one of another was put into the address by somebody else (RFC 6749, section 10.12). Another provider does
 * not tell; there the address has to bring what was begun with, and nothing where nothing was begun, as from the
 * vendor's own programs.
 */
export function isAskedFor(begun: string | null, inAddress: string | null, told?: string | null): boolean {
  return told === undefined ? begun === inAddress : begun !== null && begun === told;
}
