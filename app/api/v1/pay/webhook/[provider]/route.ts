import { ok } from '@/lib/contract/result';
import { logSecurity } from '@/lib/server/base/log';
import { refuse } from '@/lib/server/base/refusal';
import { readBytes } from '@/lib/server/http/body';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { isReversal } from '@/lib/server/payment/port';
import { findProvider } from '@/lib/server/payment/providers';
import { applyPaymentEvent } from '@/lib/server/settlement/apply-event';
import { applyReversal } from '@/lib/server/settlement/apply-reversal';

const MAX_BYTES = 256 * 1024;

/** POST /pay/webhook/{provider}: what a payment provider tells us, signed over the raw body. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
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
});
