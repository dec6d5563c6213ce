import * as z from 'zod/mini';

/** Payload of `POST /sandbox/checkout/{key}`: a card number, which decides the outcome and is never stored, or the wish to cancel. */
export const sandboxPaySchema = z.union(
  [
    z.object({ action: z.literal('cancel') }),
    z.object({
      cardNumber: z.string().check(
        z.maxLength(40),
        z.overwrite((value) => value.replace(/\D/g, '')),
      ),
    }),
  ],
  'Please enter a card number.',
);
export type SandboxAction = z.infer<typeof sandboxPaySchema>;

/** Payload of `POST /sandbox/settle/{key}`: ends a pending payment, as a bank would later, or takes a paid one back. */
export const sandboxSettleSchema = z.object({
  outcome: z._default(z.enum(['succeeded', 'failed', 'refunded', 'disputed']), 'succeeded'),
});
export type SandboxSettle = z.infer<typeof sandboxSettleSchema>;

const eventId = z.string().check(z.minLength(1), z.maxLength(100));
const orderId = z.string().check(z.maxLength(64));

/** Payload of `POST /pay/webhook/sandbox`, signed: what became of a payment. */
const sandboxEventSchema = z.object({
  id: eventId,
  type: z.enum(['pending', 'succeeded', 'failed', 'cancelled']),
  orderId,
  reference: z.string().check(z.maxLength(100)),
  cents: z.number().check(z.int()),
  currency: z.string().check(z.maxLength(3)),
});

export type SandboxEvent = z.infer<typeof sandboxEventSchema>;

/** The same: money that went back. */
const sandboxReversalSchema = z.object({
  id: eventId,
  type: z.enum(['refunded', 'disputed']),
  orderId,
  payment: z.string().check(z.maxLength(100)),
});

export type SandboxReversal = z.infer<typeof sandboxReversalSchema>;

export const sandboxWebhookSchema = z.union([sandboxReversalSchema, sandboxEventSchema]);
