/** Longest address that mail can carry (RFC 5321, section 4.5.3.1). */
const MAX_LENGTH = 254;

/** True for what can be an e-mail address; whether it exists only a mail can tell. */
export function isEmail(value: string): boolean {
  return (
    value.length <= MAX_LENGTH &&
    /^[^\s@<>"(),:;[\]\\]{1,64}@[^\s@.<>"(),:;[\]\\]+(\.[^\s@.<>"(),:;[\]\\]+)+$/.test(value)
  );
}
