import 'server-only';
import type { Env } from './env';

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

/**
 * The address, parsed, when it is an absolute web address on one of our own origins; otherwise null. The origin alone
 * does not tell: a `blob:` address has that of the address within it (URL Standard, section 4.7).
 */
export function ownAddress(env: Env, address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return ownOrigins(env).has(url.origin) && url.username === '' && url.password === '' ? url : null;
}
