import 'server-only';
import { z } from 'zod';
import { isEmail } from '../../utils/email';
import { isBlank, newPasswordError, passwordMessages } from '../../utils/password-rules';

/** An e-mail address, lower-case. */
export const emailField = z
  .string()
  .trim()
  .min(1, 'Please enter your e-mail address.')
  .refine(isEmail, 'Please enter an e-mail address such as name@example.com.')
  .transform((value) => value.toLowerCase());

/** A password somebody chooses (specification section 5); counted in characters as a person sees them. */
export const newPasswordField = z.string(passwordMessages.required).check(({ value, issues }) => {
  const message = newPasswordError(value);
  if (message) issues.push({ code: 'custom', input: value, message });
});

/** A password somebody proves who they are with. The bound only spares the hash function. */
export const passwordField = z
  .string(passwordMessages.required)
  .refine((value) => !isBlank(value), passwordMessages.required)
  .max(1024);

/** The six digits of a mail; spaces around and within are forgiven. */
export const codeField = z
  .string()
  .transform((value) => value.replace(/\s/g, ''))
  .refine((value) => /^\d{6}$/.test(value), 'Please enter the six digits from the mail.');

/** Where a ticket goes; whether the address is ours is checked where it is used. */
export const redirectField = z.string().max(4096);

/** A profile field (specification section 2). */
export function profileField(longest: number) {
  return z
    .string()
    .trim()
    .max(longest, `Please use at most ${longest} characters.`)
    .transform((value) => value.replace(/\p{Cc}/gu, ' '));
}
