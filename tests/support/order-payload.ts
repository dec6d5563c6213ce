import type { OrderRequest } from '../../lib/contract/requests/pay';

/** An order of one plan, as the store at `site` sends it. */
export function orderPayloadAt(site: string, change: Partial<OrderRequest> = {}): OrderRequest {
  return {
    cancelUrl: `${site}/data-recovery-store`,
    successUrl: `${site}/packge-loading`,
    email: 'buyer@example.com',
    marketingChannel: 'SEO',
    orderAdInfoExtend: '{}',
    transparentExtend: '{}',
    userExtend: '{}',
    productsId: 'recovery-win-pro',
    productsPriceId: 0,
    ...change,
  };
}
