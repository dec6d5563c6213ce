import { ok } from '@/lib/contract/result';
import { refuse } from '@/lib/server/base/refusal';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { linkedOrder } from '@/lib/server/orders/open-order';
import { openedOrder } from '@/lib/server/orders/order-row';

/** GET /orders/link/{key}: the order that a mailed link opens. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, params }) => {
    const order = await linkedOrder(ctx, params.key ?? '');
    return order ? ok(await openedOrder(ctx, order)) : refuse('expired');
  }),
});
