import 'server-only';
import { setTimeout as wait } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { Credentials } from '../../contract/requests/sign-in';
import { ok } from '../../contract/result';
import type { TicketReturn } from '../../contract/sign-in';
import { holdUser } from '../accounts/hold-user';
import { passwordMatches } from '../accounts/passwords';
import { hasPresetEnded, presetEnded } from '../accounts/preset';
import { clientNetwork } from '../base/client-network';
import { digest } from '../base/ids';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { users } from '../db/schema';
import { consume, forgive, used } from '../limits/consume';
import { limitTable } from '../limits/table';
import { returnAddress } from './return-address';
import { issueTicket } from './tickets';

/** Failures on one address from everywhere that cost nothing, and the longest pause after them. */
const FREE_FAILURES = 20;
const LONGEST_PAUSE_MS = 2000;

/**
 * Signs in by password and answers the return address with a ticket. Takes as long, and says the same, whether the
 * address has an account or not. Failures are counted by address and caller together: many of them from elsewhere slow
 * the owner down by two seconds at most and never shut the owner out.
 */
export async function passwordSignIn(ctx: Context, input: Credentials, client: string): Promise<Outcome<TicketReturn>> {
  const returnTo = returnAddress(ctx, input.redirectUri);
  if (!returnTo.ok) return returnTo;
  const address = digest(input.email);
  const pair = `${address}:${clientNetwork(client)}`;
  const byCaller = await consume(ctx, limitTable.signInCaller, clientNetwork(client));
  if (!byCaller.ok) return byCaller;
  const byPair = await consume(ctx, limitTable.signInPair, pair);
  if (!byPair.ok) return byPair;
  const failures = await used(ctx, limitTable.signInAddress, address);
  if (failures > FREE_FAILURES) await wait(Math.min((failures - FREE_FAILURES) * 100, LONGEST_PAUSE_MS));

  const [user] = await ctx.db.select().from(users).where(eq(users.email, input.email));
  if (!(await passwordMatches(user?.passwordHash, input.password)) || !user) {
    await consume(ctx, limitTable.signInAddress, address);
    return refuse('wrongCredentials');
  }
  if (hasPresetEnded(user, ctx.now())) return presetEnded();
  await forgive(ctx, limitTable.signInPair, pair);
  return ctx.db.transaction(async (tx) => {
    if (!(await holdUser(tx, user, 'share'))) return refuse('wrongCredentials');
    return ok(await issueTicket(ctx, tx, user.id, returnTo.value));
  });
}
