import { create } from 'zustand';
import type { Website } from '../lib/catalog/types';
import { storeServiceValues } from '../lib/utils/client-values';
import type { Checkout } from './checkout-machine';
import { nextSession, type Session, type SessionEvent, type UserInfo } from './session-machine';
import type { SignInQuestion } from './sign-in-question';

/**
 * App state (lib/contract/README.md, 36). Its user info and `showPayDialog` are read from `session` and `checkout` by the
 * functions below, and `productName` by `product-name.ts`, so that no two of them can disagree.
 */
export type AppState = {
  session: Session;
  /** Asked before a sign-in by address takes effect. */
  question: SignInQuestion | null;
  checkout: Checkout;
  channel: string | null;
  website: Website;
  showNavBar: boolean;
  showFooterBar: boolean;
};

/** The checkout while nothing is bought. */
export const closed: Checkout = { is: 'closed' };

/** The one store of what several screens must know. */
export const useAppState = create<AppState>(() => ({
  session: { is: 'unknown' },
  question: null,
  checkout: closed,
  channel: null,
  website: 'recovery',
  showNavBar: true,
  showFooterBar: true,
}));

/** Who is signed in, or remembered while that is checked. */
export function userInfo({ session }: Pick<AppState, 'session'>): UserInfo | null {
  return 'user' in session ? session.user : null;
}

/** True while the overlay of the checkout is open. */
export const showPayDialog = ({ checkout }: Pick<AppState, 'checkout'>): boolean => checkout.is !== 'closed';

/** Something happened to the session; answers how it stood before. */
export function sessionStep(event: SessionEvent): Session {
  const { session } = useAppState.getState();
  useAppState.setState({ session: nextSession(session, event) });
  return session;
}

/** The brand that is meant from here on: for the screens, and stored for the header of every call. */
export function meanWebsite(website: Website): void {
  storeServiceValues(website);
  useAppState.setState({ website });
}
