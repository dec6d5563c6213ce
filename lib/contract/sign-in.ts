import * as z from 'zod/mini';
import { orNull, webAddressSchema } from './fields';

/** `obj` of `POST /sso/password` and `POST /sso/confirm`: the return address with the ticket in its query. */
export const ticketReturnSchema = z.object({ url: webAddressSchema });
export type TicketReturn = z.infer<typeof ticketReturnSchema>;

/**
 * `obj` of `POST /sso/register`: sent back with the code, so that a code asked for by somebody else can't stand in for
 * it. Null, or no id, where another API does not tell registrations of one address apart.
 */
export const registeredSchema = orNull(z.object({ registrationId: z.optional(z.string()) }));
export type Registered = z.infer<typeof registeredSchema>;

/** Why a sign-in at an OpenID Connect provider did not come about, in the `problem` of the query of `/login`. */
export type SignInProblem = 'unavailable' | 'declined' | 'unverified' | 'expired' | 'failed' | 'busy';
