import 'server-only';
import * as client from 'openid-client';
import type { Context } from '../../context';

/** A provider that says nothing for so long is not there. */
const WAIT_SECONDS = 8;
/** How far its clock and ours may differ. */
export const TOLERANCE_SECONDS = 60;
/** For so long its description is not asked for again. */
const FRESH_MS = 5 * 60_000;

/** `clockAhead`: seconds by which its clock was ahead of ours, as its answer's `Date` told; null where it told nothing. */
type Known = { at: number; metadata: client.ServerMetadata; clockAhead: number | null };
const known = new Map<string, Known>();

/** Our address at which the provider's answers arrive; registered there. */
export function callbackAddress(ctx: Pick<Context, 'env'>): string {
  return `${ctx.env.SITE_URL}/api/v1/sso/provider/callback`;
}

/**
 * The provider as it describes itself (OpenID Connect Discovery 1.0). Its keys are asked for at each sign-in, so that a key that was
 * replaced a moment ago is no reason to turn anybody away. Throws when it does not answer.
 */
export async function providerOf(ctx: Context): Promise<client.Configuration> {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET: secret = '' } = ctx.env;
  const remembered = known.get(issuer);
  const isFresh = remembered !== undefined && ctx.now().getTime() - remembered.at < FRESH_MS;
  const { metadata } = isFresh ? remembered : await discover(ctx, issuer, clientId, secret);
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = methods.includes('client_secret_basic')
    ? client.ClientSecretBasic(secret)
    : client.ClientSecretPost(secret);
  const configuration = new client.Configuration(metadata, clientId, clientMetadata(ctx), authentication);
  configuration[client.customFetch] = fetchOf(ctx);
  configuration.timeout = WAIT_SECONDS;
  // What it says of a person is believed by its signature too, not by the connection alone.
  client.enableNonRepudiationChecks(configuration);
  if (issuer.startsWith('http:')) client.allowInsecureRequests(configuration);
  return configuration;
}

/** Forgets what it said of itself, after it contradicted that. */
export function forgetProvider(ctx: Context): void {
  known.delete(ctx.env.OIDC_ISSUER ?? '');
}

/** Asks for its description anew: by how many seconds its clock is ahead of ours. */
export async function clockOf(ctx: Context): Promise<number | null> {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET: secret = '' } = ctx.env;
  return (await discover(ctx, issuer, clientId, secret)).clockAhead;
}

async function discover(ctx: Context, issuer: string, clientId: string, secret: string): Promise<Known> {
  let date: string | null = null;
  const listening: client.CustomFetch = async (address, options) => {
    const response = await fetchOf(ctx)(address, options);
    date = response.headers.get('date');
    return response;
  };
  const found = await client.discovery(
    new URL(issuer),
    clientId,
    clientMetadata(ctx),
    client.ClientSecretBasic(secret),
    {
      timeout: WAIT_SECONDS,
      execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
      [client.customFetch]: listening,
    },
  );
  const now = ctx.now().getTime();
  const told = Date.parse(date ?? '');
  const clockAhead = Number.isNaN(told) ? null : Math.round((told - now) / 1000);
  const answer = { at: now, metadata: found.serverMetadata(), clockAhead };
  known.set(issuer, answer);
  return answer;
}

/** The clock is the context's, which a test moves. */
function clientMetadata(ctx: Context): Partial<client.ClientMetadata> {
  return {
    [client.clockSkew]: Math.round((ctx.now().getTime() - Date.now()) / 1000),
    [client.clockTolerance]: TOLERANCE_SECONDS,
  };
}

function fetchOf(ctx: Context): client.CustomFetch {
  return (address, options) => ctx.fetch(address, options as RequestInit);
}
