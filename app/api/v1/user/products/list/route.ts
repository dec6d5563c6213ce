import { ok } from '@/lib/contract/result';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { listOwned } from '@/lib/server/subscriptions/list-owned';

/** GET /user/products/list: what the user owns. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ session: 'required' }, async ({ ctx, session }) => ok(await listOwned(ctx, session.user.id))),
});
