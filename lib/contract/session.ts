import * as z from 'zod/mini';
import { idSchema, ifFits, orElse, orNull, textSchema, webAddressSchema } from './fields';

/** `obj` of `GET /sso/auth/url`: the provider's sign-in address, to which the client adds `redirect_uri`. */
export const authUrlSchema = webAddressSchema;

/**
 * `obj` of `GET /sso/check`: an object where the token is alive, anything else where it is not. Another API may tell
 * nothing more than that: then `id` and `email` are missing.
 */
export const sessionCheckSchema = orNull(z.object({ id: z.optional(textSchema), email: z.optional(z.string()) }));
export type SessionCheck = z.infer<typeof sessionCheckSchema>;

/** `obj` of `GET /user/info`; `createdAt` is ISO 8601 in UTC. Certain are `id` and `email` (lib/contract/README.md, 47). */
export const userDetailSchema = z.object({
  id: idSchema,
  email: z.string().check(z.minLength(1)),
  firstName: orElse(z.string(), ''),
  lastName: orElse(z.string(), ''),
  address: orElse(z.string(), ''),
  country: orElse(z.string(), ''),
  /** Missing: there is a password, as nearly every account has one. */
  hasPassword: orElse(z.boolean(), true),
  /** True while the password is the preset one that was mailed to a new buyer. Missing: it is the user's own. */
  mustChangePassword: z.optional(z.boolean()),
  /** When that preset password ends, ISO 8601 in UTC; `hasPassword` is false from then on. */
  presetEndsAt: z.optional(z.string()),
  /** True where people sign in at a provider of the vendor's, which keeps their passwords. Missing: not so. */
  signsInElsewhere: z.optional(z.boolean()),
  /** Missing: not told. */
  createdAt: orElse(z.string(), ''),
});
export type UserDetail = z.infer<typeof userDetailSchema>;

/** `obj` of `PUT /user/info`: the user as saved; null for anything else (lib/contract/README.md, 47). */
export const savedUserSchema = ifFits(userDetailSchema);

/** `obj` of `GET /sso/login?ticket=`. The token goes into a header and a cookie as it is. */
export const ssoLoginSchema = z.object({
  tokenValue: z.string().check(z.regex(/^[\x21-\x7e]{1,4096}$/)),
  userDetail: userDetailSchema,
  /** `state` of the return address that the ticket was made for; null where that had none. Missing: not told. */
  signInState: z.optional(z.nullable(z.string())),
});
export type SsoLogin = z.infer<typeof ssoLoginSchema>;
