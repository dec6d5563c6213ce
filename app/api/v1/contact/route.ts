import { contactSchema, sendMessage } from '@/lib/server/contact/send-message';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** POST /contact: a message to the support. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: contactSchema }, ({ ctx, body, client }) => sendMessage(ctx, body, client)),
});
