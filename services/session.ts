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
export function checkSession(authorization?: string) {
  const options: CallOptions = { quietSession: true };
  if (authorization) options.headers = { authorization };
  return get('/sso/check', sessionCheckSchema, undefined, options);
}

/** GET /sso/logout: ends the session on the server. */
export const logout = () => get('/sso/logout', nothingSchema, undefined, { quietSession: true });

/** GET /user/info. */
export const userInfo = (options?: CallOptions) => get('/user/info', userDetailSchema, undefined, options);
