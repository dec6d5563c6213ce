import 'server-only';
import { dollars } from '../../catalog/plans';
import { momentInWords } from '../../utils/moment-words';
import type { Order } from './change-order';
import type { Subscription } from './plan-state';

/** When the next period is charged and for how much: the moment at which the renewal is made. */
export function chargeSentence({ expiresAt }: Subscription, agreed: Order | undefined): string {
  if (!expiresAt || !agreed) return '';
  return `It renews on ${momentInWords(expiresAt)} for ${dollars(agreed.cents)}.`;
}
