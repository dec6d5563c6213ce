import { nothingSchema } from '../lib/contract/fields';
import type { ConfirmRequest, Credentials } from '../lib/contract/requests/sign-in';
import { registeredSchema, ticketReturnSchema } from '../lib/contract/sign-in';
import { post } from './http';

/** POST /sso/password: signs in at the embedded provider; the answer holds the return address with its ticket. */
export const passwordLogin = (credentials: Credentials) => post('/sso/password', ticketReturnSchema, credentials);

/** POST /sso/register: asks for an account; a code is mailed to the address. Another API may answer nothing. */
export const register = (credentials: Credentials) => post('/sso/register', registeredSchema, credentials);

/** POST /sso/confirm: proves the address with the mailed code of the registration that was begun here. */
export const confirm = (request: ConfirmRequest) => post('/sso/confirm', ticketReturnSchema, request);

/** POST /sso/code: mails a code for setting a new password. */
export const sendResetCode = (email: string) => post('/sso/code', nothingSchema, { email });
