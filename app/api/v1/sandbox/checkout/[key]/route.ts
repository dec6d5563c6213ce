import { sandboxPaySchema } from '@/lib/contract/requests/sandbox';
import { refuse } from '@/lib/server/base/refusal';
import { endpoints } from '@/lib/server/http/endpoints';
import { mayServeSandbox, requestOrigin } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';
import { readCheckout } from '@/lib/server/payment/sandbox/checkout';
import { payInSandbox } from '@/lib/server/payment/sandbox/pay';

/** The hosted payment page of the sandbox provider: GET what it shows, POST a test card or the wish to cancel. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, request, params }) =>
    mayServeSandbox(ctx.env, request) ? readCheckout(ctx, params.key ?? '') : refuse('notFound'),
  ),
  POST: route({ body: sandboxPaySchema }, async ({ ctx, request, params, body }) =>
    mayServeSandbox(ctx.env, request)
      ? payInSandbox(ctx, params.key ?? '', body, requestOrigin(ctx.env, request))
      : refuse('notFound'),
  ),
});
