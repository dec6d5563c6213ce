import { planProductName } from '../lib/catalog/plans';
import type { AppState } from './app-state';

/** `productName` of specification section 3: the product that is being bought, empty while nothing is. */
export function productName({ checkout }: Pick<AppState, 'checkout'>): string {
  return checkout.is === 'closed' ? '' : planProductName(checkout.plan);
}
