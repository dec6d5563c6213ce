import { productRowsSchema } from '../lib/contract/products';
import type { ProductsListRequest } from '../lib/contract/requests/pay';
import { post } from './http';

/** POST /products/list: the plans of a website brand with their ids and prices. */
export const listProducts = (request: ProductsListRequest) => post('/products/list', productRowsSchema, request);
