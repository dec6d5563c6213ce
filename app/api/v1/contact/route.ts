import * as z from 'zod/mini';
import { contactSchema } from '@/lib/contract/requests/contact';
import { check } from '@/lib/server/base/check';
import { sendMessage } from '@/lib/server/contact/send-message';
import { endpoints } from '@/lib/server/http/endpoints';
import { plainPage, wantsPage } from '@/lib/server/http/plain-page';
import { route } from '@/lib/server/http/route';

const SENT = 'Your message was sent. We reply within 24 hours.';
const back = { href: '/contact-us', label: 'Back to the contact page' };

/** POST /contact: a message to the support, by a call or by a plain form. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: z.unknown() }, async ({ ctx, request, body, client }) => {
    const input = check(contactSchema, body);
    const outcome = input.ok ? await sendMessage(ctx, input.value, client) : input;
    return wantsPage(request) ? plainPage(outcome, SENT, back) : outcome;
  }),
});
