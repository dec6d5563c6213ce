import 'server-only';
import type { Env } from '../config/env';
import type { Context } from '../context';

/**
 * The port behind which people sign in. Whoever they are said to be comes back with a ticket (`tickets.ts`), whose rules are the same
 * behind every adapter.
 */
export type SignInProvider = {
  name: 'embedded' | 'openid-connect';
  /** What the start says of it. */
  describe(env: Env): string;
  /** Where a browser that is at `origin` goes to sign in; the client adds `redirect_uri`, to which the ticket goes. */
  address(env: Env, origin: string): string;
  /** Asks it once, at the start. Throws a `StartError` when it can never work so; a sentence when it does not work just now. */
  check(ctx: Context): Promise<string | null>;
};
