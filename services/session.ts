import { nothingSchema } from '../lib/contract/fields';
import { authUrlSchema, sessionCheckSchema, ssoLoginSchema, userDetailSchema } from '../lib/contract/session';
import { type CallOptions, get } from './http';

/* The calls of the session check and of sign-in, together, so that a page that needs none of them loads none. */

/** GET /sso/auth/url: the sign-in provider's address. */
export const authUrl = () => get('/sso/auth/url', authUrlSchema);

/** GET /sso/login: exchanges a ticket, which works once, for a token. */
export const loginWithTicket = (ticket: string) =>
  get('/sso/login', ssoLoginSchema, { ticket }, { quietSession: true });

/** GET /sso/check: who the stored token belongs to; `authorization` checks another token than the stored one. */
export const checkSession = (authorization?: string) =>
  get('/sso/check', sessionCheckSchema, undefined, quiet(authorization));

/** GET /sso/logout: ends the session on the server; `authorization` that of another token than the stored one. */
export const logout = (authorization?: string) => get('/sso/logout', nothingSchema, undefined, quiet(authorization));

function quiet(authorization: string | undefined): CallOptions {
  return { quietSession: true, ...(authorization ? { headers: { authorization } } : {}) };
}

/** GET /user/info. */
export const userInfo = (options?: CallOptions) => get('/user/info', userDetailSchema, undefined, options);
