import { refuse } from '@/lib/server/base/refusal';
import { endpoints } from '@/lib/server/http/endpoints';
import { mayServeSandbox } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';
import { readOutboxMail } from '@/lib/server/mail/read-outbox';

/** GET /outbox/{id}: one mail as it was written. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, request, params }) =>
    mayServeSandbox(ctx.env, request) ? readOutboxMail(ctx, params.id ?? '') : refuse('notFound'),
  ),
});
