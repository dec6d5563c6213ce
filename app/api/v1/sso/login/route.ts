import { ticketQuerySchema } from '@/lib/contract/requests/sign-in';
import { endpoints } from '@/lib/server/http/endpoints';
import { requestOrigin } from '@/lib/server/http/origins';
import { route } from '@/lib/server/http/route';
import { ticketLogin } from '@/lib/server/sso/ticket-login';

/** GET /sso/login?ticket=: trades a ticket, once, for a token. A page of our own origin sends no Origin with a GET. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: route({ query: ticketQuerySchema, security: 'sign-in.ticket' }, ({ ctx, request, query: { ticket } }) => {
    const origin = request.headers.get('origin') ?? requestOrigin(ctx.env, request);
    return ticketLogin(ctx, ticket, origin, request.headers.get('user-agent') ?? '');
  }),
});
