import { providerStartSchema } from '@/lib/contract/requests/sign-in';
import { keepsPasswords } from '@/lib/server/config/sign-in';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { browserOf, leadTo, signInPage } from '@/lib/server/http/sign-in-cookie';
import { begin } from '@/lib/server/sso/openid/begin';

const problems = { tooManyRequests: 'busy', unavailable: 'unavailable' } as const;

/** GET /sso/provider/start: leads the browser to the OpenID Connect provider; where there is none, to our own page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ query: providerStartSchema }, async ({ ctx, request, query, client }) => {
    const redirectUri = query.redirect_uri || `${ctx.env.SITE_URL}/account`;
    if (keepsPasswords(ctx.env)) return leadTo(ctx, signInPage(ctx, redirectUri));
    const browser = browserOf(request) ?? ctx.ids.secret();
    const begun = await begin(ctx, { redirectUri, isNew: query.intent === 'register', browser, client });
    if (begun.ok) return leadTo(ctx, begun.value.href, browser);
    const problem = Object.hasOwn(problems, begun.error.name)
      ? problems[begun.error.name as keyof typeof problems]
      : null;
    return problem ? leadTo(ctx, signInPage(ctx, redirectUri, problem)) : begun;
  }),
});
