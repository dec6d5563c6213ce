import type { Plan } from '../lib/catalog/plans';

/** What is bought, and for whom: `renews` is the owned plan that it prolongs, null for a first purchase. */
type Purchase = { plan: Plan; renews: string | null; email: string };

/**
 * The checkout (lib/contract/README.md, 70): `email` asks a guest for an address and says why the last try led
 * nowhere, `ordering` makes order and payment, `paying` frames the payment page.
 */
export type Checkout =
  | { is: 'closed' }
  | (Purchase & { is: 'email'; problem: string })
  | (Purchase & { is: 'ordering' })
  | (Purchase & { is: 'paying'; redirectUrl: string });

/** A checkout whose order is being made. */
export type Ordering = Extract<Checkout, { is: 'ordering' }>;

/** What can happen to a checkout. */
export type CheckoutEvent =
  /** A plan is to be bought; `email` is the signed-in buyer's, null for a guest. */
  | { type: 'open'; plan: Plan; renews: string | null; email: string | null }
  /** The guest gave an address. */
  | { type: 'address'; email: string }
  /** The payment page of the order is there. */
  | { type: 'pay'; redirectUrl: string }
  /** The order could not be made for a reason that is not the buyer's: back to the question, with words. */
  | { type: 'askAgain'; problem: string }
  | { type: 'close' };

/** The checkout's one transition function. What does not fit the state changes nothing, and the same object comes back. */
export function nextCheckout(state: Checkout, event: CheckoutEvent): Checkout {
  switch (event.type) {
    case 'open': {
      // While one is open a second click does nothing.
      if (state.is !== 'closed') return state;
      const { plan, renews, email } = event;
      if (email === null) return { is: 'email', plan, renews, email: '', problem: '' };
      return { is: 'ordering', plan, renews, email };
    }
    case 'address': {
      if (state.is !== 'email') return state;
      return { is: 'ordering', plan: state.plan, renews: state.renews, email: event.email };
    }
    case 'pay':
      return state.is === 'ordering' ? { ...state, is: 'paying', redirectUrl: event.redirectUrl } : state;
    case 'askAgain':
      return state.is === 'ordering' ? { ...state, is: 'email', problem: event.problem } : state;
    case 'close':
      return state.is === 'closed' ? state : { is: 'closed' };
  }
}
