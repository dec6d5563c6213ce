import type { PayInfo } from '../lib/contract/pay';
import { readStored, writeStored } from '../lib/utils/browser-storage';
import { hasAgreed } from '../lib/utils/consent';
import { RESULT } from '../lib/utils/consent-withdrawal';
import { logEvent } from './event-log';

/** Logs how an order ended or waits, once for each state that it comes to: a page that is loaded again has no news of it. */
export function logOrderResult({ orderId, status }: Pick<PayInfo, 'orderId' | 'status'>): void {
  const result = `${orderId} ${status}`;
  // What the payment's frame led to is gone before anything of it is sent, and the page around it says the same.
  if (window.parent !== window) return;
  if (!hasAgreed() || readStored(RESULT, 'sessionStorage') === result) return;
  writeStored(RESULT, result, 'sessionStorage');
  logEvent('order_result', { status });
}
