import type {
  AuthUrl,
  ConfirmRequest,
  Credentials,
  Registered,
  SessionCheck,
  SsoLogin,
  TicketReturn,
} from '../lib/contract/account';
import { type CallOptions, get, post } from './http';

/** GET /sso/auth/url: the sign-in provider's address. */
export const authUrl = () => get<AuthUrl>('/sso/auth/url');

/** GET /sso/login: exchanges a ticket, which works once, for a token. */
export const loginWithTicket = (ticket: string) => get<SsoLogin>('/sso/login', { ticket }, { quietSession: true });

/** GET /sso/check: who the stored token belongs to; `authorization` checks another token than the stored one. */
export function checkSession(authorization?: string) {
  const options: CallOptions = { quietSession: true };
  if (authorization) options.headers = { authorization };
  return get<SessionCheck>('/sso/check', undefined, options);
}

/** GET /sso/logout: ends the session on the server. */
export const logout = () => get<null>('/sso/logout', undefined, { quietSession: true });

/** POST /sso/password: signs in at the embedded provider; the answer holds the return address with its ticket. */
export const passwordLogin = (credentials: Credentials) => post<TicketReturn>('/sso/password', credentials);

/** POST /sso/register: asks for an account; a code is mailed to the address. Another API may answer nothing. */
export const register = (credentials: Credentials) => post<Registered | null>('/sso/register', credentials);

/** POST /sso/confirm: proves the address with the mailed code of the registration that was begun here. */
export const confirm = (request: ConfirmRequest) => post<TicketReturn>('/sso/confirm', request);

/** POST /sso/code: mails a code for setting a new password. */
export const sendResetCode = (email: string) => post<null>('/sso/code', { email });
