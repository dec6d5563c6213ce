import * as z from 'zod/mini';
import { limits } from '../../catalog/limits';
import { isEmail } from '../email';
import { isBlank, newPasswordError, passwordMessages } from '../password-rules';

/** A text of at most so many characters; missing, it is empty. */
export function shortText(longest: number, words?: string) {
  return z._default(z.string().check(z.maxLength(longest, words)), '');
}

/** The same, without the spaces around it. */
export function trimmedText(longest: number, words: string) {
  return z._default(z.string().check(z.trim(), z.maxLength(longest, words)), '');
}

/** An e-mail address, lower-case. */
export const emailField = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Please enter your e-mail address.'),
    z.refine(isEmail, 'Please enter an e-mail address such as name@example.com.'),
    z.toLowerCase(),
  );

/** A password somebody chooses (lib/contract/README.md, 64); counted in characters as a person sees them. */
export const newPasswordField = z.string(passwordMessages.required).check(({ value, issues }) => {
  const message = newPasswordError(value);
  if (message) issues.push({ code: 'custom', input: value, message });
});

/** A password somebody proves who they are with. The bound only spares the hash function. */
export const passwordField = z.string(passwordMessages.required).check(
  z.refine((value) => !isBlank(value), passwordMessages.required),
  z.maxLength(1024),
);

/** The six digits of a mail; spaces around and within are forgiven. */
export const codeField = z.string().check(
  z.overwrite((value) => value.replace(/\s/g, '')),
  z.regex(/^\d{6}$/, 'Please enter the six digits from the mail.'),
);

/** Where a ticket goes; whether the address is ours is checked where it is used. */
export const redirectField = z.string().check(z.maxLength(4096));

/** One of the extend fields: empty, or a JSON string of at most 2 kB. */
export function extendField(name: string) {
  return z._default(
    z.string().check(
      z.refine(
        (value) => new TextEncoder().encode(value).length <= limits.extendMaxBytes,
        `The field “${name}” may have at most ${limits.extendMaxBytes} bytes.`,
      ),
      z.refine((value) => value === '' || isJson(value), `The field “${name}” must be JSON.`),
    ),
    '',
  );
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
