import { productByName } from '../lib/catalog/plans';
import { CONFLICT } from '../lib/contract/codes';
import type { PayInfo } from '../lib/contract/pay';
import { programAddress } from '../lib/utils/going';
import type { ApiError } from '../services/api-error';
import { attemptFor, beginAnew, keepOrder } from './buy-attempt';
import type { Ordering } from './checkout-machine';
import { orderPayload, withBusinessOrder } from './order-payload';

/** Where an order and its payment lead: to the payment page, to a result that is there already, or nowhere. */
export type Opening =
  | { next: 'pay'; redirectUrl: string }
  | { next: 'again' }
  | { next: 'leave'; address: string }
  | { next: 'stop'; msg: string; isSessionOver: boolean };

/** An error that ends the attempt; the end of the session leads home by itself. */
function stop({ msg, kind }: ApiError): Opening {
  return { next: 'stop', msg, isSessionOver: kind === 'session' };
}

/** Makes or finds the order and asks for its payment page (lib/contract/README.md, 70: steps 1, 2 and 4). */
export async function openPayment(productsId: string, ordering: Ordering): Promise<Opening> {
  const { createOrder, payInfo, requestPayment } = await import('../services/pay');
  const { key, wasRunning } = attemptFor(productsId, ordering);
  const created = await createOrder(orderPayload(productsId, ordering), key);
  if (!created.ok) {
    // The attempt began with other details, as before the visitor agreed to cookies: nothing was paid, so begin anew.
    const isOther = created.error.kind === 'refusal' && created.error.code === CONFLICT;
    if (!isOther || !wasRunning) return stop(created.error);
    beginAnew(productsId, ordering);
    return { next: 'again' };
  }
  const { orderId } = created.value;
  keepOrder(orderId);
  const payment = await requestPayment({ orderId, payExtend: '{}' });
  if (payment.ok) return { next: 'pay', redirectUrl: withBusinessOrder(payment.value.redirectUrl) };
  // Refused: how the order stands says whether to wait for its result or to begin anew. Anything else is tried again as it is.
  const info = payment.error.kind === 'refusal' ? await payInfo(orderId) : null;
  const address = info?.ok ? resultAddress(orderId, info.value) : null;
  if (address) return { next: 'leave', address };
  if (info?.ok && (info.value.status === 'cancelled' || info.value.status === 'expired')) {
    beginAnew(productsId, ordering);
    return { next: 'again' };
  }
  return stop(payment.error);
}

/** Where an order with this state is shown, in its product's skin; null while nothing was paid. */
export function resultAddress(
  orderId: string,
  { status, productName }: Pick<PayInfo, 'status' | 'productName'>,
): string | null {
  if (status !== 'success' && status !== 'pending') return null;
  const page = status === 'success' ? '/packge-loading' : '/pending';
  const query = new URLSearchParams({ orderId, website: productByName(productName).line.website });
  return programAddress(`${page}?${query}`);
}
