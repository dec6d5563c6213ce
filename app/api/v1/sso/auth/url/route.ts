import { ok } from '@/lib/contract/result';
import { endpoints } from '@/lib/server/http/endpoints';
import { requestOrigin } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';
import { signInProvider } from '@/lib/server/sso/providers';

/** GET /sso/auth/url: where a visitor signs in. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({}, async ({ ctx, request }) =>
    ok(signInProvider(ctx.env).address(ctx.env, requestOrigin(ctx.env, request))),
  ),
});
