import { payRequestSchema } from '@/lib/contract/requests/pay';
import { endpoints } from '@/lib/server/http/endpoints';
import { requestOrigin } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';
import { requestPayment } from '@/lib/server/orders/request-payment';
import { activeProvider } from '@/lib/server/payment/providers';

/** POST /pay: the hosted page on which an order is paid. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ session: 'whenSent', body: payRequestSchema }, ({ ctx, request, session, body }) =>
    requestPayment(ctx, activeProvider(ctx.env), body, session?.user ?? null, requestOrigin(ctx.env, request)),
  ),
});
