import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { linkedOrder } from '@/lib/server/orders/open-order';
import { sendReceipt } from '@/lib/server/orders/receipt';
import { refuse } from '@/lib/server/refusal';

/** GET /orders/link/{key}/receipt: the receipt of the order that a mailed link opens. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, params }) => {
    const order = await linkedOrder(ctx, params.key ?? '');
    return order ? sendReceipt(ctx, order) : refuse('expired');
  }),
});
