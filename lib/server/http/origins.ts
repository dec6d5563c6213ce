import 'server-only';
import type { Env } from '../env';
import { isFromThisComputer } from './client';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for the spellings of this computer. `host` may carry a port. */
export function isLoopback(host: string): boolean {
  return loopbackHosts.has(host.toLowerCase().replace(/:\d+$/, ''));
}

/** Our own origins: SITE_URL's, its other loopback spellings when it is one, and ALLOWED_ORIGINS. */
export function ownOrigins(env: Env): Set<string> {
  const site = new URL(env.SITE_URL);
  const origins = new Set([site.origin, ...env.ALLOWED_ORIGINS]);
  if (isLoopback(site.hostname)) {
    for (const host of loopbackHosts) {
      const spelling = new URL(site.origin);
      spelling.hostname = host;
      origins.add(spelling.origin);
    }
  }
  return origins;
}

/** The address, parsed, when it is absolute and on one of our own origins; otherwise null. */
export function ownAddress(env: Env, address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return ownOrigins(env).has(url.origin) && url.username === '' && url.password === '' ? url : null;
}

/** `host[:port]` that the client asked for. */
export function requestHost(request: Request): string {
  return request.headers.get('host') ?? new URL(request.url).host;
}

/** The origin under which the client reached us, if it is one of ours; otherwise SITE_URL's. Never an attacker's Host. */
export function requestOrigin(env: Env, request: Request): string {
  const site = new URL(env.SITE_URL);
  const asked = `${site.protocol}//${requestHost(request)}`;
  return URL.canParse(asked) && ownOrigins(env).has(new URL(asked).origin) ? new URL(asked).origin : site.origin;
}

/**
 * Sandbox payment and outbox serve this computer only, unless ALLOW_SANDBOX_PAYMENTS says otherwise: the site, the host
 * asked for (a page elsewhere may have its name point here) and the peer must all be this computer.
 */
export function mayServeSandbox(env: Env, request: Request): boolean {
  if (env.ALLOW_SANDBOX_PAYMENTS) return true;
  return isLoopback(new URL(env.SITE_URL).hostname) && isLoopback(requestHost(request)) && isFromThisComputer(request);
}
