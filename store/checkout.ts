import { marketingChannel } from '../lib/catalog/limits';
import { type Plan, planProductName, plansFor, productByName, productsPriceId } from '../lib/catalog/plans';
import type { Website } from '../lib/catalog/types';
import type { OwnedProduct } from '../lib/contract/account';
import { CONFLICT } from '../lib/contract/codes';
import type { PayInfo } from '../lib/contract/pay';
import type { OrderRequest } from '../lib/contract/requests/pay';
import { channel, storedUuid } from '../lib/utils/client-values';
import { leaveFor, programAddress } from '../lib/utils/going';
import { withoutUsedOnce } from '../lib/utils/query';
import { visit } from '../lib/utils/visit';
import { useAppState } from './app-state';
import { attemptKey, endAttempt, isAttemptRunning, keepOrder, newAttempt } from './buy-attempt';
import { closedCheckout, useCheckout } from './checkout-state';
import { logEvent } from './event-log';
import { isPartFailure, PART_FAILED, partFailed } from './parts';
import { loadProducts, rowFor } from './products';
import { showToast } from './toasts';

/** Opens the overlay for a plan; while one is open a second click does nothing. `renews` is the owned plan it prolongs. */
export function buy(plan: Plan, renews: string | null = null): void {
  if (useCheckout.getState().phase !== 'closed') return;
  const { userInfo } = useAppState.getState();
  useAppState.setState({ showPayDialog: true, productName: planProductName(plan) });
  useCheckout.setState({ ...closedCheckout, plan, renews, phase: userInfo ? 'ordering' : 'email' });
  logEvent('buy', { productsId: plan.productsId });
  if (userInfo) void order(userInfo.email);
}

/** Renews an owned plan: the same plan is bought, and prolongs this one instead of beginning another. */
export function renew(row: OwnedProduct): void {
  const { line, os } = productByName(row.product);
  const plan = plansFor(line.website, os).find(({ type }) => type === row.type);
  if (plan) buy(plan, row.id);
  else leaveFor(`${line.store}?ufrom=${os}`);
}

/** Specification section 4, "Purchase", steps 1 to 4. */
export async function order(email: string): Promise<void> {
  const { plan } = useCheckout.getState();
  if (!plan) return;
  useCheckout.setState({ phase: 'ordering', email, problem: '' });
  try {
    await loadProducts(plan.website);
    const productsId = rowFor(plan.website, plan.os, plan.type)?.productsId ?? plan.productsId;
    let opening = await openPayment(productsId, email);
    // The remembered order was closed meanwhile, as after Cancel: a new one takes its place.
    if (opening.next === 'again') opening = await openPayment(productsId, email);
    if (useCheckout.getState().plan === plan) goOn(opening);
  } catch (error) {
    if (!isPartFailure(error)) throw error;
    failed(plan, email);
  }
}

/** A part of the program did not load: the buyer is back where they were, with what they typed and a way to try again. */
function failed(plan: Plan, email: string): void {
  const { renews } = useCheckout.getState();
  if (useAppState.getState().userInfo) {
    closeCheckout();
    partFailed(() => buy(plan, renews));
  } else useCheckout.setState({ phase: 'email', email, problem: PART_FAILED });
}

function goOn(opening: Opening): void {
  if (opening.next === 'pay') useCheckout.setState({ phase: 'paying', ...opening.payment });
  else if (opening.next === 'leave') {
    closeCheckout();
    leaveFor(opening.address);
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
    const isOther = created.error.kind === 'refusal' && created.error.code === CONFLICT;
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
  const address = info?.ok ? resultAddress(orderId, info.value) : null;
  if (address) return { next: 'leave', address };
  if (info?.ok && (info.value.status === 'cancelled' || info.value.status === 'expired')) {
    newAttempt(productsId, email);
    return { next: 'again' };
  }
  return { next: 'stop', msg: payment.error.msg };
}

/** Where an order with this state is shown, in its product's skin; null while nothing was paid. */
function resultAddress(
  orderId: string,
  { status, productName }: Pick<PayInfo, 'status' | 'productName'>,
): string | null {
  if (status !== 'success' && status !== 'pending') return null;
  const page = status === 'success' ? '/packge-loading' : '/pending';
  const query = new URLSearchParams({ orderId, website: productByName(productName).line.website });
  return programAddress(`${page}?${query}`);
}

/** Section 8: the toast shows the server's words and all loading states are reset. */
function stop(msg: string): void {
  showToast(msg, 'error');
  closeCheckout();
}

function orderPayload(productsId: string, email: string): OrderRequest {
  const { gcid, gclid, clientId } = visit();
  const { plan, renews } = useCheckout.getState();
  const here = new URL(withoutUsedOnce(window.location.href), window.location.origin);
  here.hash = '';
  const cancelUrl = new URL(here);
  cancelUrl.searchParams.set('toast', 'error');
  cancelUrl.searchParams.set('tip', 'payment_cancelled');
  return {
    cancelUrl: cancelUrl.href,
    email,
    marketingChannel,
    orderAdInfoExtend: JSON.stringify({ gcid, gclid }),
    transparentExtend: JSON.stringify({ channel: channel() ?? null, clientId, ...(renews ? { renew: renews } : {}) }),
    productsId,
    productsPriceId,
    successUrl: new URL(successPath(plan?.website ?? 'recovery'), here).href,
    // Only a kept id: one that is new with each load would make another order of the same attempt.
    userExtend: JSON.stringify({ trackId: storedUuid() ?? null }),
  };
}

/** The return address names the brand, whose skin the pages of the order then wear. */
function successPath(website: Website): string {
  return programAddress(`/packge-loading?website=${website}`);
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
  if (!answer.ok) return null;
  if (answer.value.status === 'cancelled' || answer.value.status === 'expired') endAttempt();
  return resultAddress(orderId, answer.value);
}
