import { confirmSchema } from '@/lib/contract/requests/sign-in';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { confirm } from '@/lib/server/sso/confirm';
import { ifKeptHere } from '@/lib/server/sso/kept-here';

/** POST /sso/confirm: the mailed code makes the account; answers the ticket's return address. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: confirmSchema, security: 'registration' }, ({ ctx, body, client }) =>
    ifKeptHere(ctx, () => confirm(ctx, body, client)),
  ),
});
