import { removeStored } from './browser-storage';
import { FOLDED, KEY, notify } from './consent';
import { removeCookie } from './cookies';

/** Takes the agreement back and deletes what it allowed. */
export function withdraw(): void {
  removeStored(KEY);
  removeStored(FOLDED);
  removeStored('uuid');
  removeCookie('uuid');
  removeCookie('channel');
  notify(false);
}
