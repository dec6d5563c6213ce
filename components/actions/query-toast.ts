import { withoutParameters } from '@/lib/utils/query';
import { showToast } from '@/store/toasts';

/** What is said of a payment that the buyer left, by whichever way. */
export const PAYMENT_CANCELLED = 'Payment cancelled';

/** Known tips of a `toast` query; nothing else of the address is ever shown (contract, "Buying, in detail"). */
const tips: Record<string, { tone: 'error' | 'status'; text: string }> = {
  payment_cancelled: { tone: 'error', text: PAYMENT_CANCELLED },
};

/** Shows the toast that the address asks for, if it is one of ours, and takes the query away. */
export function readQueryToast(): void {
  const query = new URLSearchParams(window.location.search);
  if (!query.has('toast')) return;
  const tip = tips[query.get('tip') ?? ''];
  window.history.replaceState(window.history.state, '', withoutParameters(window.location.href, ['toast', 'tip']));
  if (tip) showToast(tip.text, tip.tone);
}
