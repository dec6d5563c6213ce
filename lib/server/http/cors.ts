import 'server-only';
import { header } from '../../contract/headers';
import type { Env } from '../config/env';
import { ownOrigins } from '../config/origins';
import type { ApiRequest } from './api-request';

/** Of a resumable upload (tus 1.0). */
const resumable = ['tus-resumable', 'upload-offset', 'upload-length'];
const allowHeaders = ['content-type', 'range', 'upload-ticket', ...resumable, ...Object.values(header)].join(', ');

/** Headers that let an allowed origin read the answer (Fetch standard, "CORS protocol"); none for any other. */
export function corsHeaders(env: Env, origin: string | null | undefined): Record<string, string> {
  if (!origin || !ownOrigins(env).has(origin)) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': ['content-disposition', 'content-range', 'retry-after', ...resumable].join(', '),
  };
}

/** The answer to a preflight for an address that takes `methods`. */
export function preflight(env: Env, request: ApiRequest, methods: string): Response {
  const headers = new Headers({
    ...corsHeaders(env, request.headers.get('origin')),
    allow: methods,
    'cache-control': 'no-store',
  });
  if (headers.has('access-control-allow-origin')) {
    headers.set('access-control-allow-methods', methods);
    headers.set('access-control-allow-headers', allowHeaders);
    headers.set('access-control-max-age', '600');
  }
  return new Response(null, { status: 204, headers });
}
