import 'server-only';
import os from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { type Outcome, refuse } from '../base/refusal';
import { Turns } from '../base/turns';

/** argon2id (the library's default) with 19 MiB and two passes (OWASP password storage): about 9 ms. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Threads that file system and database share with the hash function (libuv); two of them are always left to those. */
const poolThreads = Number(process.env.UV_THREADPOOL_SIZE) || 4;
const atOnce = Math.max(1, Math.min(os.availableParallelism() - 1, poolThreads - 2));

/** One core stays free of hashing, so that a storm of sign-ins stands in nobody else's way; who would wait for more than about half a second is told so. */
const turns = new Turns(atOnce, 64 * atOnce);

/** Hashes a password for storage. Throws `Crowded` when too many are being hashed; `isPatient` waits instead, for what nobody can send again. */
export function hashPassword(password: string, isPatient = false): Promise<string> {
  return turns.take(() => hash(password, options), isPatient);
}

let decoy: Promise<string> | undefined;

/** Checks a password. Without a hash (no such account, or no password yet) it takes as long, and is false. Throws `Crowded` when too many wait. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  if (stored) return turns.take(() => verify(stored, password));
  decoy ??= hashPassword('no account has this password', true);
  const other = await decoy;
  await turns.take(() => verify(other, password));
  return false;
}

/** The words for somebody who is signed in and gave a password that is not theirs, or not any more. */
export function notTheCurrent(): Outcome<never> {
  return refuse('wrongCredentials', 'Your current password is not right.');
}

/** The answer to a new password that is the old one: a mailed password would so become one for good. */
export function notNew(): Outcome<never> {
  return refuse('invalidRequest', 'This is the password that you have. Please choose another one.');
}
