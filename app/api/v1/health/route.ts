import { ok } from '@/lib/contract/result';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** GET /health: whether the server and its database answer. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx }) => {
    await ctx.handle.query({ text: 'select 1' });
    return ok({ status: 'ok', database: ctx.handle.kind });
  }),
});
