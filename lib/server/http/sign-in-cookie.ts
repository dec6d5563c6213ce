import 'server-only';
import type { Context } from '../context';
import type { ApiRequest } from './api-request';

/** Binds a provider's answer to the browser that began the sign-in (RFC 6749, section 10.12); nothing else is kept under it. */
const COOKIE = 'sso';
const LIFE_SECONDS = 3600;
const shape = /^[\w-]{43}$/;

/** The value that this browser began with, or null. */
export function browserOf(request: ApiRequest): string | null {
  const cookies = (request.headers.get('cookie') ?? '').split(/;\s*/);
  const value = cookies.find((cookie) => cookie.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? '';
  return shape.test(value) ? value : null;
}

/** Leads a browser on. `browser` is kept in its cookie. */
export function leadTo(ctx: Context, location: string, browser?: string): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  if (browser !== undefined) {
    const secure = ctx.env.SITE_URL.startsWith('https:') ? '; Secure' : '';
    headers.set(
      'set-cookie',
      `${COOKIE}=${browser}; Path=/api/v1/sso; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
    );
  }
  return new Response(null, { status: 303, headers });
}

/** The sign-in page, with the way back, and what went wrong where something did. */
export function signInPage(ctx: Context, returnTo: string | null, problem?: string): string {
  const page = new URL('/login', ctx.env.SITE_URL);
  if (problem) page.searchParams.set('problem', problem);
  if (returnTo) page.searchParams.set('redirect_uri', returnTo);
  return page.href;
}
