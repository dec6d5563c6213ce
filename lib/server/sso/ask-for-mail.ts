import 'server-only';
import { ok } from '../../contract/result';
import type { Context } from '../context';
import { clientNetwork } from '../http/client';
import { digest } from '../ids';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import type { Outcome } from '../refusal';

/**
 * Whether a mail to `email` may be caused by this caller. Callers who ask too often are refused; an address that got
 * too many from everywhere gets no more for a while (`false`), which the answer does not show.
 */
export async function askForMail(ctx: Context, email: string, client: string): Promise<Outcome<boolean>> {
  const network = clientNetwork(client);
  const byCaller = await consume(ctx, limitTable.mailCaller, network);
  if (!byCaller.ok) return byCaller;
  const byPair = await consume(ctx, limitTable.mailPair, `${digest(email)}:${network}`);
  if (!byPair.ok) return byPair;
  return ok((await consume(ctx, limitTable.mailAddress, digest(email))).ok);
}
