import { ok } from '@/lib/contract/result';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { sandboxState } from '@/lib/server/repairs/sandbox';

/** GET /health: whether the server and its database answer, and how repairs are shut in; null where none run in this process. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx }) => {
    await ctx.handle.query({ text: 'select 1' });
    return ok({ status: 'ok', database: ctx.handle.kind, sandbox: await sandboxState(ctx.env) });
  }),
});
