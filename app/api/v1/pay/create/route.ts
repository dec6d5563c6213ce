import { header } from '@/lib/contract/headers';
import { orderSchema } from '@/lib/contract/requests/pay';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { createOrder } from '@/lib/server/orders/create-order';

/** POST /pay/create: an order, one for each Idempotency-Key. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ session: 'whenSent', body: orderSchema }, ({ ctx, request, session, body, client }) => {
    const idempotencyKey = request.headers.get(header.idempotencyKey);
    return createOrder(ctx, body, { user: session?.user ?? null, client, idempotencyKey });
  }),
});
