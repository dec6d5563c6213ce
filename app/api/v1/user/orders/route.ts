import { ok } from '@/lib/contract/result';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { listOrders } from '@/lib/server/orders/order-row';

/** GET /user/orders: the user's paid orders. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ session: 'required' }, async ({ ctx, session }) => ok(await listOrders(ctx, session.user.id))),
});
