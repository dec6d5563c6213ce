import { eventSchema } from '@/lib/contract/requests/events';
import { logEvent } from '@/lib/server/events/log-event';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** POST /event/track/log: the embedded event host. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: eventSchema, maxBytes: 16 * 1024 }, ({ ctx, body, client }) => logEvent(ctx, body, client)),
});
