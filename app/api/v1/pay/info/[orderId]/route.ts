import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { readOrder } from '@/lib/server/orders/read-order';

/** GET /pay/info/{orderId}: how an order stands. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ session: 'whenSent' }, ({ ctx, session, params }) =>
    readOrder(ctx, params.orderId ?? '', session?.user ?? null),
  ),
});
