import 'server-only';
import { eq } from 'drizzle-orm';
import type { TicketReturn } from '../../contract/sign-in';
import type { User } from '../accounts/find-session';
import { digest } from '../base/ids';
import type { Context } from '../context';
import type { Executor } from '../db/database';
import { tickets, users } from '../db/schema';

/** A ticket works once, for 60 s (lib/contract/README.md, 65). */
const TICKET_LIFE_MS = 60_000;

/** Longest `state` that is kept; ours have 36 characters. */
const STATE_MAX = 200;

/** Issues a ticket bound to origin and `state` of `returnTo`, and answers that address with the ticket in its query. */
export async function issueTicket(ctx: Context, tx: Executor, userId: string, returnTo: URL): Promise<TicketReturn> {
  const ticket = ctx.ids.secret();
  await tx.insert(tickets).values({
    hash: digest(ticket),
    userId,
    origin: returnTo.origin,
    state: returnTo.searchParams.get('state')?.slice(0, STATE_MAX) ?? null,
    expiresAt: new Date(ctx.now().getTime() + TICKET_LIFE_MS),
  });
  const url = new URL(returnTo);
  url.searchParams.set('ticket', ticket);
  return { url: url.href };
}

/** Whom a ticket signs in, and the `state` that its sign-in began with. */
type Redeemed = { user: User; state: string | null };

/** Uses a ticket up, whatever comes of it; null unless it was good for this origin and in time. */
export async function redeemTicket(
  ctx: Context,
  tx: Executor,
  ticket: string,
  origin: string,
): Promise<Redeemed | null> {
  const [row] = await tx
    .delete(tickets)
    .where(eq(tickets.hash, digest(ticket)))
    .returning();
  if (!row || row.origin !== origin || row.expiresAt <= ctx.now()) return null;
  const [user] = await tx.select().from(users).where(eq(users.id, row.userId));
  return user ? { user, state: row.state } : null;
}
