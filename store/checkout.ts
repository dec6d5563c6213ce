import { marketingChannel } from '../lib/catalog/limits';
import { type Plan, planProductName, productsPriceId } from '../lib/catalog/plans';
import { refusals } from '../lib/contract/errors';
import type { OrderRequest, OrderStatus } from '../lib/contract/store';
import { channel, storedUuid } from '../lib/utils/client-values';
import { withoutParameters } from '../lib/utils/query';
import { visit } from '../lib/utils/visit';
import { useAppState } from './app-state';
import { attemptKey, endAttempt, isAttemptRunning, keepOrder, newAttempt } from './buy-attempt';
import { closedCheckout, useCheckout } from './checkout-state';
import { logEvent } from './event-log';
import { loadProducts, rowFor } from './products';
import { showToast } from './toasts';

/** Opens the overlay for a plan; while one is open a second click does nothing. */
export function buy(plan: Plan): void {
  if (useCheckout.getState().phase !== 'closed') return;
  const { userInfo } = useAppState.getState();
  useAppState.setState({ showPayDialog: true, productName: planProductName(plan) });
  useCheckout.setState({ ...closedCheckout, plan, phase: userInfo ? 'ordering' : 'email' });
  logEvent('buy', { productsId: plan.productsId });
  if (userInfo) void order(userInfo.email);
}

/** Specification section 4, "Purchase", steps 1 to 4. */
export async function order(email: string): Promise<void> {
  const { plan } = useCheckout.getState();
  if (!plan) return;
  useCheckout.setState({ phase: 'ordering' });
  try {
    await loadProducts(plan.website);
    const productsId = rowFor(plan.website, plan.os, plan.type)?.productsId ?? plan.productsId;
    let opening = await openPayment(productsId, email);
    // The remembered order was closed meanwhile, as after Cancel: a new one takes its place.
    if (opening.next === 'again') opening = await openPayment(productsId, email);
    if (useCheckout.getState().plan === plan) goOn(opening);
  } catch (error) {
    // A part of the program did not load; the error goes on to who reloads the page for that.
    stop('The checkout didn’t load. Check your connection and try again.');
    throw error;
  }
}

function goOn(opening: Opening): void {
  if (opening.next === 'pay') useCheckout.setState({ phase: 'paying', ...opening.payment });
  else if (opening.next === 'leave') {
    closeCheckout();
    window.location.assign(opening.address);
  } else stop(opening.next === 'stop' ? opening.msg : 'This order is closed. Please choose the product again.');
}

type Opening =
  | { next: 'pay'; payment: { orderId: string; redirectUrl: string } }
  | { next: 'again' }
  | { next: 'leave'; address: string }
  | { next: 'stop'; msg: string };

/** Makes or finds the order and asks for its payment page. */
async function openPayment(productsId: string, email: string): Promise<Opening> {
  const { createOrder, payInfo, requestPayment } = await import('../services/pay');
  const isRunning = isAttemptRunning(productsId, email);
  const created = await createOrder(orderPayload(productsId, email), attemptKey(productsId, email));
  if (!created.ok) {
    // The attempt began with other details, as before the visitor agreed to cookies: nothing was paid, so begin anew.
    const isOther = created.error.kind === 'refusal' && created.error.code === refusals.conflict.code;
    if (!isOther || !isRunning) return { next: 'stop', msg: created.error.msg };
    newAttempt(productsId, email);
    return { next: 'again' };
  }
  const { orderId } = created.value;
  keepOrder(orderId);
  const payment = await requestPayment({ orderId, payExtend: '{}' });
  if (payment.ok) {
    return { next: 'pay', payment: { orderId, redirectUrl: withBusinessOrder(payment.value.redirectUrl) } };
  }
  // Refused: how the order stands says whether to wait for its result or to begin anew. Anything else is tried again as it is.
  const info = payment.error.kind === 'refusal' ? await payInfo(orderId) : null;
  const address = info?.ok ? resultAddress(orderId, info.value.status) : null;
  if (address) return { next: 'leave', address };
  if (info?.ok && (info.value.status === 'cancelled' || info.value.status === 'expired')) {
    newAttempt(productsId, email);
    return { next: 'again' };
  }
  return { next: 'stop', msg: payment.error.msg };
}

/** Where an order with this state is shown; null while nothing was paid. */
function resultAddress(orderId: string, status: OrderStatus | null): string | null {
  if (status === 'success') return `/packge-loading?orderId=${encodeURIComponent(orderId)}`;
  return status === 'pending' ? `/pending?orderId=${encodeURIComponent(orderId)}` : null;
}

/** Section 8: the toast shows the server's words and all loading states are reset. */
function stop(msg: string): void {
  showToast(msg, 'error');
  closeCheckout();
}

function orderPayload(productsId: string, email: string): OrderRequest {
  const { gcid, gclid, clientId } = visit();
  const here = new URL(
    withoutParameters(window.location.href, ['toast', 'tip', 'ticket', 'token']),
    window.location.origin,
  );
  here.hash = '';
  const successUrl = new URL('/packge-loading', here);
  successUrl.search = here.search;
  const cancelUrl = new URL(here);
  cancelUrl.searchParams.set('toast', 'error');
  cancelUrl.searchParams.set('tip', 'payment_cancelled');
  return {
    cancelUrl: cancelUrl.href,
    email,
    marketingChannel,
    orderAdInfoExtend: JSON.stringify({ gcid, gclid }),
    transparentExtend: JSON.stringify({ channel: channel() ?? null, clientId }),
    productsId,
    productsPriceId,
    successUrl: successUrl.href,
    // Only a kept id: one that is new with each load would make another order of the same attempt.
    userExtend: JSON.stringify({ trackId: storedUuid() ?? null }),
  };
}

/** Step 4: a `businessOrderCode` of the page's query goes on to the provider, together with `model`. */
export function withBusinessOrder(redirectUrl: string, search: string = window.location.search): string {
  const query = new URLSearchParams(search);
  const code = query.get('businessOrderCode');
  if (code === null) return redirectUrl;
  const url = new URL(redirectUrl, window.location.origin);
  url.searchParams.set('businessOrderCode', code);
  const model = query.get('model');
  if (model !== null) url.searchParams.set('model', model);
  return url.href;
}

/** Closes the overlay and resets every loading state. */
export function closeCheckout(): void {
  useCheckout.setState(closedCheckout);
  useAppState.setState({ showPayDialog: false });
}

/**
 * The buyer closed the overlay. A payment may have gone through in the same moment, so the order is asked first:
 * the answer is the address to go to, or null when nothing was paid.
 */
export async function abandonCheckout(): Promise<string | null> {
  const { orderId } = useCheckout.getState();
  closeCheckout();
  if (!orderId) return null;
  const { payInfo } = await import('../services/pay');
  const answer = await payInfo(orderId);
  const status = answer.ok ? answer.value.status : null;
  if (status === 'cancelled' || status === 'expired') endAttempt();
  return resultAddress(orderId, status);
}
