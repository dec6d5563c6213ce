import { ok } from '@/lib/contract/result';
import { healthQuerySchema } from '@/lib/contract/service';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { checkReadiness } from '@/lib/server/operations/check-health';
import { sandboxState } from '@/lib/server/repairs/sandbox';

/** GET /health: whether the server can do its work, or with `check=live` only whether it answers; and how repairs are shut in. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ query: healthQuerySchema }, async ({ ctx, query }) => {
    const known = { status: 'ok', database: ctx.handle.kind, sandbox: await sandboxState(ctx.env) };
    if (query.check === 'live') return ok({ ...known, ready: null });
    const ready = await checkReadiness(ctx);
    return ready.ok ? ok({ ...known, ready: ready.value }) : ready;
  }),
});
