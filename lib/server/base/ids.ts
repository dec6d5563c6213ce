import 'server-only';
import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Crockford's base 32: no I, L, O or U, so that a code can be read aloud and typed. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function base32(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += alphabet[byte & 31];
  return text;
}

/** Public id of a row, 130 random bits: safe in an address (lib/README.md, 24). */
function newId(): string {
  return base32(26).toLowerCase();
}

/** Order number, 130 random bits with a prefix a person recognises. */
function newOrderId(): string {
  return `MD${base32(26)}`;
}

/** Licence code: four groups of five, 100 random bits. */
function newLicenceCode(): string {
  return [base32(5), base32(5), base32(5), base32(5)].join('-');
}

/** Bearer secret (session token, ticket): 32 random bytes, base64url. Only its {@link digest} is stored. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Key of a repair task or a hosted checkout page: 128 random bits, hex. */
function newKey(): string {
  return randomBytes(16).toString('hex');
}

/** Six decimal digits for a mail. */
function newMailCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** Preset password of a new buyer: 12 characters that are easy to type. */
function newPassword(): string {
  return [base32(4), base32(4), base32(4)].join('-').toLowerCase();
}

/** SHA-256 as hex: what is stored instead of a secret. */
export function digest(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** What makes ids, codes and secrets; part of the context, so that a test can name them. */
export type Ids = {
  row: () => string;
  order: () => string;
  licence: () => string;
  secret: () => string;
  key: () => string;
  mailCode: () => string;
  password: () => string;
};

/** Unguessable ones. */
export const randomIds: Ids = {
  row: newId,
  order: newOrderId,
  licence: newLicenceCode,
  secret: newSecret,
  key: newKey,
  mailCode: newMailCode,
  password: newPassword,
};
