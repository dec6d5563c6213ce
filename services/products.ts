import type { ProductRow, ProductsListRequest } from '../lib/contract/store';
import { post } from './http';

/** POST /products/list: the plans of a website brand with their ids and prices. */
export const listProducts = (request: ProductsListRequest) => post<ProductRow[]>('/products/list', request);
