import * as z from 'zod/mini';
import { codeField, emailField, newPasswordField, passwordField, redirectField } from './fields';

/** Query of `GET /sso/login`. */
export const ticketQuerySchema = z.object({ ticket: z.string().check(z.minLength(1), z.maxLength(200)) });

/** Payload of `POST /sso/password`; `redirectUri` is where the ticket goes, our own origins only. */
export const passwordSignInSchema = z.object({
  email: emailField,
  password: passwordField,
  redirectUri: redirectField,
});

/** Payload of `POST /sso/register`. */
export const registerSchema = z.object({ email: emailField, password: newPasswordField, redirectUri: redirectField });
export type Credentials = z.infer<typeof registerSchema>;

/** Payload of `POST /sso/confirm`; without `registrationId` the newest registration of the address is meant. */
export const confirmSchema = z.object({
  email: emailField,
  code: codeField,
  redirectUri: redirectField,
  registrationId: z.optional(z.string().check(z.maxLength(64))),
});
export type ConfirmRequest = z.infer<typeof confirmSchema>;

/** Payload of `POST /sso/code`. */
export const resetCodeSchema = z.object({ email: emailField });

/** Query of `GET /sso/provider/start`; what else the address carries is the page's own. */
export const providerStartSchema = z.object({
  redirect_uri: z._default(redirectField, ''),
  intent: z.optional(z.string().check(z.maxLength(20))),
});
