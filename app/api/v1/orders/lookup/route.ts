import { lookUpSchema } from '@/lib/contract/requests/orders';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { lookUpOrder } from '@/lib/server/orders/look-up';

/** POST /orders/lookup: mails a link to an order; shows nothing. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: lookUpSchema }, ({ ctx, body, client }) => lookUpOrder(ctx, body, client)),
});
