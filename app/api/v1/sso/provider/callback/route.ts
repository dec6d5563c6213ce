import { keepsPasswords } from '@/lib/server/config/sign-in';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { browserOf, leadTo, signInPage } from '@/lib/server/http/sign-in-cookie';
import { finish } from '@/lib/server/sso/openid/finish';

/** GET /sso/provider/callback: the OpenID Connect provider's answer; leads to where the sign-in began, with a ticket or a reason. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, request }) => {
    if (keepsPasswords(ctx.env)) return leadTo(ctx, signInPage(ctx, null));
    const ended = await finish(ctx, new URL(request.url).search.slice(1), browserOf(request));
    return leadTo(ctx, 'url' in ended ? ended.url : signInPage(ctx, ended.returnTo, ended.problem));
  }),
});
