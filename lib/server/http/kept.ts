import 'server-only';
import { createHash } from 'node:crypto';
import { success } from '../../contract/answer';
import type { ApiRequest } from './api-request';

/** An answer that stays the same until something is written: its envelope, and the tag that changes with every byte of it. */
export type Kept = Readonly<{ bytes: Buffer; headers: Readonly<Record<string, string>>; etag: string }>;

/** Whoever keeps it has to ask each time whether it still holds; `no-store` is for what is one person's. */
type Caching = 'no-cache' | 'no-store';

/** Makes an answer out of the `obj` of its envelope. */
export function keep(obj: unknown, caching: Caching): Kept {
  const bytes = Buffer.from(JSON.stringify(success(obj)));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return {
    bytes,
    etag,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': caching, etag },
  };
}

/** True when the client has this answer already (RFC 9110, section 13.1.2: by a weak comparison, and `*` is any). */
export function isKnown(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch.split(',').some((tag) => {
    const known = tag.trim();
    return known === '*' || known.replace(/^W\//, '') === etag;
  });
}

/** Headers of 304: what a cache needs to know anew (RFC 9110, section 15.4.5). */
export function withoutContent({ 'cache-control': caching = '', etag = '' }: Kept['headers']): Record<string, string> {
  return { 'cache-control': caching, etag };
}

/** The answer, or 304 for a client that has it. */
export function keptResponse(request: ApiRequest, { bytes, headers, etag }: Kept): Response {
  const isAsking = request.method === 'GET' || request.method === 'HEAD';
  if (isAsking && isKnown(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: withoutContent(headers) });
  }
  return new Response(new Uint8Array(bytes), { status: 200, headers });
}
