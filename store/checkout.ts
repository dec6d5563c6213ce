import { limits } from '../lib/catalog/limits';
import { type Plan, plansFor, productByName } from '../lib/catalog/plans';
import type { OwnedProduct } from '../lib/contract/account';
import { leaveFor } from '../lib/utils/going';
import { useAppState, userInfo } from './app-state';
import { endAttempt, pendingOrder } from './buy-attempt';
import { leaveCheckoutEntry } from './checkout-entry';
import { type Checkout, type CheckoutEvent, nextCheckout, type Ordering } from './checkout-machine';
import { logEvent } from './event-log';
import { type Opening, openPayment, resultAddress } from './open-payment';
import { isPartFailure, PART_FAILED, partFailed } from './parts';
import { loadProducts, rowFor } from './products';
import { showToast } from './toasts';

/** Something happened to the checkout; answers how it stands now. */
function step(event: CheckoutEvent): Checkout {
  const checkout = nextCheckout(useAppState.getState().checkout, event);
  useAppState.setState({ checkout });
  return checkout;
}

/** True while nothing has happened to the checkout since this order was begun: an answer to another one is not its own. */
const isStill = (ordering: Ordering) => useAppState.getState().checkout === ordering;

/** Opens the overlay for a plan; while one is open a second click does nothing. `renews` is the owned plan it prolongs. */
export function buy(plan: Plan, renews: string | null = null): void {
  const state = useAppState.getState();
  const opened = step({ type: 'open', plan, renews, email: userInfo(state)?.email ?? null });
  if (opened === state.checkout) return;
  logEvent('buy', { productsId: plan.productsId });
  if (opened.is === 'ordering') void order(opened);
}

/** Renews an owned plan: the same plan is bought, and prolongs this one instead of beginning another. */
export function renew(row: OwnedProduct): void {
  const { line, os } = productByName(row.product);
  const plan = plansFor(line.website, os).find(({ type }) => type === row.type);
  if (plan) buy(plan, row.id);
  else leaveFor(`${line.store}?ufrom=${os}`);
}

/** A guest gave an address: the order is made. */
export function orderFor(email: string): void {
  const checkout = step({ type: 'address', email });
  if (checkout.is === 'ordering') void order(checkout);
}

/** Steps 1 to 4 of buying (lib/contract/README.md, 70). */
async function order(ordering: Ordering): Promise<void> {
  const { plan } = ordering;
  try {
    // The catalogue's own number stands where the list does not come soon.
    await Promise.race([loadProducts(plan.website), new Promise((done) => setTimeout(done, limits.priceListMs))]);
    const productsId = rowFor(plan.website, plan.os, plan.type)?.productsId ?? plan.productsId;
    let opening = await openPayment(productsId, ordering);
    // The remembered order was closed meanwhile, as after Cancel: a new one takes its place.
    if (opening.next === 'again') opening = await openPayment(productsId, ordering);
    if (isStill(ordering)) goOn(opening);
  } catch (error) {
    if (!isPartFailure(error)) throw error;
    if (isStill(ordering)) failed(ordering);
  }
}

/** A part of the program did not load: the buyer is back where they were, with what they typed and a way to try again. */
function failed({ plan, renews }: Ordering): void {
  if (userInfo(useAppState.getState())) {
    // The page may be loaded anew for it, which a step back would end.
    closeCheckout();
    partFailed(() => buy(plan, renews));
  } else step({ type: 'askAgain', problem: PART_FAILED });
}

function goOn(opening: Opening): void {
  if (opening.next === 'pay') step({ type: 'pay', redirectUrl: opening.redirectUrl });
  else if (opening.next === 'leave') {
    closeCheckout();
    leaveFor(opening.address);
  } else {
    // The toast shows the server's words and all loading states are reset (lib/contract/README.md, 70).
    showToast(
      opening.next === 'stop' ? opening.msg : 'This order is closed. Please choose the product again.',
      'error',
    );
    if (opening.next === 'stop' && opening.isSessionOver) closeCheckout();
    else void backToPage();
  }
}

/** Closes the overlay and resets every loading state. */
export function closeCheckout(): void {
  step({ type: 'close' });
}

/** Closes the overlay, and with it its entry of the history: the buyer stays on the page. */
export function backToPage(): Promise<void> {
  closeCheckout();
  return leaveCheckoutEntry();
}

/**
 * The buyer closed the overlay. A payment may have gone through in the same moment, so the order is asked first:
 * the answer is the address to go to, or null when nothing was paid.
 */
export async function abandonCheckout(): Promise<string | null> {
  const wasPaying = useAppState.getState().checkout.is === 'paying';
  const isBack = backToPage();
  const orderId = wasPaying ? pendingOrder() : null;
  if (!orderId) return null;
  const { payInfo } = await import('../services/pay');
  const answer = await payInfo(orderId);
  if (!answer.ok) return null;
  if (answer.value.status === 'cancelled' || answer.value.status === 'expired') endAttempt(orderId);
  const address = resultAddress(orderId, answer.value);
  if (!address) logEvent('order_result', { status: 'cancelled' });
  // An address that is gone to meanwhile would be left again.
  await isBack;
  return address;
}
