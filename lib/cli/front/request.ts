import { randomFillSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asRequestId, REQUEST_ID_HEADER } from '../../server/base/trace';
import { isLoopbackAddress, type Proxies } from '../../server/config/proxies';

/** Headers by which proxies say that they pass on somebody else's request. */
const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

const address = /^[0-9a-fA-F:.]{2,45}$/;

/**
 * The client's address: the socket's, or what the trusted proxies in front say, which is the last entry that is not
 * one of theirs.
 */
export function clientAddress(request: IncomingMessage, proxies: Proxies): string {
  const direct = request.socket.remoteAddress ?? 'unknown';
  if (!proxies.trust(direct)) return direct;
  const entries = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => address.test(entry));
  if (proxies.isAnyone) return entries.at(-1) ?? direct;
  return entries.findLast((entry) => !proxies.trust(entry)) ?? entries[0] ?? direct;
}

/**
 * True when a program on this computer asks, and asks for itself: by the socket's address, and by the client's where a
 * trusted proxy passes it on. A header can only take this away.
 */
export function isFromThisComputer(request: IncomingMessage, proxies: Proxies): boolean {
  const direct = request.socket.remoteAddress;
  if (!direct || !isLoopbackAddress(direct)) return false;
  if (!forwarding.some((name) => request.headers[name] !== undefined)) return true;
  return proxies.trust(direct) && isLoopbackAddress(clientAddress(request, proxies));
}

/**
 * True for a request that names more than one host (RFC 9112, section 3.2: to be answered 400). Node keeps the first of
 * them, a proxy in front may go by the last.
 */
export function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Random bytes for ids, asked of the system for many at a time. */
const ID_BYTES = 12;
const pool = Buffer.alloc(ID_BYTES * 256);
let used = pool.length;

function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.toString('base64url', used - ID_BYTES, used);
}

/** The id of a request: a trusted proxy's own, so that both logs agree, else a new one (96 random bits). */
export function requestIdOf(request: IncomingMessage, proxies: Proxies): string {
  if (proxies.isNobody) return newId();
  const sent = proxies.trust(request.socket.remoteAddress ?? '') ? request.headers[REQUEST_ID_HEADER] : undefined;
  return asRequestId(sent) ?? newId();
}

/** The policy of an answer that is no page: nothing in it may run, load or be framed (CSP Level 3). */
const CLOSED_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const always: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  // The origin alone: a ticket of the address must not be repeated to every file that the page loads.
  'referrer-policy': 'strict-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin',
  // Nobody else's page may load an answer into itself (Fetch standard); what is meant for other sites says so where it is sent.
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': CLOSED_POLICY,
};
const alwaysByHttps = { ...always, 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** What means something to a document alone (HTML, "cross-origin opener policies"; Permissions Policy), and is left out of files that are none. */
const forDocuments = ['permissions-policy', 'cross-origin-opener-policy'] as const;

const withoutThose = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !forDocuments.some((other) => other === name)));
const part = withoutThose(always);
const partByHttps = withoutThose(alwaysByHttps);

/** True of a file that no browser shows as a document of its own: each page loads some twenty of them. */
function isPart(path: string): boolean {
  return path.startsWith('/_next/static/') && /\.(js|css|woff2)$/.test(path);
}

/** Headers that every answer carries; a page brings its own policy in place of the closed one. */
export function everyHeader(isHttps: boolean): Readonly<Record<string, string>> {
  return isHttps ? alwaysByHttps : always;
}

/** Those of a script, a sheet or a face. */
export function headersOfPart(isHttps: boolean): Readonly<Record<string, string>> {
  return isHttps ? partByHttps : part;
}

/** Sets {@link everyHeader}, or of a part of a page what matters to it. */
export function setSecurityHeaders(response: ServerResponse, isHttps: boolean, path: string | null = null): void {
  const headers = path !== null && isPart(path) ? headersOfPart(isHttps) : everyHeader(isHttps);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
