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
 * True for what a page of somebody else has a browser send: a form or a text that needs no preflight would write to the
 * support, ask for mails and make orders in the name of whoever looks at that page. Browsers say by Sec-Fetch-Site whose
 * page it was (Fetch Metadata), and where they leave that out, on plain HTTP and before 2023, by Origin (Fetch standard,
 * "Origin header"). Programs send neither.
 */
export function isFromForeignPage(env: Env, request: ApiRequest): boolean {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  if (site !== null ? site !== 'cross-site' && site !== 'same-site' : origin === null) return false;
  if (ownOrigins(env).has(origin ?? '')) return false;
  // Under an address that nobody configured, such as one of the local network, a page is ours if it came from there.
  return site !== null || !URL.canParse(origin ?? '') || new URL(origin ?? '').host !== requestHost(request);
}

/**
 * Sandbox payment and outbox serve this computer only, unless ALLOW_SANDBOX_PAYMENTS says otherwise: the site, the host
 * asked for (a page elsewhere may have its name point here) and the peer must all be this computer.
 */
export function mayServeSandbox(env: Env, request: ApiRequest): boolean {
  if (env.ALLOW_SANDBOX_PAYMENTS) return true;
  return isLoopback(new URL(env.SITE_URL).hostname) && isLoopback(requestHost(request)) && isFromThisComputer(request);
}
