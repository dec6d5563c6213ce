import { marketingChannel } from '../lib/catalog/limits';
import { productsPriceId } from '../lib/catalog/plans';
import type { Website } from '../lib/catalog/types';
import type { OrderRequest } from '../lib/contract/requests/pay';
import { storedUuid } from '../lib/utils/client-values';
import { programAddress } from '../lib/utils/going';
import { withoutUsedOnce } from '../lib/utils/query';
import { visit } from '../lib/utils/visit';
import { useAppState } from './app-state';
import type { Ordering } from './checkout-machine';

/** Payload of `POST /pay/create` (lib/contract/README.md, 45). */
export function orderPayload(productsId: string, { plan, renews, email }: Ordering): OrderRequest {
  const { gcid, gclid, clientId } = visit();
  const { channel } = useAppState.getState();
  const here = new URL(withoutUsedOnce(window.location.href), window.location.origin);
  here.hash = '';
  const cancelUrl = new URL(here);
  cancelUrl.searchParams.set('toast', 'error');
  cancelUrl.searchParams.set('tip', 'payment_cancelled');
  return {
    cancelUrl: cancelUrl.href,
    email,
    marketingChannel,
    orderAdInfoExtend: JSON.stringify({ gcid, gclid }),
    transparentExtend: JSON.stringify({ channel, clientId, ...(renews ? { renew: renews } : {}) }),
    productsId,
    productsPriceId,
    successUrl: new URL(successPath(plan.website), here).href,
    // Only a kept id: one that is new with each load would make another order of the same attempt.
    userExtend: JSON.stringify({ trackId: storedUuid() ?? null }),
  };
}

/** The return address names the brand, whose skin the pages of the order then wear. */
function successPath(website: Website): string {
  return programAddress(`/packge-loading?website=${website}`);
}

/** Step 4 of buying (lib/contract/README.md, 70): a `businessOrderCode` of the page's query goes on to the provider, together with `model`. */
export function withBusinessOrder(redirectUrl: string, search: string = window.location.search): string {
  const query = new URLSearchParams(search);
  const code = query.get('businessOrderCode');
  if (code === null) return redirectUrl;
  const url = new URL(redirectUrl, window.location.origin);
  url.searchParams.set('businessOrderCode', code);
  const model = query.get('model');
  if (model !== null) url.searchParams.set('model', model);
  return url.href;
}
