import type { Plan } from '../catalog/plans';
import type { PlanType } from '../catalog/types';

const periods: Record<PlanType, string> = { week: 'a week', month: 'a month', year: 'a year', perpetual: 'perpetual' };

/** What stands after the price. */
export function period(type: PlanType): string {
  return periods[type];
}

/** The renewal line of a plan card. */
export function renewal(type: PlanType): string {
  if (type === 'perpetual') return 'One payment, no renewal';
  return `Renews every ${type} until you cancel in your account`;
}

/** How many computers one licence covers (lib/contract/README.md, 5). */
export function licenceCovers({ pcs, os }: Pick<Plan, 'pcs' | 'os'>): string {
  if (pcs === null) return 'Unlimited PCs';
  const computer = os === 'mac' ? 'Mac' : 'PC';
  return pcs === 1 ? `One ${computer}` : `${pcs} ${computer}s`;
}
