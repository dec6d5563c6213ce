import { refuse } from '@/lib/server/base/refusal';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { sendFile } from '@/lib/server/http/send-file';
import { ownOrder } from '@/lib/server/orders/open-order';
import { makeReceipt } from '@/lib/server/orders/receipt';

/** GET /user/orders/{id}/receipt: a receipt as PDF, for its owner. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ session: 'required' }, async ({ ctx, request, session, params }) => {
    const order = await ownOrder(ctx, params.id ?? '', session.user);
    return order
      ? sendFile(ctx, request, await makeReceipt(ctx, order))
      : refuse('notFound', 'There is no such order.');
  }),
});
