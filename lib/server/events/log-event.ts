import 'server-only';
import type { EventLog } from '../../contract/requests/events';
import { ok } from '../../contract/result';
import { clientNetwork, networkOnly } from '../base/client-network';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { events } from '../db/schema';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';

/** Keeps an event. The address is kept as its network only: enough to tell visits apart, not a line's holder. */
export async function logEvent(ctx: Context, input: EventLog, client: string): Promise<Outcome<null>> {
  const allowed = await consume(ctx, limitTable.eventCaller, clientNetwork(client));
  if (!allowed.ok) return allowed;
  const event: EventLog = { ...input, ip: networkOnly(client) };
  await ctx.db.insert(events).values({ at: ctx.now(), event });
  return ok(null);
}
