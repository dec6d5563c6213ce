import 'server-only';

/** A day as mails and receipts write it, in UTC: "November 21, 2026". */
export function dateInWords(date: Date): string {
  return date.toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' });
}
