import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { ownOrder } from '@/lib/server/orders/open-order';
import { sendReceipt } from '@/lib/server/orders/receipt';
import { refuse } from '@/lib/server/refusal';

/** GET /user/orders/{id}/receipt: a receipt as PDF, for its owner. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ session: 'required' }, async ({ ctx, session, params }) => {
    const order = await ownOrder(ctx, params.id ?? '', session.user);
    return order ? sendReceipt(ctx, order) : refuse('notFound', 'There is no such order.');
  }),
});
