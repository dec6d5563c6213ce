import 'server-only';
import * as z from 'zod/mini';
import { lookUpSchema } from '../../contract/requests/orders';
import { sandboxWebhookSchema } from '../../contract/requests/sandbox';

const id = z.string().check(z.minLength(1));

function job<Kind extends string, Payload extends z.ZodMiniType>(kind: Kind, payload: Payload) {
  return z.object({ kind: z.literal(kind), payload });
}

const empty = z.object({});

/** Every kind of job with what it carries; read again when it is claimed. */
export const jobSchema = z.discriminatedUnion('kind', [
  job('mail.send', z.object({ mailId: id })),
  job('registration.mail', z.object({ registrationId: id })),
  job('reset.mail', z.object({ email: id })),
  job('sandbox.webhook', sandboxWebhookSchema),
  job('stripe.charge', z.object({ orderId: id })),
  job('stripe.refund', z.object({ orderId: id })),
  job('repair.run', z.object({ id })),
  job('repair.quick', z.object({ id })),
  job('order.link', lookUpSchema),
  job('sweep.orders', empty),
  job('sweep.subscriptions', empty),
  job('renew.subscriptions', empty),
  job('remind.renewals', empty),
  job('sweep.files', empty),
  job('sweep.leftovers', empty),
  job('check.orders', empty),
]);

/** What is to be done: the kind, and what that kind carries. */
export type JobSpec = z.infer<typeof jobSchema>;
export type JobKind = JobSpec['kind'];
