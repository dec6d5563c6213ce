import { header } from '@/lib/contract/headers';
import { endSessionOfToken } from '@/lib/server/accounts/end-session';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** GET /sso/logout: the token is dead at once. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ security: 'sign-out' }, ({ ctx, request }) =>
    endSessionOfToken(ctx, request.headers.get(header.authorization) ?? ''),
  ),
});
