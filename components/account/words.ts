import { locale } from '@/lib/catalog/limits';
import { showToast } from '@/store/toasts';

/** Says that a plan was cancelled, resumed or withdrawn from: only the last of these still holds, and stands alone. */
export const sayOfPlans = (text: string): void => showToast(text, 'status', { about: 'plans' });

/** Dates are shown in the visitor's own time zone, in words that no country reads the wrong way round. */
export function dateWords(iso: string): string {
  return new Date(iso).toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** An amount as the wire sends it, such as "$9.99"; other currencies by their code. */
export function moneyWords(amount: string, currency: string): string {
  return currency === 'USD' ? `$${amount}` : `${amount} ${currency}`;
}
