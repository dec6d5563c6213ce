'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef } from 'react';
import { Icon } from '@/components/ui/icon';
import type { Plan } from '@/lib/catalog/plans';
import { programAddress } from '@/lib/utils/going';
import { useAppState } from '@/store/app-state';
import { abandonCheckout, backToPage, closeCheckout, orderFor } from '@/store/checkout';
import { enterCheckout, isCheckoutEntry } from '@/store/checkout-entry';
import { withPart } from '@/store/parts';
import { productName } from '@/store/product-name';
import { showToast } from '@/store/toasts';
import styles from './checkout-dialog.module.scss';
import { CheckoutEmail } from './checkout-email';
import { CheckoutStage } from './checkout-stage';
import { usePrice } from './live-price';
import { CLOSE_MESSAGE, PAYMENT_CANCELLED, RETURN_MESSAGE, readQueryToast } from './payment-return';

/** So long the order's state is waited for before a closed overlay counts as cancelled. */
const ANSWER_MS = 3000;

/** Total, period and the way to stop, said before any payment (Directive 2011/83/EU, article 8(2)). */
function termsWords(type: Plan['type'], total: string): string {
  if (type === 'perpetual') return `Total ${total}, including any tax, paid once. Nothing renews.`;
  return `Total today ${total}, including any tax. Then ${total} every ${type}, until you press Cancel in your account.`;
}

/** Where the provider's frame led, if a page of ours says so in it. */
function returnAddress(event: MessageEvent): URL | null {
  if (event.origin !== window.location.origin) return null;
  const { type, href } = (event.data ?? {}) as { type?: unknown; href?: unknown };
  if (type !== RETURN_MESSAGE || typeof href !== 'string') return null;
  const url = new URL(href, window.location.origin);
  return url.origin === window.location.origin ? url : null;
}

/** Whether the payment page in the frame says that Escape was pressed there. */
function asksToClose({ origin, data }: MessageEvent): boolean {
  return origin === window.location.origin && (data as { type?: unknown } | null)?.type === CLOSE_MESSAGE;
}

/** The overlay that holds the provider's payment page (lib/contract/README.md, 70). */
export function CheckoutDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const checkout = useAppState((state) => state.checkout);
  const product = useAppState(productName);
  const total = usePrice(checkout.is === 'closed' ? undefined : checkout.plan);

  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    if (element && !element.open) element.showModal();
    // The browser puts the focus on the first control, Close; what is asked for comes before it.
    element?.querySelector('input')?.focus();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);

  const leave = useCallback(() => {
    void withPart(async () => {
      const asked = abandonCheckout();
      const isLate = new Promise<null>((resolve) => setTimeout(() => resolve(null), ANSWER_MS));
      if (!(await Promise.race([asked.catch(() => null), isLate]))) showToast(PAYMENT_CANCELLED, 'error');
      const address = await asked;
      if (address) router.push(programAddress(address));
    });
  }, [router]);

  // Back closes the overlay and leaves the page where it is; a payment that went through meanwhile is found as by Close.
  useEffect(() => enterCheckout(leave), [leave]);

  useEffect(() => {
    const onMessage = (event: MessageEvent) => {
      if (asksToClose(event)) return leave();
      const url = returnAddress(event);
      if (!url) return;
      if (url.pathname === window.location.pathname) {
        // Back on the page that is still here: its address says what happened, and the toast shows it.
        const address = `${url.pathname}${url.search}${window.location.hash}`;
        window.history.replaceState(window.history.state, '', address);
        readQueryToast();
        void backToPage();
        return;
      }
      closeCheckout();
      // The result takes the place of the overlay, so that Back leads to the page that it was opened on.
      if (isCheckoutEntry()) router.replace(programAddress(url.href));
      else router.push(programAddress(url.href));
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, [router, leave]);

  if (checkout.is === 'closed') return null;
  const { plan } = checkout;
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="checkout-title"
      aria-describedby="checkout-terms"
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      <div className={styles.head}>
        <h2 id="checkout-title">
          {product}, {plan.name}, {total}
        </h2>
        <button type="button" className={styles.close} aria-label="Close" onClick={leave}>
          <Icon name="x" />
        </button>
      </div>
      <p className={styles.terms} id="checkout-terms">
        {termsWords(plan.type, total)}
      </p>
      {checkout.is === 'email' ? (
        <CheckoutEmail initial={checkout.email} problem={checkout.problem} onSubmit={orderFor} />
      ) : (
        <CheckoutStage redirectUrl={checkout.is === 'paying' ? checkout.redirectUrl : null} />
      )}
      <p className={styles.foot}>256-bit SSL. Your receipt and licence code come by e-mail.</p>
    </dialog>
  );
}
