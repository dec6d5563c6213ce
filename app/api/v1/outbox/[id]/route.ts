import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { readOutboxMail } from '@/lib/server/mail/read-outbox';

/** GET /outbox/{id}: one mail as it was written. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, ({ ctx, request, params }) => readOutboxMail(ctx, request, params.id ?? '')),
});
