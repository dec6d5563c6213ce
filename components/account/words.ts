import { locale } from '@/lib/catalog/limits';

/** What toasts of cancelling, resuming and withdrawing are about: only the last of them still holds. */
export const ABOUT_PLANS = 'plans';

/** Dates are shown in the visitor's own time zone, in words that no country reads the wrong way round. */
export function dateWords(iso: string): string {
  return new Date(iso).toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** An amount as the wire sends it, such as "$9.99"; other currencies by their code. */
export function moneyWords(amount: string, currency: string): string {
  return currency === 'USD' ? `$${amount}` : `${amount} ${currency}`;
}
