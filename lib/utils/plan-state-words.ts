import type { OwnedProduct } from '../contract/account';
import { momentInWords } from './moment-words';

/** How a plan stands, in words: `badge` beside the plan, `date` and `note` in the column of its expiration date. */
export type PlanStateWords = { badge: string; date: string; note: string };

const endings = { withdrawal: 'Withdrawn', refund: 'Refunded', dispute: 'Payment disputed' } as const;

/** Says what a plan is: one that was withdrawn from or has run out has an end in the past, never "Never". */
export function planStateWords(row: OwnedProduct): PlanStateWords {
  const { type, status, expirationDate, endedBy, nextCharge, graceUntil } = row;
  const date = expirationDate ? momentInWords(expirationDate) : 'Never';
  if (status === 'expired') {
    const badge = endedBy ? endings[endedBy] : 'Expired';
    const note = endedBy ? 'The licence ended then, and the money went back' : 'The licence ended then';
    return { badge, date: expirationDate ? date : 'Ended', note };
  }
  const badge = { normal: 'Active', activate: 'Not activated', unsubscribe: 'Cancelled, still active' }[status];
  if (graceUntil) {
    return {
      badge,
      date: momentInWords(graceUntil),
      note: 'The renewal was not paid. Renew before then to keep the licence',
    };
  }
  if (type === 'perpetual' || !expirationDate) return { badge, date, note: 'No renewal' };
  if (status === 'unsubscribe' || !row.autoRenew) return { badge, date, note: 'Renewal is off, ends then' };
  if (!nextCharge) return { badge, date, note: 'Renewal is on, charged then' };
  const price = nextCharge.currency === 'USD' ? `$${nextCharge.amount}` : `${nextCharge.amount} ${nextCharge.currency}`;
  return { badge, date, note: `Renews then for ${price}, unless you cancel before` };
}

/** Which action a plan offers: an ended one, and one whose renewal was not paid, is renewed; a running one is downloaded. */
export function planActions(row: OwnedProduct): {
  renew: boolean;
  resume: boolean;
  download: boolean;
  cancel: boolean;
} {
  const runs = row.status !== 'expired';
  return {
    renew: !runs || Boolean(row.graceUntil),
    resume: row.status === 'unsubscribe',
    download: runs,
    cancel: row.autoRenew && runs && row.status !== 'unsubscribe',
  };
}
