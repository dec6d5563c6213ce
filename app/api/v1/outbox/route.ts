import { refuse } from '@/lib/server/base/refusal';
import { endpoints } from '@/lib/server/http/endpoints';
import { mayServeSandbox } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';
import { listOutbox } from '@/lib/server/mail/read-outbox';

/** GET /outbox: the mails of the embedded outbox, on this computer only. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, request }) =>
    mayServeSandbox(ctx.env, request) ? listOutbox(ctx) : refuse('notFound'),
  ),
});
