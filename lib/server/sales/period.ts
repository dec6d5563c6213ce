import 'server-only';
import type { PlanType } from '../../catalog/types';

/**
 * So long a licence whose renewal is due goes on: the provider's answer may take minutes, a standstill of the server
 * longer, and a buyer whose card was refused needs time to name another one.
 */
export const RENEWAL_GRACE_MS = 3 * 86_400_000;

/**
 * The instant one billing period after `from`, in UTC; null for perpetual licences. A month after 31 January is the
 * last day of February, and the month after that ends on the 31st again, since `anchor` is the day it all began on.
 */
export function addPeriod(from: Date, type: PlanType, anchor: Date = from): Date | null {
  if (type === 'perpetual') return null;
  const next = new Date(from);
  if (type === 'week') {
    next.setUTCDate(next.getUTCDate() + 7);
    return next;
  }
  next.setUTCDate(1);
  next.setUTCMonth(next.getUTCMonth() + (type === 'month' ? 1 : 12));
  const lastDay = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate();
  next.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return next;
}
