import { limits } from '../catalog/limits';

/** Messages, word for word (lib/contract/README.md, 64). */
export const passwordMessages = {
  required: 'Please enter your password.',
  length: `Password length must be ${limits.passwordMin} to ${limits.passwordMax} characters.`,
  retype: 'Please enter your password again.',
  mismatch: 'The passwords do not match.',
} as const;

/** True when a new password has an allowed length, counted in characters as a person counts them. */
export function hasAllowedLength(password: string): boolean {
  const { length } = Array.from(password);
  return length >= limits.passwordMin && length <= limits.passwordMax;
}

/** True for nothing, and for nothing but spaces: nobody means that as a password. */
export function isBlank(password: string): boolean {
  return password.trim() === '';
}

/** What is wrong with a password that somebody signs in with, or undefined. */
export function passwordError(password: string): string | undefined {
  return isBlank(password) ? passwordMessages.required : undefined;
}

/** What is wrong with a new password, or undefined. */
export function newPasswordError(password: string): string | undefined {
  if (isBlank(password)) return passwordMessages.required;
  return hasAllowedLength(password) ? undefined : passwordMessages.length;
}

/** What is wrong with the second entry, or undefined. */
export function retypeError(password: string, retyped: string): string | undefined {
  if (isBlank(retyped)) return passwordMessages.retype;
  return password === retyped ? undefined : passwordMessages.mismatch;
}
