import type { IncomingMessage, ServerResponse } from 'node:http';

/** The client's address: the socket's, or what the trusted proxy in front says (its own entry is the last). */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const direct = request.socket.remoteAddress ?? 'unknown';
  if (!trustProxy) return direct;
  const forwarded = String(request.headers['x-forwarded-for'] ?? '');
  const last = forwarded.split(',').at(-1)?.trim();
  return last && /^[0-9a-fA-F:.]{2,45}$/.test(last) ? last : direct;
}

/** Headers that every answer carries. */
export function setSecurityHeaders(response: ServerResponse, isHttps: boolean): void {
  response.setHeader('x-content-type-options', 'nosniff');
  // The origin alone: a ticket of the address must not be repeated to every file that the page loads.
  response.setHeader('referrer-policy', 'strict-origin');
  response.setHeader('permissions-policy', 'camera=(), microphone=(), geolocation=(), browsing-topics=()');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  if (isHttps) response.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains');
}
