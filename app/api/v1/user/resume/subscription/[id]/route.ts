import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';
import { resumeSubscription } from '@/lib/server/subscriptions/cancel';

/** PUT /user/resume/subscription/{id}: takes a cancellation back. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  PUT: route({ session: 'required' }, ({ ctx, session, params }) =>
    resumeSubscription(ctx, session.user, params.id ?? ''),
  ),
});
