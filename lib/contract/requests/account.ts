import * as z from 'zod/mini';
import { codeField, emailField, newPasswordField, passwordField } from './fields';

function profileField(longest: number) {
  return z.string().check(
    z.trim(),
    z.maxLength(longest, `Please use at most ${longest} characters.`),
    z.overwrite((value) => value.replace(/\p{Cc}/gu, ' ')),
  );
}

/** Payload of `PUT /user/info`: the four profile fields (lib/contract/README.md, 21). */
export const profileSchema = z.object({
  firstName: profileField(100),
  lastName: profileField(100),
  address: profileField(500),
  country: profileField(100),
});
export type ProfileUpdate = z.infer<typeof profileSchema>;

/** Payload of `PUT /user/password/reset` with the code from the mail. */
export const codeResetSchema = z.object({ email: emailField, code: codeField, newPassword: newPasswordField });
export type CodeReset = z.infer<typeof codeResetSchema>;

/** The same of somebody who is signed in. */
export const signedInResetSchema = z.object({ currentPassword: passwordField, newPassword: newPasswordField });
export type SignedInReset = z.infer<typeof signedInResetSchema>;

/** Payload of `DELETE /user`; the password of an account that has one. */
export const eraseSchema = z.object({ currentPassword: z._default(z.string().check(z.maxLength(1024)), '') });
export type EraseRequest = z.infer<typeof eraseSchema>;
