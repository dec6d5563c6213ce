import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { cancelSubscription } from '@/lib/server/subscriptions/cancel';

/** PUT /user/cancel/subscription/{id}: no further renewal. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  PUT: route({ session: 'required' }, ({ ctx, session, params }) =>
    cancelSubscription(ctx, session.user, params.id ?? ''),
  ),
});
