/** The stored website brand (lib/contract/README.md, 32): which product's installer and prices are meant. */
export const websites = ['recovery', 'duplicate', 'whatsapp'] as const;
export type Website = (typeof websites)[number];

/** Operating systems the desktop tools run on; also the values of `ufrom`. */
export const platforms = ['win', 'mac'] as const;
export type Platform = (typeof platforms)[number];

/** Billing types of a plan (lib/contract/README.md, 5); no plan uses `week`. */
export type PlanType = 'week' | 'month' | 'year' | 'perpetual';

/** The two brand skins. */
export type Skin = 'mendara' | 'chatferry';
