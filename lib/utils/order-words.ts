import type { PayInfo } from '../contract/pay';

/** How a state of an order is said: never by its code. */
export type OrderWords = { title: string; lead: string };

/** Heading and sentence for an order in the state that the server says; only a paid one is thanked for. */
export function orderWords({ status, paidAt }: Pick<PayInfo, 'status' | 'paidAt'>): OrderWords {
  if (status === 'success') {
    return {
      title: 'Thank you for your order',
      lead: 'Download, install, enter the licence code from the mail. That is all.',
    };
  }
  // Closed after it was paid: withdrawn from, given back, or taken back by the bank.
  if (paidAt) {
    return {
      title: 'This order is closed',
      lead: 'Its money went back, and its licence no longer works. The mail we sent you says why.',
    };
  }
  return unpaid[status];
}

const unpaid: Record<Exclude<PayInfo['status'], 'success'>, OrderWords> = {
  created: {
    title: 'Waiting for your payment',
    lead: 'This order isn’t paid yet. If you have just paid, the result is here in a moment.',
  },
  pending: {
    title: 'Payment pending',
    lead: 'Your payment isn’t confirmed yet. The payment result will be sent to you by e-mail.',
  },
  cancelled: { title: 'Payment cancelled', lead: 'You were not charged. Your order is closed.' },
  failed: {
    title: 'The payment did not go through',
    lead: 'You were not charged. You can try again with another card.',
  },
  expired: { title: 'This order has expired', lead: 'It was not paid in time, and nothing was charged.' },
};
