import 'server-only';
import { fail } from '../../contract/result';
import { clientNetwork } from '../base/client-network';
import { digest } from '../base/ids';
import { type Outcome, type Refusal, refuse } from '../base/refusal';
import type { Context } from '../context';
import { consume, forgive } from '../limits/consume';
import { limitTable } from '../limits/table';

/** How long a mailed code works: ten minutes, the most that ASVS 5.0, 6.5.5 allows. */
export const CODE_LIFE_MS = 10 * 60_000;

/** The same in words. */
export const codeLife = `${CODE_LIFE_MS / 60_000} minutes`;

/** What is stored of a code; `owner` keeps equal codes of two people apart. */
export function codeHash(owner: string, code: string): string {
  return digest(`${owner}:${code}`);
}

/** The words for a wrong, old or used code: the same for an address that has none. */
export function codeRefused(): Outcome<never> {
  return refuse(
    'wrongCredentials',
    'This code is not right, or no longer valid. Please check it or ask for a new one.',
  );
}

/** What a code is for. Each is counted by itself, so that guesses at one stop nobody who waits for the other. */
type CodeUse = 'registration' | 'reset';

/** A guess at a code: of whom, for what, and `key`, which names the code, or the address where there is none. */
type Guess = { email: string; use: CodeUse; key: string };

/**
 * Counts a guess at a code before it is looked at: five for a caller and an address, thirty for a caller, 25 for a code
 * from everywhere, fifty for an address in a day. It is the same, and takes as long, for an address without an account.
 */
export async function countGuess(ctx: Context, { email, use, key }: Guess, client: string): Promise<Outcome<null>> {
  const network = clientNetwork(client);
  const byCaller = await consume(ctx, limitTable.codeCaller, network);
  if (!byCaller.ok) return byCaller;
  const byPair = await consume(ctx, limitTable.codePair, `${digest(email)}:${network}`);
  if (!byPair.ok) return byPair;
  const byDay = await consume(ctx, limitTable.codeDay, dayKey(email, use));
  if (!byDay.ok) return tooManyToday(byDay.error);
  const byCode = await consume(ctx, limitTable.codeGuesses, key);
  return byCode.ok ? byCode : codeRefused();
}

/** Forgets the day's wrong codes of an address, once a right one has shown whose it is. */
export function forgiveGuesses(ctx: Context, email: string, use: CodeUse): Promise<void> {
  return forgive(ctx, limitTable.codeDay, dayKey(email, use));
}

function dayKey(email: string, use: CodeUse): string {
  return `${use}:${digest(email)}`;
}

function tooManyToday({ name, retryAfterSeconds = 0 }: Refusal): Outcome<never> {
  const hours = Math.max(1, Math.ceil(retryAfterSeconds / 3600));
  return fail({
    name,
    msg: `Too many wrong codes were entered for this address. Codes work again in ${hours === 1 ? 'an hour' : `${hours} hours`}. A password that you know works all the time.`,
    retryAfterSeconds,
  });
}
