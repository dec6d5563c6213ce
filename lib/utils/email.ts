/** Longest address that mail can carry (RFC 5321, section 4.5.3.1). */
const MAX_LENGTH = 254;

/** True for what can be an e-mail address; whether it exists only a mail can tell. */
export function isEmail(value: string): boolean {
  return (
    value.length <= MAX_LENGTH &&
    /^[^\s@<>"(),:;[\]\\]{1,64}@[^\s@.<>"(),:;[\]\\]+(\.[^\s@.<>"(),:;[\]\\]+)+$/.test(value)
  );
}

/** Words for a missing or malformed address, or undefined. */
export function emailError(value: string): string | undefined {
  if (value.trim() === '') return 'Please enter your e-mail address.';
  return isEmail(value.trim()) ? undefined : 'Please enter a full e-mail address, such as name@example.com.';
}
