import 'server-only';
import type { Order } from './change-order';

/** What an order is for, such as "Mendara Data Recovery for Windows, Pro". */
export function planTitleOf(order: Pick<Order, 'productName' | 'plan'>): string {
  return `${order.productName}, ${order.plan}`;
}
