import { sandboxSettleSchema } from '@/lib/contract/requests/sandbox';
import { refuse } from '@/lib/server/base/refusal';
import { endpoints } from '@/lib/server/http/endpoints';
import { mayServeSandbox } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';
import { settleInSandbox } from '@/lib/server/payment/sandbox/pay';

/** POST /sandbox/settle/{key}: settles a pending payment, as a bank would some time later, or takes a paid one back. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: sandboxSettleSchema }, async ({ ctx, request, params, body: { outcome } }) =>
    mayServeSandbox(ctx.env, request) ? settleInSandbox(ctx, params.key ?? '', outcome) : refuse('notFound'),
  ),
});
