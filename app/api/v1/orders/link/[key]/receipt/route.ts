import { refuse } from '@/lib/server/base/refusal';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { sendFile } from '@/lib/server/http/send-file';
import { linkedOrder } from '@/lib/server/orders/open-order';
import { makeReceipt } from '@/lib/server/orders/receipt';

/** GET /orders/link/{key}/receipt: the receipt of the order that a mailed link opens. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, request, params }) => {
    const order = await linkedOrder(ctx, params.key ?? '');
    return order ? sendFile(ctx, request, await makeReceipt(ctx, order)) : refuse('expired');
  }),
});
