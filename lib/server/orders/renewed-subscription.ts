import 'server-only';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Plan } from '../../catalog/plans';
import { planProductName } from '../../catalog/plans';
import type { OrderRequest } from '../../contract/requests/pay';
import { ok } from '../../contract/result';
import type { User } from '../accounts/find-session';
import type { Outcome } from '../base/refusal';
import { refuse } from '../base/refusal';
import type { Context } from '../context';
import { subscriptions } from '../db/schema';
import { papersOf } from '../sales/papers';
import { ownedProduct } from '../sales/plan-state';

const renewSchema = z.object({ renew: z.string().max(64) });

/**
 * The subscription that an order renews instead of beginning a second one: named by `renew` in `transparentExtend`, the
 * buyer's own, of the plan that is bought, and ended or about to end for want of payment. Null for an order without it.
 */
export async function renewedSubscription(
  ctx: Context,
  { transparentExtend }: Pick<OrderRequest, 'transparentExtend'>,
  plan: Plan,
  user: User | null,
): Promise<Outcome<string | null>> {
  const asked = renewSchema.safeParse(transparentExtend === '' ? null : JSON.parse(transparentExtend));
  if (!asked.success) return ok(null);
  const [row] = user
    ? await ctx.db
        .select()
        .from(subscriptions)
        .where(and(eq(subscriptions.id, asked.data.renew), eq(subscriptions.ownerId, user.id)))
    : [];
  if (!row || row.productName !== planProductName(plan) || row.planType !== plan.type) {
    return refuse('notFound', 'There is no such plan in your account.');
  }
  const { status, graceUntil } = ownedProduct(row, ctx.now(), await papersOf(ctx.db, [row]));
  if (status !== 'expired' && !graceUntil) {
    return refuse('conflict', 'This plan is still running, so there is nothing to renew.');
  }
  return ok(row.id);
}
