import 'server-only';
import { hash, verify } from '@node-rs/argon2';
import { type Outcome, refuse } from '../base/refusal';

/** argon2id (the library's default) with 19 MiB and two passes (OWASP password storage): about 9 ms. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password for storage. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, options);
}

let decoy: Promise<string> | undefined;

/** Checks a password. Without a hash (no such account, or no password yet) it takes as long, and is false. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  if (stored) return verify(stored, password);
  decoy ??= hashPassword('no account has this password');
  await verify(await decoy, password);
  return false;
}

/** The words for somebody who is signed in and gave a password that is not theirs, or not any more. */
export function notTheCurrent(): Outcome<never> {
  return refuse('wrongCredentials', 'Your current password is not right.');
}
