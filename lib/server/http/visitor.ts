import 'server-only';
import { digest } from '../base/ids';
import type { Context } from '../context';
import type { ApiRequest } from './api-request';

/** Names who repairs files for a day, so that nobody's many repairs stand before somebody else's; nothing else is kept under it. */
const COOKIE = 'visitor';
const LIFE_SECONDS = 24 * 3600;
const shape = /^[\w-]{43}$/;

/** The visitor whom the request's cookie names, hashed as it is stored; null without a cookie that we could have set. */
export function visitorOf(request: ApiRequest): string | null {
  const cookies = (request.headers.get('cookie') ?? '').split(/;\s*/);
  const value = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
  return shape.test(value) ? digest(value) : null;
}

/** Gives the answer a cookie for whoever came without one. */
export function nameVisitor(ctx: Context, request: ApiRequest, response: Response): Response {
  if (visitorOf(request)) return response;
  const parts = [
    `${COOKIE}=${ctx.ids.secret()}`,
    'Path=/api/v1',
    `Max-Age=${LIFE_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(ctx.env.SITE_URL.startsWith('https:') ? ['Secure'] : []),
  ];
  response.headers.append('set-cookie', parts.join('; '));
  return response;
}
