import { activateSchema } from '@/lib/contract/requests/orders';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { activateLicence } from '@/lib/server/subscriptions/activate';

/** POST /licences/activate: the desktop programs' first use of a licence. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: activateSchema, security: 'licence' }, ({ ctx, body, client }) =>
    activateLicence(ctx, body.licenceCode, client),
  ),
});
