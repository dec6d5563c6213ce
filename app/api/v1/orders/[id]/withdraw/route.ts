import { withdrawSchema } from '@/lib/contract/requests/orders';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { openOrder } from '@/lib/server/orders/open-order';
import { previewWithdrawal, withdraw } from '@/lib/server/orders/withdrawal';

/** POST /orders/{id}/withdraw: first what would be withdrawn from, then, with `confirm`, the withdrawal itself. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route(
    { session: 'whenSent', body: withdrawSchema },
    async ({ ctx, session, params, body: { confirm, key } }) => {
      const order = await openOrder(ctx, params.id ?? '', { user: session?.user ?? null, key: key ?? null });
      if (!order.ok) return order;
      return confirm ? withdraw(ctx, order.value.id) : previewWithdrawal(ctx, order.value);
    },
  ),
});
