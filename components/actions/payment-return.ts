import { productLines } from '@/lib/catalog/brands';
import { isFramedByOwn } from '@/lib/utils/framed';
import { withoutParameters } from '@/lib/utils/query';
import { logEvent } from '@/store/event-log';
import { showToast } from '@/store/toasts';

/** What is said of a payment that the buyer left, by whichever way. */
export const PAYMENT_CANCELLED = 'Payment cancelled';

/** Where something is bought, and a buyer who left the payment comes back to: the stores, the package page and the account, which renews. */
const boughtAt: readonly string[] = [
  ...Object.values(productLines).map(({ store }) => store),
  '/packge-loading',
  '/account',
];

/** Known tips of a `toast` query; nothing else of the address is ever shown (lib/contract/README.md, 72). */
const tips: Record<string, { tone: 'error' | 'status'; text: string; on: readonly string[] }> = {
  payment_cancelled: { tone: 'error', text: PAYMENT_CANCELLED, on: boughtAt },
};

/** Shows the toast that the address asks for, if it is one of ours that such a page has to say, and takes the query away. */
export function readQueryToast(): void {
  const { pathname, search, href } = window.location;
  const query = new URLSearchParams(search);
  if (!query.has('toast')) return;
  const tip = tips[query.get('tip') ?? ''];
  window.history.replaceState(window.history.state, '', withoutParameters(href, ['toast', 'tip']));
  if (!tip?.on.includes(pathname.replace(/\/+$/, ''))) return;
  showToast(tip.text, tip.tone);
  logEvent('order_result', { status: 'cancelled' });
}

/** Message with which a framed page of ours hands its address to the page that opened the checkout. */
export const RETURN_MESSAGE = 'mendara:checkout-return';

/** Message with which the framed payment page asks to be closed: Escape is heard where the focus is, which is inside the frame. */
export const CLOSE_MESSAGE = 'mendara:checkout-close';

/** Paths that stand inside a frame on purpose. */
const framedOnPurpose = ['/tools/Banner', '/checkout'];

/**
 * successUrl and cancelUrl load inside the checkout's frame: the page hands its address over and does nothing else
 * (lib/contract/README.md, 72). True when it did.
 */
export function handOverFramedAddress(): boolean {
  if (!isFramedByOwn() || framedOnPurpose.some((path) => window.location.pathname.startsWith(path))) return false;
  window.parent.postMessage({ type: RETURN_MESSAGE, href: window.location.href }, window.location.origin);
  return true;
}
