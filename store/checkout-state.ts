import { create } from 'zustand';
import type { Plan } from '../lib/catalog/plans';

/** The checkout: `email` asks a guest for an address, `ordering` makes order and payment, `paying` shows the frame. */
export type CheckoutState = {
  phase: 'closed' | 'email' | 'ordering' | 'paying';
  plan: Plan | null;
  orderId: string | null;
  redirectUrl: string | null;
  /** The owned plan that is renewed; null for a first purchase. */
  renews: string | null;
  /** What a guest typed, and why it led nowhere yet. */
  email: string;
  problem: string;
};

/** Nothing is being bought. */
export const closedCheckout: CheckoutState = {
  phase: 'closed',
  plan: null,
  orderId: null,
  redirectUrl: null,
  renews: null,
  email: '',
  problem: '',
};

/** State of the checkout overlay; apart from the code that buys, which loads with the first click. */
export const useCheckout = create<CheckoutState>(() => closedCheckout);
