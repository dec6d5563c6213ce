import 'server-only';
import * as client from 'openid-client';
import { ok } from '../../../contract/result';
import { clientNetwork } from '../../base/client-network';
import { digest } from '../../base/ids';
import type { Outcome } from '../../base/refusal';
import { refuse } from '../../base/refusal';
import type { Context } from '../../context';
import { signInAttempts } from '../../db/schema';
import { consume } from '../../limits/consume';
import { limitTable } from '../../limits/table';
import { returnAddress } from '../return-address';
import { callbackAddress, providerOf } from './configuration';
import { logProvider } from './problems';

/** How long somebody may take at the provider, where an account may first have to be made. */
const ATTEMPT_LIFE_MS = 3_600_000;

/** What a browser wants: where the ticket goes, and whether a new account is to be made. `browser` is the value of its cookie. */
export type Beginning = { redirectUri: string; isNew: boolean; browser: string; client: string };

/**
 * Begins a sign-in: the provider's address with state, nonce and the challenge of a code verifier (RFC 7636), which are kept for the one
 * use they are for.
 */
export async function begin(ctx: Context, input: Beginning): Promise<Outcome<URL>> {
  const returnTo = returnAddress(ctx, input.redirectUri);
  if (!returnTo.ok) return returnTo;
  const allowed = await consume(ctx, limitTable.signInCaller, clientNetwork(input.client));
  if (!allowed.ok) return allowed;
  let provider: client.Configuration;
  try {
    provider = await providerOf(ctx);
  } catch (error) {
    logProvider('The sign-in provider does not answer.', error);
    return refuse('unavailable');
  }
  const [state, nonce, codeVerifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
  await ctx.db.insert(signInAttempts).values({
    stateHash: digest(state),
    browserHash: digest(input.browser),
    nonce,
    codeVerifier,
    returnTo: returnTo.value.href,
    expiresAt: new Date(ctx.now().getTime() + ATTEMPT_LIFE_MS),
  });
  return ok(
    client.buildAuthorizationUrl(provider, {
      redirect_uri: callbackAddress(ctx),
      response_type: 'code',
      scope: 'openid email',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(input.isNew && asksForNewAccounts(provider) ? { prompt: 'create' } : {}),
    }),
  );
}

/** Initiating User Registration via OpenID Connect 1.0, section 4.1: only who lists it knows it. */
function asksForNewAccounts(provider: client.Configuration): boolean {
  const { prompt_values_supported: prompts } = provider.serverMetadata();
  return Array.isArray(prompts) && prompts.includes('create');
}
