/** States of an order as `GET /pay/info/{orderId}` shows them. */
export const orderStatuses = ['created', 'pending', 'success', 'cancelled', 'failed', 'expired'] as const;
export type OrderStatus = (typeof orderStatuses)[number];
