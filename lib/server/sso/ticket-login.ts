import 'server-only';
import { ok } from '../../contract/result';
import type { SsoLogin } from '../../contract/session';
import { startSession } from '../accounts/start-session';
import { userDetail } from '../accounts/user-detail';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { redeemTicket } from './tickets';

/**
 * Trades a ticket for a session. `origin` is where the page that asks was loaded from: a ticket that was meant for
 * another origin is used up and refused.
 */
export async function ticketLogin(
  ctx: Context,
  ticket: string,
  origin: string,
  userAgent: string,
): Promise<Outcome<SsoLogin>> {
  const login = await ctx.db.transaction(async (tx) => {
    const redeemed = await redeemTicket(ctx, tx, ticket, origin);
    if (!redeemed) return null;
    const { user, state } = redeemed;
    const tokenValue = await startSession(ctx, tx, user.id, userAgent);
    return { tokenValue, userDetail: userDetail(ctx, user), signInState: state };
  });
  return login ? ok(login) : refuse('expired', 'This sign-in has expired. Please sign in again.');
}
