import 'server-only';
import { clientNetwork } from '../base/client-network';
import { digest } from '../base/ids';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';

/** How long a mailed code works. */
export const CODE_LIFE_MS = 15 * 60_000;

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

/**
 * Counts a guess at a code before it is looked at: five for a caller and an address, thirty for a caller, fifty for a
 * code from everywhere. `codeKey` names the code, or the address where there is none, so that both take as long.
 */
export async function countGuess(ctx: Context, email: string, codeKey: string, client: string): Promise<Outcome<null>> {
  const network = clientNetwork(client);
  const byCaller = await consume(ctx, limitTable.codeCaller, network);
  if (!byCaller.ok) return byCaller;
  const byPair = await consume(ctx, limitTable.codePair, `${digest(email)}:${network}`);
  if (!byPair.ok) return byPair;
  const byCode = await consume(ctx, limitTable.codeGuesses, codeKey);
  return byCode.ok ? byCode : codeRefused();
}
