import 'server-only';
import { and, eq } from 'drizzle-orm';
import * as client from 'openid-client';
import { isEmail } from '../../../contract/email';
import type { SignInProblem } from '../../../contract/sign-in';
import { digest } from '../../base/ids';
import { logSecurity } from '../../base/log';
import type { Context } from '../../context';
import { signInAttempts } from '../../db/schema';
import { issueTicket } from '../tickets';
import { callbackAddress, forgetProvider, providerOf, TOLERANCE_SECONDS } from './configuration';
import { joinAccount, type Proven } from './join-account';
import { logProvider, problemOf } from './problems';

/** How a sign-in ended: with the return address and its ticket, or with a problem; `returnTo` is null where nobody knows where it began. */
export type Ended = { url: string } | { problem: SignInProblem; returnTo: string | null };

type Attempt = typeof signInAttempts.$inferSelect;

/**
 * Takes the provider's answer (`query`, as it came) to a sign-in that the browser with this cookie began. Each answer is taken once,
 * whatever comes of it.
 */
export async function finish(ctx: Context, query: string, browser: string | null): Promise<Ended> {
  const state = new URLSearchParams(query).get('state') ?? '';
  const attempt = await take(ctx, state, browser);
  if (!attempt) {
    logSecurity('sign-in', 'refused', { reason: 'not begun here, or answered before' });
    return { problem: 'expired', returnTo: null };
  }
  const { returnTo } = attempt;
  const proven = await prove(ctx, new URL(`${callbackAddress(ctx)}?${query}`), state, attempt);
  if (typeof proven === 'string') {
    logSecurity('sign-in', 'failed', { reason: proven });
    return { problem: proven, returnTo };
  }
  return ctx.db.transaction(async (tx): Promise<Ended> => {
    const userId = await joinAccount(ctx, tx, proven);
    logSecurity('sign-in', userId ? 'done' : 'failed', { account: userId });
    if (!userId) return { problem: 'unverified', returnTo };
    return issueTicket(ctx, tx, userId, new URL(returnTo));
  });
}

async function take(ctx: Context, state: string, browser: string | null): Promise<Attempt | null> {
  if (browser === null || state === '') return null;
  const [attempt] = await ctx.db
    .delete(signInAttempts)
    .where(and(eq(signInAttempts.stateHash, digest(state)), eq(signInAttempts.browserHash, digest(browser))))
    .returning();
  return attempt && attempt.expiresAt > ctx.now() ? attempt : null;
}

/** Trades the code for what the provider says of the person, all of it checked; or what is wrong with it. */
async function prove(ctx: Context, answer: URL, state: string, attempt: Attempt): Promise<Proven | SignInProblem> {
  try {
    const provider = await providerOf(ctx);
    const tokens = await client.authorizationCodeGrant(provider, answer, {
      expectedState: state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || isFromTheFuture(ctx, claims.iat)) return 'failed';
    const isTold = typeof claims.email === 'string';
    const said = isTold ? claims : await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
    return { issuer: claims.iss, subject: claims.sub, email: verifiedAddress(said) };
  } catch (error) {
    logProvider('The sign-in provider’s answer was not taken.', error);
    forgetProvider(ctx);
    return problemOf(error);
  }
}

/** The library compares the end of a token's time with our clock, not its beginning. */
function isFromTheFuture(ctx: Context, issuedAt: number): boolean {
  return issuedAt * 1000 > ctx.now().getTime() + TOLERANCE_SECONDS * 1000;
}

/** OpenID Connect Core 1.0, section 5.1: the address counts where the provider made sure that it is the person's. */
function verifiedAddress({ email, email_verified: isVerified }: { [claim: string]: unknown }): string | null {
  if (typeof email !== 'string' || isVerified !== true) return null;
  const address = email.trim().toLowerCase();
  return isEmail(address) ? address : null;
}
