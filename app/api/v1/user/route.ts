import { eraseSchema } from '@/lib/contract/requests/account';
import { eraseAccount } from '@/lib/server/erasure/erase-account';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** DELETE /user: erases the account; the answer names what the law keeps. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  DELETE: route({ session: 'required', body: eraseSchema, security: 'erasure' }, ({ ctx, session, body, client }) =>
    eraseAccount(ctx, session.user, body.currentPassword, client),
  ),
});
