import 'server-only';
import * as z from 'zod/mini';
import { openApiDocument } from '../../../contract/api/document';
import { contactSchema } from '../../../contract/requests/contact';
import { eventSchema } from '../../../contract/requests/events';
import { ok } from '../../../contract/result';
import { healthQuerySchema } from '../../../contract/service';
import { check } from '../../base/check';
import { sendMessage } from '../../contact/send-message';
import { logEvent } from '../../events/log-event';
import { checkReadiness } from '../../operations/check-health';
import { sandboxState } from '../../repairs/sandbox';
import type { RouteGroup } from '../endpoints';
import { plainPage, wantsPage } from '../plain-page';
import { route } from '../route';

const SENT = 'Your message was sent. We reply within 24 hours.';
const back = { href: '/contact-us', label: 'Back to the contact page' };

/** Made once: it depends on nothing but the program. */
let text: string | undefined;

export const serviceRoutes = {
  /** POST /contact: a message to the support, by a call or by a plain form. */
  '/contact': {
    POST: route({ body: z.unknown() }, async ({ ctx, request, body, client }) => {
      const input = check(contactSchema, body);
      const outcome = input.ok ? await sendMessage(ctx, input.value, client) : input;
      return wantsPage(request) ? plainPage(outcome, SENT, back) : outcome;
    }),
  },
  /** POST /event/track/log: the embedded event host. */
  '/event/track/log': {
    POST: route({ body: eventSchema, maxBytes: 16 * 1024 }, ({ ctx, body, client }) => logEvent(ctx, body, client)),
  },
  /** GET /health: whether the server can do its work, or with `check=live` only whether it answers; and how repairs are shut in. */
  '/health': {
    GET: route({ query: healthQuerySchema }, async ({ ctx, query }) => {
      const known = { status: 'ok', database: ctx.handle.kind, sandbox: await sandboxState(ctx.env) };
      if (query.check === 'live') return ok({ ...known, ready: null });
      const ready = await checkReadiness(ctx);
      return ready.ok ? ok({ ...known, ready: ready.value }) : ready;
    }),
  },
  /** GET /openapi.json: the API in OpenAPI 3.1. */
  '/openapi.json': {
    GET: route({}, async () => {
      text ??= JSON.stringify(openApiDocument(), null, 2);
      const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' };
      return new Response(text, { headers });
    }),
  },
} satisfies RouteGroup;
