import 'server-only';
import type { Env } from '../config/env';
import { isLoopback, ownOrigins } from '../config/origins';
import type { ApiRequest } from './api-request';
import { isFromThisComputer } from './client';

/** `host[:port]` that the client asked for. */
function requestHost(request: ApiRequest): string {
  return request.headers.get('host') ?? new URL(request.url).host;
}

/** The origin under which the client reached us, if it is one of ours; otherwise SITE_URL's. Never an attacker's Host. */
export function requestOrigin(env: Env, request: ApiRequest): string {
  return originFor(env, requestHost(request));
}

/** The same for the `host[:port]` of a Host header. */
export function originFor(env: Env, host: string): string {
  const site = new URL(env.SITE_URL);
  const asked = `${site.protocol}//${host}`;
  return URL.canParse(asked) && ownOrigins(env).has(new URL(asked).origin) ? new URL(asked).origin : site.origin;
}

/**
 * True for what a page of somebody else has a browser send (Fetch Metadata, Sec-Fetch-Site): a form or a text that needs
 * no preflight would write to the support, ask for mails and make orders in the name of whoever looks at that page.
 * Programs and our own pages send no such header, or another one.
 */
export function isFromForeignPage(env: Env, request: ApiRequest): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== 'cross-site' && site !== 'same-site') return false;
  return !ownOrigins(env).has(request.headers.get('origin') ?? '');
}

/**
 * Sandbox payment and outbox serve this computer only, unless ALLOW_SANDBOX_PAYMENTS says otherwise: the site, the host
 * asked for (a page elsewhere may have its name point here) and the peer must all be this computer.
 */
export function mayServeSandbox(env: Env, request: ApiRequest): boolean {
  if (env.ALLOW_SANDBOX_PAYMENTS) return true;
  return isLoopback(new URL(env.SITE_URL).hostname) && isLoopback(requestHost(request)) && isFromThisComputer(request);
}
