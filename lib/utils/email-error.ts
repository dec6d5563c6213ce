import { isEmail } from '../contract/email';

/** Words for a missing or malformed address, or undefined. */
export function emailError(value: string): string | undefined {
  if (value.trim() === '') return 'Please enter your e-mail address.';
  return isEmail(value.trim()) ? undefined : 'Please enter a full e-mail address, such as name@example.com.';
}
