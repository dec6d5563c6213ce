/** The stored website brand (specification section 3): which product's installer and prices are meant. */
export const websites = ['recovery', 'duplicate', 'whatsapp'] as const;
export type Website = (typeof websites)[number];

/** Operating systems the desktop tools run on; also the values of `ufrom`. */
export const platforms = ['win', 'mac'] as const;
export type Platform = (typeof platforms)[number];

/** Billing types of a plan (specification section 3). `week` is allowed by section 9 and used by no plan. */
export type PlanType = 'week' | 'month' | 'year' | 'perpetual';

/** The two brand skins. */
export type Skin = 'mendara' | 'chatferry';
