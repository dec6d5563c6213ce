import 'server-only';
import type { PlanType } from '../../catalog/types';

/**
 * The instant one billing period after `from`, in UTC; null for perpetual licences. A month after 31 January is the
 * last day of February.
 */
export function addPeriod(from: Date, type: PlanType): Date | null {
  if (type === 'perpetual') return null;
  const next = new Date(from);
  if (type === 'week') {
    next.setUTCDate(next.getUTCDate() + 7);
    return next;
  }
  const day = next.getUTCDate();
  next.setUTCDate(1);
  next.setUTCMonth(next.getUTCMonth() + (type === 'month' ? 1 : 12));
  const lastDay = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate();
  next.setUTCDate(Math.min(day, lastDay));
  return next;
}
