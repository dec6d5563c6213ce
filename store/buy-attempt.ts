import { readStored, removeStored, writeStored } from '../lib/utils/browser-storage';
import { randomId } from '../lib/utils/random-id';
import { useCheckout } from './checkout-state';

/**
 * One attempt to buy: the key that makes `POST /pay/create` answer with the same order, and that order's id. It lives
 * in session storage, so a closed overlay, a reload or a lost answer goes on with the same order instead of a second.
 */
type Attempt = { key: string; what: string };

const ATTEMPT = 'buyAttempt';
const ORDER = 'orderId';

function read(): Attempt | null {
  try {
    const value: unknown = JSON.parse(readStored(ATTEMPT, 'sessionStorage') ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { key, what } = value as Record<string, unknown>;
    return typeof key === 'string' && typeof what === 'string' ? { key, what } : null;
  } catch {
    return null;
  }
}

/** What makes two attempts the same: the plan, the buyer and the page with its query, which the order's addresses hold. */
function subject(productsId: string, email: string): string {
  return JSON.stringify([
    productsId,
    useCheckout.getState().renews,
    email.trim().toLowerCase(),
    window.location.pathname,
    window.location.search,
  ]);
}

/** True when this purchase was begun before in this window. */
export function isAttemptRunning(productsId: string, email: string): boolean {
  return read()?.what === subject(productsId, email);
}

/** The running attempt's key, or a new one. */
export function attemptKey(productsId: string, email: string): string {
  const attempt = read();
  return attempt?.what === subject(productsId, email) ? attempt.key : newAttempt(productsId, email);
}

/** Begins a new attempt. */
export function newAttempt(productsId: string, email: string): string {
  const attempt = { key: randomId(), what: subject(productsId, email) };
  writeStored(ATTEMPT, JSON.stringify(attempt), 'sessionStorage');
  return attempt.key;
}

/** The attempt is over: paid, cancelled, failed or expired. */
export function endAttempt(): void {
  removeStored(ATTEMPT, 'sessionStorage');
}

/** Remembers the order for the pages that wait for its result. */
export function keepOrder(orderId: string): void {
  writeStored(ORDER, orderId, 'sessionStorage');
}

/** The order of the address, else the remembered one. */
export function currentOrder(search: string): string | null {
  return new URLSearchParams(search).get('orderId') ?? readStored(ORDER, 'sessionStorage');
}
