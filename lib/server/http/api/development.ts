import 'server-only';
import { sandboxPaySchema, sandboxSettleSchema } from '../../../contract/requests/sandbox';
import { refuse } from '../../base/refusal';
import { listOutbox, readOutboxMail } from '../../mail/read-outbox';
import { readCheckout } from '../../payment/sandbox/checkout';
import { payInSandbox, settleInSandbox } from '../../payment/sandbox/pay';
import type { RouteGroup } from '../endpoints';
import { mayServeSandbox, requestOrigin } from '../origins';
import { route } from '../route';

export const developmentRoutes = {
  /** GET /outbox/{id}: one mail as it was written. */
  '/outbox/{id}': {
    GET: route({}, async ({ ctx, request, params }) =>
      mayServeSandbox(ctx.env, request) ? readOutboxMail(ctx, params.id ?? '') : refuse('notFound'),
    ),
  },
  /** GET /outbox: the mails of the embedded outbox, on this computer only. */
  '/outbox': {
    GET: route({}, async ({ ctx, request }) =>
      mayServeSandbox(ctx.env, request) ? listOutbox(ctx) : refuse('notFound'),
    ),
  },
  /** The hosted payment page of the sandbox provider: GET what it shows, POST a test card or the wish to cancel. */
  '/sandbox/checkout/{key}': {
    GET: route({}, async ({ ctx, request, params }) =>
      mayServeSandbox(ctx.env, request) ? readCheckout(ctx, params.key ?? '') : refuse('notFound'),
    ),
    POST: route({ body: sandboxPaySchema }, async ({ ctx, request, params, body }) =>
      mayServeSandbox(ctx.env, request)
        ? payInSandbox(ctx, params.key ?? '', body, requestOrigin(ctx.env, request))
        : refuse('notFound'),
    ),
  },
  /** POST /sandbox/settle/{key}: settles a pending payment, as a bank would some time later, or takes a paid one back. */
  '/sandbox/settle/{key}': {
    POST: route({ body: sandboxSettleSchema }, async ({ ctx, request, params, body: { outcome } }) =>
      mayServeSandbox(ctx.env, request) ? settleInSandbox(ctx, params.key ?? '', outcome) : refuse('notFound'),
    ),
  },
} satisfies RouteGroup;
