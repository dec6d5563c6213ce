import { ok } from '@/lib/contract/result';
import type { SessionCheck } from '@/lib/contract/session';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** GET /sso/check: who the token belongs to, or null. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ session: 'optional' }, async ({ session }) =>
    ok<SessionCheck>(session ? { id: session.user.id, email: session.user.email } : null),
  ),
});
