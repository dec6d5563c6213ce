import { endOwnSession } from '@/lib/server/accounts/end-session';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** DELETE /user/sessions/{id}: ends one of the user's own sessions. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  DELETE: route({ session: 'required' }, ({ ctx, session, params }) =>
    endOwnSession(ctx, session.user.id, params.id ?? ''),
  ),
});
