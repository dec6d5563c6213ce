import { passwordSignInSchema } from '@/lib/contract/requests/sign-in';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { ifKeptHere } from '@/lib/server/sso/kept-here';
import { passwordSignIn } from '@/lib/server/sso/password-sign-in';

/** POST /sso/password: signs in at the embedded provider; answers the ticket's return address. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: passwordSignInSchema, security: 'sign-in' }, ({ ctx, body, client }) =>
    ifKeptHere(ctx, () => passwordSignIn(ctx, body, client)),
  ),
});
