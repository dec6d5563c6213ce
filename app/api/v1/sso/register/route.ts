import { registerSchema } from '@/lib/contract/requests/sign-in';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { ifKeptHere } from '@/lib/server/sso/kept-here';
import { register } from '@/lib/server/sso/register';

/** POST /sso/register: mails a code to a new address; answers the same for a known one. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: registerSchema }, ({ ctx, body, client }) => ifKeptHere(ctx, () => register(ctx, body, client))),
});
