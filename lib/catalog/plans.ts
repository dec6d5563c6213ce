import { productLines } from './brands';
import { type PlanType, type Platform, platforms, type Website, websites } from './types';

/** A plan of a product on a platform. Prices are integer US cents; `pcs: null` is unlimited. */
export type Plan = {
  productsId: string;
  website: Website;
  os: Platform;
  name: string;
  type: PlanType;
  cents: number;
  oldCents: number;
  pcs: number | null;
};

/** Currency of every price (ISO 4217). */
export const currency = 'USD';

/** Shows the old price beside the price (lib/contract/README.md, 4); one switch, since some markets forbid it. */
export const showOldPrice = true;

/** Value of `productsPriceId` in every order (lib/contract/README.md, 5). */
export const productsPriceId = 0;

/** The three offers (lib/contract/README.md, 5), in the order in which they are shown. */
export const offers = [
  { key: 'monthly', name: 'Monthly', type: 'month', cents: 999, oldCents: 8995 },
  { key: 'pro', name: 'Pro', type: 'year', cents: 1999, oldCents: 8995 },
  { key: 'ultimate', name: 'Ultimate', type: 'perpetual', cents: 2999, oldCents: 8995 },
] as const satisfies readonly { key: string; name: string; type: PlanType; cents: number; oldCents: number }[];

/** Every plan that can be bought: three offers for each product and platform (lib/contract/README.md, 5). */
export const plans: readonly Plan[] = websites.flatMap((website) =>
  platforms.flatMap((os) =>
    offers.map(({ key, name, type, cents, oldCents }) => ({
      productsId: `${website}-${os}-${key}`,
      website,
      os,
      name,
      type,
      cents,
      oldCents,
      pcs: website === 'whatsapp' ? null : 1,
    })),
  ),
);

/** Finds a plan by its wire id. */
export function findPlan(productsId: string): Plan | undefined {
  return plans.find((plan) => plan.productsId === productsId);
}

/** The plans of a product, on one platform or on all. */
export function plansFor(website: Website, os?: Platform): Plan[] {
  return plans.filter((plan) => plan.website === website && (os === undefined || plan.os === os));
}

/** The product's name with its platform, such as "Mendara Data Recovery for Mac". */
export function planProductName(plan: Plan): string {
  return `${productLines[plan.website].name} for ${plan.os === 'mac' ? 'Mac' : 'Windows'}`;
}

/** Formats integer cents as a decimal string, `999` as `"9.99"`. */
export function decimal(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Formats integer cents as a US price, `999` as `"$9.99"`. */
export function dollars(cents: number): string {
  return `$${decimal(cents)}`;
}

/** The line and platform that a product's full name, as {@link planProductName} writes it, belongs to. */
export function productByName(productName: string): { line: (typeof productLines)[Website]; os: Platform } {
  const line = Object.values(productLines).find(({ name }) => productName.startsWith(name)) ?? productLines.recovery;
  return { line, os: productName.endsWith('Mac') ? 'mac' : 'win' };
}
