import { planProductName } from '../lib/catalog/plans';
import type { AppState } from './app-state';

/** `productName` of the app state (lib/contract/README.md, 36): the product that is being bought, empty while nothing is. */
export function productName({ checkout }: Pick<AppState, 'checkout'>): string {
  return checkout.is === 'closed' ? '' : planProductName(checkout.plan);
}
