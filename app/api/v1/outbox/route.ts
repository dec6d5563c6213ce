import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { listOutbox } from '@/lib/server/mail/read-outbox';

/** GET /outbox: the mails of the embedded outbox, on this computer only. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, ({ ctx, request }) => listOutbox(ctx, request)),
});
