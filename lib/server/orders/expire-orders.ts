import 'server-only';
import { and, inArray, lte } from 'drizzle-orm';
import { orders } from '../db/schema';
import type { JobHandler } from '../jobs/types';
import { changeOrder, lockOrder } from '../sales/change-order';
import { mailResult } from './result-mail';

const OPEN = ['created', 'pending', 'failed'] as const;
const AT_ONCE = 100;

/** Gives up orders that were not paid in time. A payment that arrives later still counts. */
export const expireOrders: JobHandler = {
  lane: 'light',
  maxAttempts: 1,
  leaseSeconds: 60,
  repeatSeconds: 60,
  async run(ctx) {
    const due = and(inArray(orders.status, [...OPEN]), lte(orders.expiresAt, ctx.now()));
    const late = await ctx.db.select({ id: orders.id }).from(orders).where(due).limit(AT_ONCE);
    if (late.length === 0) return null;
    return async (tx) => {
      for (const { id } of late) {
        const order = await lockOrder(tx, id);
        // It may have been paid, or begun to be, since it was listed.
        if (!order || order.expiresAt > ctx.now()) continue;
        const changed = await changeOrder(ctx, tx, order, 'expired', 'not paid in time');
        if (changed) await mailResult(ctx, tx, order, 'expired');
      }
    };
  },
};
