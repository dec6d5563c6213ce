import { readStored, removeStored, writeStored } from '../lib/utils/browser-storage';
import { randomId } from '../lib/utils/random-id';
import type { Ordering } from './checkout-machine';

/**
 * One attempt to buy: the key that makes `POST /pay/create` answer with the same order, and that order's id once there
 * is one. It lives in session storage, so a closed overlay, a reload or a lost answer goes on with the same order
 * instead of a second. This is the only place that knows the pending order.
 */
type Attempt = { key: string; what: string; orderId: string | null };

const ATTEMPT = 'buyAttempt';

function read(): Attempt | null {
  try {
    const value: unknown = JSON.parse(readStored(ATTEMPT, 'sessionStorage') ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { key, what, orderId } = value as Record<string, unknown>;
    if (typeof key !== 'string' || typeof what !== 'string') return null;
    return { key, what, orderId: typeof orderId === 'string' ? orderId : null };
  } catch {
    return null;
  }
}

function write(attempt: Attempt): void {
  writeStored(ATTEMPT, JSON.stringify(attempt), 'sessionStorage');
}

/** What makes two attempts the same: the plan, the buyer and the page with its query, which the order's addresses hold. */
function subject(productsId: string, { email, renews }: Ordering): string {
  const { pathname, search } = window.location;
  return JSON.stringify([productsId, renews, email.trim().toLowerCase(), pathname, search]);
}

/** The key of the attempt to buy this, and whether it was begun before in this window. */
export function attemptFor(productsId: string, ordering: Ordering): { key: string; wasRunning: boolean } {
  const attempt = read();
  if (attempt?.what === subject(productsId, ordering)) return { key: attempt.key, wasRunning: true };
  return { key: beginAnew(productsId, ordering), wasRunning: false };
}

/** Begins a new attempt in place of the one before; its key. */
export function beginAnew(productsId: string, ordering: Ordering): string {
  const key = randomId();
  write({ key, what: subject(productsId, ordering), orderId: null });
  return key;
}

/** Remembers the attempt's order for the pages that wait for its result. */
export function keepOrder(orderId: string): void {
  const attempt = read();
  if (attempt) write({ ...attempt, orderId });
}

/** The order that waits for its result, if there is one. */
export function pendingOrder(): string | null {
  return read()?.orderId ?? null;
}

/** The attempt is over, and its order with it: paid, cancelled, failed or expired. Another attempt's end changes nothing. */
export function endAttempt(orderId: string): void {
  if (pendingOrder() === orderId) removeStored(ATTEMPT, 'sessionStorage');
}
