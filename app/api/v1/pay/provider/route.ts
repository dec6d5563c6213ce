import type { PayProvider } from '@/lib/contract/pay';
import { ok } from '@/lib/contract/result';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** GET /pay/provider: who takes payments, with the key that a browser may know. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx: { env } }) =>
    ok<PayProvider>({ name: env.PAYMENT_PROVIDER, publishableKey: env.STRIPE_PUBLISHABLE_KEY ?? null }),
  ),
});
