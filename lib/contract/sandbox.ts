/** `obj` of `GET /sandbox/checkout/{key}`: what the sandbox's hosted page shows; `amount` is a decimal string. */
export type SandboxCheckout = {
  title: string;
  email: string;
  amount: string;
  currency: string;
  status: 'open' | 'pending' | 'succeeded' | 'cancelled';
};

/** Payload of `POST /sandbox/checkout/{key}`. The card number decides the outcome and is never stored. */
export type SandboxAction = { cardNumber: string } | { action: 'cancel' };

/** `obj` of `POST /sandbox/checkout/{key}`: where the hosted page goes next. A declined card is a refusal instead. */
export type SandboxNext = { url: string };

/** Payload of `POST /sandbox/settle/{key}`: ends a pending payment, as a bank would later, or takes a paid one back. */
export const sandboxOutcomes = ['succeeded', 'failed', 'refunded', 'disputed'] as const;
export type SandboxSettle = { outcome: (typeof sandboxOutcomes)[number] };

/** The cards of the sandbox and what each does. */
export const sandboxCards = {
  succeeds: '4242 4242 4242 4242',
  declines: '4000 0000 0000 0002',
  pending: '4000 0000 0000 0259',
} as const;
