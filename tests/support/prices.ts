import { decimal, offers } from '../../lib/catalog/plans';

/** Prices of the three plans, in cents and as decimal strings: tests of anything else take them from here, so that a change of one is one edit. */
export const cents = Object.fromEntries(offers.map((offer) => [offer.key, offer.cents])) as Record<
  (typeof offers)[number]['key'],
  number
>;
export const price = {
  monthly: decimal(cents.monthly),
  pro: decimal(cents.pro),
  ultimate: decimal(cents.ultimate),
} as const;
