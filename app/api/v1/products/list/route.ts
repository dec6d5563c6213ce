import { productsListSchema } from '@/lib/contract/requests/pay';
import { ok } from '@/lib/contract/result';
import { listProducts } from '@/lib/server/catalogue/list-products';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

/** POST /products/list: what can be bought, with ids and prices. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  POST: route({ body: productsListSchema }, async ({ body }) => ok(listProducts(body))),
});
