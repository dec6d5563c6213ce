import 'server-only';
import { activateSchema, lookUpSchema, withdrawSchema } from '../../../contract/requests/orders';
import { ok } from '../../../contract/result';
import { refuse } from '../../base/refusal';
import { lookUpOrder } from '../../orders/look-up';
import { linkedOrder, openOrder } from '../../orders/open-order';
import { openedOrder } from '../../orders/order-row';
import { makeReceipt } from '../../orders/receipt';
import { previewWithdrawal, withdraw } from '../../orders/withdrawal';
import { activateLicence } from '../../subscriptions/activate';
import type { RouteGroup } from '../endpoints';
import { route } from '../route';
import { sendFile } from '../send-file';

export const ordersRoutes = {
  /** POST /licences/activate: the desktop programs' first use of a licence. */
  '/licences/activate': {
    POST: route({ body: activateSchema, security: 'licence' }, ({ ctx, body, client }) =>
      activateLicence(ctx, body.licenceCode, client),
    ),
  },
  /** POST /orders/{id}/withdraw: first what would be withdrawn from, then, with `confirm`, the withdrawal itself. */
  '/orders/{id}/withdraw': {
    POST: route(
      { session: 'whenSent', body: withdrawSchema },
      async ({ ctx, session, params, body: { confirm, key } }) => {
        const order = await openOrder(ctx, params.id ?? '', { user: session?.user ?? null, key: key ?? null });
        if (!order.ok) return order;
        return confirm ? withdraw(ctx, order.value.id) : previewWithdrawal(ctx, order.value);
      },
    ),
  },
  /** GET /orders/link/{key}/receipt: the receipt of the order that a mailed link opens. */
  '/orders/link/{key}/receipt': {
    GET: route({}, async ({ ctx, request, params }) => {
      const order = await linkedOrder(ctx, params.key ?? '');
      return order ? sendFile(ctx, request, await makeReceipt(ctx, order)) : refuse('expired');
    }),
  },
  /** GET /orders/link/{key}: the order that a mailed link opens. */
  '/orders/link/{key}': {
    GET: route({}, async ({ ctx, params }) => {
      const order = await linkedOrder(ctx, params.key ?? '');
      return order ? ok(await openedOrder(ctx, order)) : refuse('expired');
    }),
  },
  /** POST /orders/lookup: mails a link to an order; shows nothing. */
  '/orders/lookup': {
    POST: route({ body: lookUpSchema }, ({ ctx, body, client }) => lookUpOrder(ctx, body, client)),
  },
} satisfies RouteGroup;
