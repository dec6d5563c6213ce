import 'server-only';
import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Crockford's base 32: no I, L, O or U, so that a code can be read aloud and typed. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function base32(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += alphabet[byte & 31];
  return text;
}

/** Public id of a row, 130 random bits: safe in an address (architecture, house style 5). */
export function newId(): string {
  return base32(26).toLowerCase();
}

/** Order number, 130 random bits with a prefix a person recognises. */
export function newOrderId(): string {
  return `MD${base32(26)}`;
}

/** Licence code: four groups of five, 100 random bits. */
export function newLicenceCode(): string {
  return [base32(5), base32(5), base32(5), base32(5)].join('-');
}

/** Bearer secret (session token, ticket): 32 random bytes, base64url. Only its {@link digest} is stored. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Key of a repair task or a hosted checkout page: 128 random bits, hex. */
export function newKey(): string {
  return randomBytes(16).toString('hex');
}

/** Six decimal digits for a mail. */
export function newMailCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** Preset password of a new buyer: 12 characters that are easy to type. */
export function newPassword(): string {
  return [base32(4), base32(4), base32(4)].join('-').toLowerCase();
}

/** SHA-256 as hex: what is stored instead of a secret. */
export function digest(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
