import 'server-only';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import { ownAddress } from '../config/origins';
import type { Context } from '../context';

/** Checks where a ticket should go: our own origins only, or signing in would hand the session to a stranger. */
export function returnAddress(ctx: Context, redirectUri: string): Outcome<URL> {
  const url = ownAddress(ctx.env, redirectUri);
  return url ? ok(url) : refuse('invalidRequest', 'This sign-in page can’t return to that address.');
}
