import 'server-only';
import { header } from '../../../contract/headers';
import {
  confirmSchema,
  passwordSignInSchema,
  providerStartSchema,
  registerSchema,
  resetCodeSchema,
  ticketQuerySchema,
} from '../../../contract/requests/sign-in';
import { ok } from '../../../contract/result';
import { endSessionOfToken } from '../../accounts/end-session';
import { keepsPasswords } from '../../config/sign-in';
import { confirm } from '../../sso/confirm';
import { ifKeptHere } from '../../sso/kept-here';
import { begin } from '../../sso/openid/begin';
import { finish } from '../../sso/openid/finish';
import { passwordSignIn } from '../../sso/password-sign-in';
import { signInProvider } from '../../sso/providers';
import { register } from '../../sso/register';
import { askForResetCode } from '../../sso/send-reset-code';
import { ticketLogin } from '../../sso/ticket-login';
import type { RouteGroup } from '../endpoints';
import { keptResponse } from '../kept';
import { requestOrigin } from '../origins';
import { keptCheck } from '../remembered';
import { route } from '../route';
import { browserOf, leadTo, signInPage } from '../sign-in-cookie';

const problems = { tooManyRequests: 'busy', unavailable: 'unavailable' } as const;

export const ssoRoutes = {
  /** GET /sso/auth/url: where a visitor signs in. */
  '/sso/auth/url': {
    GET: route({}, async ({ ctx, request }) =>
      ok(signInProvider(ctx.env).address(ctx.env, requestOrigin(ctx.env, request))),
    ),
  },
  /** GET /sso/check: who the token belongs to, or null. */
  '/sso/check': {
    GET: route({}, async ({ ctx, request }) =>
      keptResponse(request, await keptCheck(ctx, request.headers.get(header.authorization))),
    ),
  },
  /** POST /sso/code: mails a code that resets the password; answers the same for an unknown address. */
  '/sso/code': {
    POST: route({ body: resetCodeSchema }, ({ ctx, body, client }) =>
      ifKeptHere(ctx, () => askForResetCode(ctx, body.email, client)),
    ),
  },
  /** POST /sso/confirm: the mailed code makes the account; answers the ticket's return address. */
  '/sso/confirm': {
    POST: route({ body: confirmSchema, security: 'registration' }, ({ ctx, body, client }) =>
      ifKeptHere(ctx, () => confirm(ctx, body, client)),
    ),
  },
  /** GET /sso/login?ticket=: trades a ticket, once, for a token. A page of our own origin sends no Origin with a GET. */
  '/sso/login': {
    GET: route({ query: ticketQuerySchema, security: 'sign-in.ticket' }, ({ ctx, request, query: { ticket } }) => {
      const origin = request.headers.get('origin') ?? requestOrigin(ctx.env, request);
      return ticketLogin(ctx, ticket, origin, request.headers.get('user-agent') ?? '');
    }),
  },
  /** GET /sso/logout: the token is dead at once. */
  '/sso/logout': {
    GET: route({ security: 'sign-out' }, ({ ctx, request }) =>
      endSessionOfToken(ctx, request.headers.get(header.authorization) ?? ''),
    ),
  },
  /** POST /sso/password: signs in at the embedded provider; answers the ticket's return address. */
  '/sso/password': {
    POST: route({ body: passwordSignInSchema, security: 'sign-in' }, ({ ctx, body, client }) =>
      ifKeptHere(ctx, () => passwordSignIn(ctx, body, client)),
    ),
  },
  /** GET /sso/provider/callback: the OpenID Connect provider's answer; leads to where the sign-in began, with a ticket or a reason. */
  '/sso/provider/callback': {
    GET: route({}, async ({ ctx, request }) => {
      if (keepsPasswords(ctx.env)) return leadTo(ctx, signInPage(ctx, null));
      const ended = await finish(ctx, new URL(request.url).search.slice(1), browserOf(request));
      return leadTo(ctx, 'url' in ended ? ended.url : signInPage(ctx, ended.returnTo, ended.problem));
    }),
  },
  /** GET /sso/provider/start: leads the browser to the OpenID Connect provider; where there is none, to our own page. */
  '/sso/provider/start': {
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
  },
  /** POST /sso/register: mails a code to a new address; answers the same for a known one. */
  '/sso/register': {
    POST: route({ body: registerSchema }, ({ ctx, body, client }) =>
      ifKeptHere(ctx, () => register(ctx, body, client)),
    ),
  },
} satisfies RouteGroup;
