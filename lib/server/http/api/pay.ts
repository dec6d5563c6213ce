import 'server-only';
import { header } from '../../../contract/headers';
import type { PayProvider } from '../../../contract/pay';
import { orderSchema, payRequestSchema } from '../../../contract/requests/pay';
import { ok } from '../../../contract/result';
import { logSecurity } from '../../base/log';
import { refuse } from '../../base/refusal';
import { createOrder } from '../../orders/create-order';
import { readOrder } from '../../orders/read-order';
import { requestPayment } from '../../orders/request-payment';
import { isReversal } from '../../payment/port';
import { activeProvider, findProvider } from '../../payment/providers';
import { applyPaymentEvent } from '../../settlement/apply-event';
import { applyReversal } from '../../settlement/apply-reversal';
import { readBytes } from '../body';
import type { RouteGroup } from '../endpoints';
import { requestOrigin } from '../origins';
import { route } from '../route';

const MAX_BYTES = 256 * 1024;

export const payRoutes = {
  /** POST /pay/create: an order, one for each Idempotency-Key. */
  '/pay/create': {
    POST: route({ session: 'whenSent', body: orderSchema }, ({ ctx, request, session, body, client }) => {
      const idempotencyKey = request.headers.get(header.idempotencyKey);
      return createOrder(ctx, body, { user: session?.user ?? null, client, idempotencyKey });
    }),
  },
  /** GET /pay/info/{orderId}: how an order stands. */
  '/pay/info/{orderId}': {
    GET: route({ session: 'whenSent' }, ({ ctx, session, params }) =>
      readOrder(ctx, params.orderId ?? '', session?.user ?? null),
    ),
  },
  /** GET /pay/provider: who takes payments, with the key that a browser may know. */
  '/pay/provider': {
    GET: route({}, async ({ ctx: { env } }) =>
      ok<PayProvider>({ name: env.PAYMENT_PROVIDER, publishableKey: env.STRIPE_PUBLISHABLE_KEY ?? null }),
    ),
  },
  /** POST /pay: the hosted page on which an order is paid. */
  '/pay': {
    POST: route({ session: 'whenSent', body: payRequestSchema }, ({ ctx, request, session, body }) =>
      requestPayment(ctx, activeProvider(ctx.env), body, session?.user ?? null, requestOrigin(ctx.env, request)),
    ),
  },
  /** POST /pay/webhook/{provider}: what a payment provider tells us, signed over the raw body. */
  '/pay/webhook/{provider}': {
    POST: route({}, async ({ ctx, request, params }) => {
      const provider = findProvider(params.provider ?? '');
      if (!provider) return refuse('notFound');
      const body = await readBytes(request, MAX_BYTES);
      if (!body.ok) return body;
      const event = provider.readWebhook(ctx, body.value, (name) => request.headers.get(name));
      if (!event.ok) {
        if (event.error.name === 'forbidden') logSecurity('webhook', 'refused', { provider: provider.name });
        return event;
      }
      if (!event.value) return ok({ applied: false });
      return isReversal(event.value)
        ? applyReversal(ctx, provider, event.value)
        : applyPaymentEvent(ctx, provider.name, event.value);
    }),
  },
} satisfies RouteGroup;
