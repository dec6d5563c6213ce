/**
 * The one way in which mails, receipts and the account write a moment that money depends on: "November 21, 2026, 14:05
 * UTC". In UTC, since the day of one moment differs by time zone and the sentence must name the one that is charged at.
 */
export function momentInWords(moment: Date | string): string {
  const at = new Date(moment);
  const day = at.toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' });
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
}
