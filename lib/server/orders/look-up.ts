import 'server-only';
import { eq } from 'drizzle-orm';
import type { LookUpRequest } from '../../contract/requests/orders';
import { ok } from '../../contract/result';
import { digest } from '../base/ids';
import type { Outcome } from '../base/refusal';
import type { Context } from '../context';
import { orderLinks, orders } from '../db/schema';
import { enqueue } from '../jobs/enqueue';
import type { Job, JobHandler } from '../jobs/types';
import { askForMail } from '../limits/ask-for-mail';
import { writeMail } from '../mail/write-mail';

/** How long a mailed link opens its order. */
const LINK_LIFE_MS = 24 * 3_600_000;

/**
 * Asks for a link to an order. The answer and its time tell nothing: the order is looked up by the job alone, and the
 * link goes to the address of the order only when it is the one that was given.
 */
export async function lookUpOrder(ctx: Context, input: LookUpRequest, client: string): Promise<Outcome<null>> {
  const mayMail = await askForMail(ctx, input.email, client);
  if (!mayMail.ok) return mayMail;
  if (mayMail.value) await enqueue(ctx, ctx.db, { kind: 'order.link', payload: input });
  return ok(null);
}

/** Mails the link. The key stands in the fragment, which no server and no referrer gets to see. */
export const mailOrderLink: JobHandler<Job<'order.link'>> = {
  lane: 'light',
  maxAttempts: 5,
  leaseSeconds: 30,
  async run(ctx, job) {
    const [order] = await ctx.db.select().from(orders).where(eq(orders.id, job.payload.orderId.toUpperCase()));
    if (!order || order.email !== job.payload.email) return null;
    const key = ctx.ids.secret();
    return async (tx) => {
      await tx.insert(orderLinks).values({
        keyHash: digest(key),
        orderId: order.id,
        expiresAt: new Date(ctx.now().getTime() + LINK_LIFE_MS),
      });
      await writeMail(ctx, tx, {
        to: order.email,
        product: order.productName,
        subject: `Your order ${order.id}`,
        parts: [
          'Here you find your order, its licence and its receipt. The link works for a day:',
          { link: `${ctx.env.SITE_URL}/order-lookup#${key}` },
          'If you did not ask for it, you can ignore this mail.',
        ],
      });
    };
  },
};
