import { removeStored } from './browser-storage';
import { FOLDED, KEY, notify } from './consent';
import { removeCookie } from './cookies';

/** Session storage key of the order and state that were logged last (store/order-result.ts). */
export const RESULT = 'loggedResult';

/** Takes the agreement back and deletes what it allowed. */
export function withdraw(): void {
  removeStored(KEY);
  removeStored(FOLDED);
  removeStored('uuid');
  removeStored(RESULT, 'sessionStorage');
  removeCookie('uuid');
  removeCookie('channel');
  notify(false);
}
