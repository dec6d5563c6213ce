import 'server-only';
import { ok } from '../../contract/result';
import { clientNetwork } from '../base/client-network';
import { digest } from '../base/ids';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { consume } from './consume';
import { limitTable } from './table';

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
