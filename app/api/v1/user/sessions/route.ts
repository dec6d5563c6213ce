import { ok } from '@/lib/contract/result';
import { listSessions } from '@/lib/server/accounts/list-sessions';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** GET /user/sessions: where the user is signed in. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ session: 'required' }, async ({ ctx, session }) => ok(await listSessions(ctx, session))),
});
